import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { type Database, inTransaction } from '../platform/db/index.ts';
import { currentId } from './aliases.ts';
import { hideBlocked, isBlockedByHash } from './moderation/blocked.ts';
import { HIDDEN_AS_DEAD, HIDDEN_BY_OPERATOR } from './moderation/hidden-flags.ts';
import { type GifRecord, LEVELS, type Verified } from './record.ts';
import { renameGif } from './rename.ts';
import { bumpRevision } from './revision.ts';
import { fromRow, type GifTable } from './tables.ts';

/*
 * What was found out about the addresses of linked GIFs, beside what was told of them: which one works, since when none
 * does, and whether the original is kept here. A linked GIF that nobody has asked for or looked after has no row.
 */

interface LinkTable {
  id: string;
  /** The address that answers show in the place of the one that was told, which is dead; null while that works. */
  url: string | null;
  /** Hash of the original where it is kept here. */
  kept: string | null;
  /** Times are milliseconds since the Unix epoch. */
  checkedAt: number;
  /** How often in a row the shown address was gone and no other helped. */
  failures: number;
  firstFailedAt: number | null;
  lastFailedAt: number | null;
  reason: string | null;
}

declare module '../platform/db/tables.ts' {
  interface Tables {
    links: LinkTable;
  }
}

export const linkMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('links')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('url', 'text')
      .addColumn('kept', 'text')
      .addColumn('checked_at', 'integer', (column) => column.notNull())
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('first_failed_at', 'integer')
      .addColumn('last_failed_at', 'integer')
      .addColumn('reason', 'text')
      .execute();
  },
};

const HOUR_MS = 3_600_000;

/**
 * A link is dead when it was gone so often, over so long: servers that are moved or restored answer 404 for hours, hardly
 * for a day. What is seen soon after the last time is the same outage, however many ask.
 */
const DEAD_AFTER = 3;
const DEAD_AFTER_MS = 24 * HOUR_MS;
const APART_MS = 6 * HOUR_MS;

/** What was heard of the addresses of a linked GIF. */
export type LinkNews =
  /** One of them gave the original; its hash where that is kept here now, and what was read of it. */
  | { readonly state: 'alive'; readonly url: string; readonly kept: string | null; readonly facts?: FileFacts }
  /** The shown one does not have it any more, and no other gave it. */
  | { readonly state: 'gone'; readonly reason: string }
  /** Nothing can be said: servers are slow, or busy, or down. */
  | { readonly state: 'unclear' };

/** What was read of a file: of its first bytes, or of all of it, which then has a hash. */
export interface FileFacts {
  readonly format: GifRecord['format'];
  readonly width: number;
  readonly height: number;
  /** What is null is not known. */
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly frames: number | null;
  readonly durationMs: number | null;
}

/**
 * What became of a GIF by such news. moved: answers show another of its addresses from the next build on; read: more is
 * known of its file than before.
 */
export type LinkChange = 'hidden' | 'back' | 'moved' | 'read' | null;

/** Which linked GIFs are shown. */
export interface LinkPolicy {
  /** upgrade: only by https addresses; show: by whatever address they have. */
  readonly http: 'upgrade' | 'show';
  /** on: only once the first bytes of the file were read; off: what their sources claim is believed. */
  readonly probe: 'on' | 'off';
}

/** A linked GIF with what is known of its addresses. */
export interface LinkedGif {
  gif: GifRecord & { url: string };
  /** All addresses, the one that answers show first. */
  addresses: string[];
  /** Hash of the original where it is kept here. */
  kept: string | null;
  /** How often in a row it was gone. */
  failures: number;
}

/** Undefined when there is no such GIF, or it is not a linked one. */
export async function findLink(db: Database, id: string): Promise<LinkedGif | undefined> {
  const row = await linkedGifs(db)
    .where('gifs.id', '=', await currentId(db, id))
    .executeTakeFirst();
  return row && toLinkedGif(row);
}

/** Hashes of the originals of linked GIFs that are kept here; of a data folder as an earlier version left it, none. */
export async function keptOriginals(db: Database): Promise<ReadonlySet<string>> {
  if (!(await db.introspection.getTables()).some(({ name }) => name === 'links')) return new Set();
  const rows = await db.selectFrom('links').select('kept').where('kept', 'is not', null).execute();
  return new Set(rows.map(({ kept }) => kept!));
}

/** Which links are to be looked at again. */
export interface DueLinks {
  /** Those that were not looked at since then. */
  before: number;
  /** The same for those that were gone the last time. */
  failedBefore: number;
}

