import { sql } from 'kysely';
import type { Database } from '../platform/db/index.ts';
import { chunks, type GifRecord, tables } from '../records/index.ts';
import { addressesOf, showGifs } from './apply-claims.ts';
import { type AddressTable, fromClaimRow, type StoredClaim } from './claims.ts';
import type { DeriveOptions } from './derive.ts';

/* Derives from claims the addresses to check, and derives GIFs from the results of these checks. */

/** Returns the claims that contain one of these addresses. */
export async function claimsOf(db: Database, urls: readonly string[]): Promise<StoredClaim[]> {
  const found = new Map<string, StoredClaim>();
  for (const some of chunks(urls)) {
    const rows = await tables(db)
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
  /** Collects the GIFs whose claims change. */
  touched: Set<string>;
  options: DeriveOptions;
}

/**
 * Assigns each claim to a GIF: the first of the claim's addresses whose file matches the claim decides. If an earlier
 * address of the claim has not been checked yet, schedules that address for checking instead.
 */
export async function settleClaims(
  db: Database,
  claims: readonly StoredClaim[],
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
  // A new URL is due immediately. Of the due URLs, the one that has waited longest is checked first.
  const unseen = { ...UNSEEN, nextAt: options.now * 1_000 };
  for (const some of chunks([...wanted])) {
    await tables(db)
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
  transparent: 0,
  blankStill: 0,
  kept: 0,
};

/** Returns the GIF to which a claim's URLs lead, or the next URL to check. */
function leadsTo(
  { urls, hashes }: StoredClaim,
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

async function setGif(db: Database, { eventId, part }: StoredClaim, gif: string | null): Promise<void> {
  await tables(db).updateTable('claims').set({ gif }).where('eventId', '=', eventId).where('part', '=', part).execute();
}

/** The result of checking an address. */
export type AddressNews =
  | { state: 'there'; facts: AddressFacts; kept: boolean }
  /** The address is checked again only if a claim gives this hash for the bytes at the address. */
  | { state: 'refused'; reason: string; sha256?: string }
  /** The address is checked again at `nextAt`, in milliseconds since the Unix epoch. */
  | { state: 'waiting'; reason: string; nextAt: number };

export type AddressFacts = Pick<
  GifRecord,
  'format' | 'width' | 'height' | 'frames' | 'durationMs' | 'bytes' | 'lqip' | 'transparent' | 'blankStill'
> & { sha256: string };

/** Records the result of checking an address and updates the GIFs that it concerns. */
export async function noteAddress(db: Database, url: string, news: AddressNews, options: DeriveOptions): Promise<void> {
  const found =
    news.state === 'there'
      ? { ...toColumns(news.facts), state: news.state, reason: null, kept: news.kept ? 1 : 0 }
      : { ...news, sha256: news.state === 'refused' ? (news.sha256 ?? null) : null };
  await tables(db)
    .updateTable('addresses')
    .set({ ...found, tries: sql`tries + 1` })
    .where('url', '=', url)
    .execute();
  if (news.state === 'waiting') return;
  const touched = new Set<string>();
  await settleClaims(db, await claimsOf(db, [url]), { touched, options });
  await showGifs(db, touched, options);
}

function toColumns({ transparent, blankStill, ...facts }: AddressFacts) {
  return { ...facts, transparent: transparent ? 1 : 0, blankStill: blankStill ? 1 : 0 };
}

/** An address that is due for checking. */
export interface DueAddress {
  url: string;
  host: string;
  /** Number of failed attempts to fetch the address. */
  tries: number;
}

/**
 * Returns the addresses that are due now, with the longest waiting time first.
 * @param now milliseconds since the Unix epoch
 */
export async function addressesToSee(
  db: Database,
  now: number,
  { limit, busy = [] }: { limit: number; busy?: Iterable<string> },
): Promise<DueAddress[]> {
  return tables(db)
    .selectFrom('addresses')
    .select(['url', 'host', 'tries'])
    .where('state', '=', 'waiting')
    .where('nextAt', '<=', now)
    .where('host', 'not in', [...busy])
    .orderBy('nextAt')
    .orderBy('url')
    .limit(limit)
    .execute();
}

/** Postpones all addresses of a host to a time in milliseconds since the Unix epoch. */
export async function postponeHost(db: Database, host: string, until: number): Promise<void> {
  const waiting = tables(db).updateTable('addresses').set({ nextAt: until }).where('host', '=', host);
  await waiting.where('state', '=', 'waiting').where('nextAt', '<', until).execute();
}

/** Returns whether a claim gives this hash for the bytes of this address, or gives no hash. */
export async function isWanted(db: Database, url: string, sha256: string): Promise<boolean> {
  const claims = await claimsOf(db, [url]);
  return claims.some(({ hashes, withdrawn }) => !withdrawn && (hashes.length === 0 || hashes.includes(sha256)));
}

/** Returns the result of checking a URL from relays, or undefined if no event named it. */
export async function findAddress(
  db: Database,
  url: string,
): Promise<{ state: string; reason: string | null } | undefined> {
  return tables(db).selectFrom('addresses').select(['state', 'reason']).where('url', '=', url).executeTakeFirst();
}

/** Returns the number of URLs for each result of checking them. */
export async function countAddresses(db: Database): Promise<{ state: string; reason: string | null; n: number }[]> {
  const grouped = tables(db).selectFrom('addresses').select(['state', 'reason']).groupBy(['state', 'reason']);
  return grouped
    .select((count) => count.fn.countAll<number>().as('n'))
    .orderBy('state')
    .orderBy('reason')
    .execute();
}
