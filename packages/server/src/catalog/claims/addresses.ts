import { sql } from 'kysely';
import type { Database } from '../../platform/db/index.ts';
import { chunks } from '../chunks.ts';
import type { GifRecord } from '../record.ts';
import { addressesOf, showGifs } from './apply-claims.ts';
import { type AddressTable, fromClaimRow, type KeptClaim } from './claims.ts';
import type { DeriveOptions } from './derive.ts';

/* From claims to the addresses that are to be looked at, and from what was found there to GIFs. */

/** The claims that name one of these addresses. */
export async function claimsOf(db: Database, urls: readonly string[]): Promise<KeptClaim[]> {
  const found = new Map<string, KeptClaim>();
  for (const some of chunks(urls)) {
    const rows = await db
      .selectFrom('claimUrls')
      .innerJoin('claims', (join) =>
        join.onRef('claims.eventId', '=', 'claimUrls.eventId').onRef('claims.part', '=', 'claimUrls.part'),
      )
      .selectAll('claims')
      .where('claimUrls.url', 'in', some)
      .execute();
    for (const row of rows) found.set(`${row.eventId} ${row.part}`, fromClaimRow(row));
  }
  return [...found.values()];
}

interface Settling {
  /** Takes the GIFs whose claims change. */
  touched: Set<string>;
  options: DeriveOptions;
}

/** Looks which GIF each claim leads to by what is known of its addresses, and wants the next address looked at. */
export async function settleClaims(
  db: Database,
  claims: readonly KeptClaim[],
  { touched, options }: Settling,
): Promise<void> {
  const addresses = await addressesOf(
    db,
    claims.flatMap(({ urls }) => urls),
  );
  const bare = Map.groupBy(
    claims.filter((claim) => claim.bare && !claim.withdrawn),
    ({ urls }) => urls[0]!,
  );
  const wanted = new Set<string>();
  for (const claim of claims) {
    const { gif, next } = leadsTo(claim, addresses);
    if (claim.gif !== null) touched.add(claim.gif);
    if (gif !== null) touched.add(gif);
    if (gif !== claim.gif) await setGif(db, claim, gif);
    const authors = new Set(bare.get(claim.urls[0]!)?.map(({ author }) => author)).size;
    const counts = !claim.bare || (options.minAuthors > 0 && authors >= options.minAuthors);
    if (next !== undefined && counts && !claim.withdrawn) wanted.add(next);
  }
  // From now on: who waits longest is looked at first.
  const unseen = { ...UNSEEN, nextAt: options.now * 1_000 };
  for (const some of chunks([...wanted])) {
    await db
      .insertInto('addresses')
      .values(some.map((url) => ({ ...unseen, url, host: new URL(url).host })))
      .onConflict((conflict) => conflict.column('url').doUpdateSet(unseen))
      .execute();
  }
}

const UNSEEN: Omit<AddressTable, 'url' | 'host'> = {
  state: 'waiting',
  reason: null,
  tries: 0,
  nextAt: 0,
  sha256: null,
  format: null,
  width: null,
  height: null,
  frames: null,
  durationMs: null,
  bytes: null,
  lqip: null,
  kept: 0,
};

/** The GIF that a claim's addresses lead to, or the address that is to be looked at to know. */
function leadsTo(
  { urls, hashes }: KeptClaim,
  addresses: ReadonlyMap<string, AddressTable>,
): { gif: string | null; next?: string } {
  for (const url of urls) {
    const address = addresses.get(url);
    if (address === undefined) return { gif: null, next: url };
    if (address.state === 'waiting') return { gif: null };
    const { sha256 } = address;
    const fits = sha256 !== null && (hashes.length === 0 || hashes.includes(sha256));
    if (fits) return address.state === 'there' ? { gif: sha256 } : { gif: null, next: url };
  }
  return { gif: null };
}

async function setGif(db: Database, { eventId, part }: KeptClaim, gif: string | null): Promise<void> {
  await db.updateTable('claims').set({ gif }).where('eventId', '=', eventId).where('part', '=', part).execute();
}

/** What was found behind an address. */
export type AddressNews =
  | { state: 'there'; facts: AddressFacts; kept: boolean }
  /** It is no use asking again, unless somebody says that bytes of this hash are what is there. */
  | { state: 'refused'; reason: string; sha256?: string }
  /** To be asked again then, in milliseconds since the Unix epoch. */
  | { state: 'waiting'; reason: string; nextAt: number };

export type AddressFacts = Pick<
  GifRecord,
  'format' | 'width' | 'height' | 'frames' | 'durationMs' | 'bytes' | 'lqip'
> & { sha256: string };

/** Writes down what was found behind an address, and changes the GIFs that it is about. */
export async function noteAddress(db: Database, url: string, news: AddressNews, options: DeriveOptions): Promise<void> {
  const found =
    news.state === 'there'
      ? { ...news.facts, state: news.state, reason: null, kept: news.kept ? 1 : 0 }
      : { ...news, sha256: news.state === 'refused' ? (news.sha256 ?? null) : null };
  await db
    .updateTable('addresses')
    .set({ ...found, tries: sql`tries + 1` })
    .where('url', '=', url)
    .execute();
  if (news.state === 'waiting') return;
  const touched = new Set<string>();
  await settleClaims(db, await claimsOf(db, [url]), { touched, options });
  await showGifs(db, touched, options);
}

/** An address that is to be looked at. */
export interface DueAddress {
  url: string;
  host: string;
  /** How often it gave nothing. */
  tries: number;
}

/** Addresses that are to be looked at now, longest waiting first. @param now milliseconds since the Unix epoch */
export async function addressesToSee(
  db: Database,
  now: number,
  { limit, busy = [] }: { limit: number; busy?: Iterable<string> },
): Promise<DueAddress[]> {
  return db
    .selectFrom('addresses')
    .select(['url', 'host', 'tries'])
    .where('state', '=', 'waiting')
    .where('nextAt', '<=', now)
    .where('host', 'not in', [...busy])
    .orderBy('nextAt')
    .orderBy(sql`rowid`)
    .limit(limit)
    .execute();
}

/** Lets the addresses of a host wait at least until then, in milliseconds since the Unix epoch. */
export async function postponeHost(db: Database, host: string, until: number): Promise<void> {
  const waiting = db.updateTable('addresses').set({ nextAt: until }).where('host', '=', host);
  await waiting.where('state', '=', 'waiting').where('nextAt', '<', until).execute();
}

/** Whether somebody who names this address says that its bytes have this hash, or says nothing of them. */
export async function isWanted(db: Database, url: string, sha256: string): Promise<boolean> {
  const claims = await claimsOf(db, [url]);
  return claims.some(({ hashes, withdrawn }) => !withdrawn && (hashes.length === 0 || hashes.includes(sha256)));
}

/** How many addresses there are by what was found behind them. */
export async function countAddresses(db: Database): Promise<{ state: string; reason: string | null; n: number }[]> {
  const grouped = db.selectFrom('addresses').select(['state', 'reason']).groupBy(['state', 'reason']);
  return grouped
    .select((count) => count.fn.countAll<number>().as('n'))
    .orderBy('state')
    .orderBy('reason')
    .execute();
}