/** Linked GIFs that might be shown and whose link is to be looked at, by ascending id: after `after`, at most `limit`. */
export async function pageOfDueLinks(
  db: Database,
  due: DueLinks,
  { after, limit }: { after: string; limit: number },
): Promise<LinkedGif[]> {
  const rows = await dueLinks(db, due).where('gifs.id', '>', after).orderBy('gifs.id').limit(limit).execute();
  return rows.map(toLinkedGif);
}

export async function countDueLinks(db: Database, due: DueLinks): Promise<number> {
  const counted = dueLinks(db, due).clearSelect();
  return (await counted.select((count) => count.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()).n;
}

function dueLinks(db: Database, { before, failedBefore }: DueLinks) {
  return linkedGifs(db)
    .where('gifs.adult', '=', 0)
    .where(sql<boolean>`gifs.hidden & ${HIDDEN_BY_OPERATOR} = 0`)
    .where((is) =>
      is.or([
        is('links.checkedAt', 'is', null),
        is('links.checkedAt', '<', before),
        is.and([is('links.failures', '>', 0), is('links.checkedAt', '<', failedBefore)]),
      ]),
    );
}

function linkedGifs(db: Database) {
  return db
    .selectFrom('gifs')
    .leftJoin('links', 'links.id', 'gifs.id')
    .where('gifs.url', 'is not', null)
    .selectAll('gifs')
    .select(['links.url as shown', 'links.kept', 'links.failures']);
}

type Row = Awaited<ReturnType<ReturnType<typeof linkedGifs>['executeTakeFirstOrThrow']>>;

function toLinkedGif({ shown, kept, failures, ...row }: Row): LinkedGif {
  const gif = fromRow(row) as LinkedGif['gif'];
  const addresses = [...new Set([shown ?? gif.url, gif.url, ...gif.fallback])];
  return { gif, addresses, kept, failures: failures ?? 0 };
}

/** 1 where a GIF of `gifs`, joined with its `links`, may be shown by this policy, else 0. */
export function isLinkShown({ http, probe }: LinkPolicy): RawBuilder<number> {
  const isSecure = http === 'show' ? sql`1` : sql`coalesce(links.url, gifs.url) like 'https:%'`;
  const isRead = probe === 'off' ? sql`1` : sql`gifs.verified > 0`;
  return sql<number>`(gifs.url is null or (${isSecure} and ${isRead}))`;
}

/** A file that was no answer is asked for again after so long; one that was gone, later, and what is dead, hardly ever. */
const PROBE_AGAIN_MS = HOUR_MS;
const PROBE_GONE_MS = 12 * HOUR_MS;
const PROBE_DEAD_MS = 7 * 24 * HOUR_MS;

/** Linked GIFs that are not shown by this policy until more is known of their files, by ascending id. */
export async function pageOfDueProbes(
  db: Database,
  { policy, now }: { policy: LinkPolicy; now: number },
  { after, limit }: { after: string; limit: number },
): Promise<LinkedGif[]> {
  const due = dueProbes(db, policy, now).where('gifs.id', '>', after).orderBy('gifs.id').limit(limit);
  return (await due.execute()).map(toLinkedGif);
}

export async function countDueProbes(db: Database, policy: LinkPolicy, now: number): Promise<number> {
  const counted = dueProbes(db, policy, now).clearSelect();
  return (await counted.select((count) => count.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()).n;
}

/** How many linked GIFs are not shown because too little is known of their files. */
export async function countUnshownLinks(db: Database, policy: LinkPolicy): Promise<number> {
  const unshown = linkedGifs(db)
    .where(sql<boolean>`not ${isLinkShown(policy)}`)
    .where('gifs.hidden', '=', 0)
    .clearSelect();
  return (await unshown.select((count) => count.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()).n;
}

function dueProbes(db: Database, policy: LinkPolicy, now: number) {
  const pause = sql<number>`case
    when gifs.hidden & ${HIDDEN_AS_DEAD} <> 0 then ${PROBE_DEAD_MS}
    when links.failures > 0 then ${PROBE_GONE_MS}
    else ${PROBE_AGAIN_MS} end`;
  return linkedGifs(db)
    .where(sql<boolean>`not ${isLinkShown(policy)}`)
    .where(sql<boolean>`gifs.hidden & ~${HIDDEN_AS_DEAD} = 0`)
    .where('gifs.adult', '=', 0)
    .where(({ eb, or }) =>
      or([eb('links.checkedAt', 'is', null), sql<boolean>`links.checked_at + ${pause} <= ${now}`]),
    );
}

/** Writes down what was heard of a link, and hides its GIF or brings it back accordingly. @param now ms since the epoch */
export async function noteLink(db: Database, id: string, news: LinkNews, now: number): Promise<LinkChange> {
  return inTransaction(db, async (trx) => {
    const gifs = trx
      .selectFrom('gifs')
      .selectAll()
      .where('id', '=', await currentId(trx, id));
    const gif = await gifs.where('url', 'is not', null).executeTakeFirst();
    if (gif === undefined) return null;
    const moved = await noteAddress(trx, gif, news, now);
    if (moved === 'hidden') await setDead(trx, gif, true);
    if (moved === 'back') await setDead(trx, gif, false);
    const facts = news.state === 'alive' ? news.facts : undefined;
    const isRead = facts !== undefined && (await noteFacts(trx, gif, facts));
    const change = moved ?? (isRead ? 'read' : null);
    if (change !== null) await bumpRevision(trx);
    return change;
  });
}

async function noteAddress(db: Database, { id, url, hidden }: GifTable, news: LinkNews, now: number) {
  const known = await db.selectFrom('links').selectAll().where('id', '=', id).executeTakeFirst();
  const before = known ?? { id, ...NOTHING_KNOWN };
  const next = { ...after(before, news, now), checkedAt: now };
  if (next.url === url) next.url = null;
  await db
    .insertInto('links')
    .values(next)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(next))
    .execute();
  return changeOf(news, next, { wasShown: before.url, wasDead: (hidden & HIDDEN_AS_DEAD) !== 0 });
}

async function setDead(db: Database, { id, hidden }: GifTable, isDead: boolean): Promise<void> {
  const bits = isDead ? hidden | HIDDEN_AS_DEAD : hidden & ~HIDDEN_AS_DEAD;
  await db.updateTable('gifs').set({ hidden: bits }).where('id', '=', id).execute();
}

/** Writes down what was read of a file. From its hash on, that is the GIF's name. @returns whether anything is new */
async function noteFacts(db: Database, gif: GifTable, facts: FileFacts): Promise<boolean> {
  const read: Verified = facts.sha256 === null ? 'header' : 'file';
  const isLess = LEVELS.indexOf(read) < gif.verified;
  const { format, width, height } = facts;
  const now = {
    ...{ format, width, height, verified: isLess ? gif.verified : LEVELS.indexOf(read) },
    bytes: facts.bytes ?? (isLess ? gif.bytes : null),
    sha256: facts.sha256 ?? gif.sha256,
    frames: facts.frames ?? gif.frames,
    durationMs: facts.durationMs ?? gif.durationMs,
  };
  const isNew = (Object.keys(now) as (keyof typeof now)[]).some((key) => now[key] !== gif[key]);
  if (isNew) await db.updateTable('gifs').set(now).where('id', '=', gif.id).execute();
  if (facts.sha256 === null) return isNew;
  const id = `${facts.sha256}.gif`;
  await renameGif(db, gif.id, id);
  if (await isBlockedByHash(db, facts.sha256)) await hideBlocked(db, [id]);
  return isNew;
}

const UNBROKEN = { failures: 0, firstFailedAt: null, lastFailedAt: null, reason: null };
const NOTHING_KNOWN = { url: null, kept: null, checkedAt: 0, ...UNBROKEN };

function after(known: LinkTable, news: LinkNews, now: number): LinkTable {
  if (news.state === 'unclear') return known;
  if (news.state === 'alive') return { ...known, ...UNBROKEN, url: news.url, kept: news.kept ?? known.kept };
  const { failures, firstFailedAt, lastFailedAt } = known;
  if (lastFailedAt !== null && now - lastFailedAt < APART_MS) return known;
  return {
    ...known,
    failures: failures + 1,
    firstFailedAt: firstFailedAt ?? now,
    lastFailedAt: now,
    reason: news.reason,
  };
}

function changeOf(
  news: LinkNews,
  { url, failures, firstFailedAt, lastFailedAt }: LinkTable,
  { wasShown, wasDead }: { wasShown: string | null; wasDead: boolean },
): LinkChange {
  if (news.state === 'alive') {
    if (wasDead) return 'back';
    return url === wasShown ? null : 'moved';
  }
  if (wasDead || failures < DEAD_AFTER) return null;
  return lastFailedAt! - firstFailedAt! >= DEAD_AFTER_MS ? 'hidden' : null;
}
