import { type RawBuilder, sql } from 'kysely';
import { hideBlocked, isBlockedByHash } from '../moderation/index.ts';
import { type Database, inTransaction } from '../platform/db/index.ts';
import {
  areChangesKnown,
  bumpRevision,
  currentId,
  fromRow,
  type GifRecord,
  type GifTable,
  HIDDEN_AS_DEAD,
  HIDDEN_BY_OPERATOR,
  hiddenWithout,
  LEVELS,
  noteChanged,
  tables,
  type Verified,
} from '../records/index.ts';
import type { LinkTable } from './link-table.ts';
import { renameGif } from './rename.ts';

/*
 * The state of the URLs of linked GIFs: which URL works, when the last URL stopped working, and whether the original is
 * stored here. A linked GIF gets a row when somebody requests it or when it is checked.
 */

const HOUR_MS = 3_600_000;

/**
 * A link is dead after at least DEAD_AFTER failures over at least the time below, because servers that move or restore
 * data return 404 for hours, but rarely for a day. Failures in quick succession count as one outage.
 */
const DEAD_AFTER = 3;
const DEAD_AFTER_MS = 24 * HOUR_MS;
const APART_MS = 6 * HOUR_MS;

/** The result of fetching a linked GIF. */
export type LinkNews =
  /**
   * A URL returned the original. `kept` is the hash of the original if it is now stored here. `facts` were read from
   * the original.
   */
  | { readonly state: 'alive'; readonly url: string; readonly kept: string | null; readonly facts?: FileFacts }
  /** The shown URL no longer returns the original, and no other URL returned it. */
  | { readonly state: 'gone'; readonly reason: string }
  /** The result is unknown, because servers are slow, busy or down. */
  | { readonly state: 'unclear' };

/**
 * The facts read from a file's first bytes or from the whole file. The hash is known only if the whole file was read,
 * and the optional facts only if its frames were decoded.
 */
export interface FileFacts {
  readonly format: GifRecord['format'];
  readonly width: number;
  readonly height: number;
  /** Null if unknown. */
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly frames: number | null;
  readonly durationMs: number | null;
  /** See `FrameFacts`. */
  readonly transparent?: boolean;
  readonly blankStill?: boolean;
}

/** The change to a GIF. moved: the next build has another URL for the GIF. read: more is known about the GIF's file. */
export type LinkChange = 'hidden' | 'back' | 'moved' | 'read' | null;

/** The settings that decide which linked GIFs are shown. */
export interface LinkPolicy {
  /** upgrade: only GIFs with https URLs are shown. show: GIFs with any URL are shown. */
  readonly http: 'upgrade' | 'show';
  /**
   * on: linked GIFs are shown only after their first bytes have been read. off: the claims of the source are trusted.
   */
  readonly probe: 'on' | 'off';
}

/** A linked GIF with the state of its URLs. */
export interface LinkedGif {
  gif: GifRecord & { url: string };
  /** All URLs, the shown one first. */
  addresses: string[];
  /** Hash of the original if it is stored here. */
  kept: string | null;
  /** Number of checks in a row in which the original was gone. */
  failures: number;
}

/** Returns a linked GIF, or undefined if the GIF is unknown or not linked. */
export async function findLink(db: Database, id: string): Promise<LinkedGif | undefined> {
  const row = await linkedGifs(db)
    .where('gifs.id', '=', await currentId(db, id))
    .executeTakeFirst();
  return row && toLinkedGif(row);
}

/**
 * Returns the authors who claim a GIF, the first author first.
 * @param sha256 hash of the file, in hexadecimal
 */
export async function authorsOfGif(db: Database, sha256: string, limit: number): Promise<string[]> {
  const claims = tables(db).selectFrom('claims').select('author').where('gif', '=', sha256).where('withdrawn', '=', 0);
  const rows = await claims
    .groupBy('author')
    .orderBy((order) => order.fn.min('seq'))
    .limit(limit)
    .execute();
  return rows.map(({ author }) => author);
}

/**
 * Returns the hashes of the stored originals of linked GIFs. In a data folder of an earlier version, the set is empty.
 */
export async function keptOriginals(db: Database): Promise<ReadonlySet<string>> {
  if (!(await db.introspection.getTables()).some(({ name }) => name === 'links')) return new Set();
  const rows = await tables(db).selectFrom('links').select('kept').where('kept', 'is not', null).execute();
  return new Set(rows.map(({ kept }) => kept!));
}

/** Records that the original of a linked GIF is no longer stored here. */
export async function forgetKept(db: Database, sha256: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    const rows = await tables(trx).selectFrom('links').select('id').where('kept', '=', sha256).execute();
    if (rows.length === 0) return;
    await tables(trx).updateTable('links').set({ kept: null }).where('kept', '=', sha256).execute();
    await noteChanged(
      trx,
      rows.map(({ id }) => id),
    );
    await bumpRevision(trx);
  });
}

/** The conditions under which links are due for a check. */
export interface DueLinks {
  /** Links whose last check was before this time are due. */
  before: number;
  /** Links that failed their last check are due if the check was before this time. */
  failedBefore: number;
}

/**
 * Returns the linked GIFs that can be shown and are due for a check, by ascending id. Returns at most `limit` GIFs
 * whose ids come after `after`.
 */
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
  return tables(db)
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

/** Returns an SQL condition that is true if the policy shows a GIF in `gifs`, joined with its `links`. */
export function isLinkShown({ http, probe }: LinkPolicy): RawBuilder<boolean> {
  const isSecure = http === 'show' ? sql`true` : sql`coalesce(links.url, gifs.url) like 'https:%'`;
  const isRead = probe === 'off' ? sql`true` : sql`gifs.verified > 0`;
  return sql<boolean>`(gifs.url is null or (${isSecure} and ${isRead}))`;
}

/** Time before the next attempt: after an unclear result, after a missing file, and after a dead link. */
const PROBE_AGAIN_MS = HOUR_MS;
const PROBE_GONE_MS = 12 * HOUR_MS;
const PROBE_DEAD_MS = 7 * 24 * HOUR_MS;

/**
 * Returns the linked GIFs that are not shown because the policy requires more facts about their files, by ascending id.
 */
export async function pageOfDueProbes(
  db: Database,
  { policy, now }: { policy: LinkPolicy; now: number },
  { after, limit }: { after: string; limit: number },
): Promise<LinkedGif[]> {
  const due = dueProbes(db, policy, now).where('gifs.id', '>', after).orderBy('gifs.id').limit(limit);
  return (await due.execute()).map(toLinkedGif);
}

/**
 * Returns whether any linked GIF that changed after this revision is due for a probe. If the database no longer has the
 * changes since that revision, all linked GIFs are considered.
 */
export async function isChangedProbeDue(
  db: Database,
  { policy, now }: { policy: LinkPolicy; now: number },
  since: number,
): Promise<boolean> {
  const due = dueProbes(db, policy, now).limit(1);
  const changed = tables(db).selectFrom('changes').select('gif').where('revision', '>', since);
  const some = (await areChangesKnown(db, since)) ? due.where('gifs.id', 'in', changed) : due;
  return (await some.executeTakeFirst()) !== undefined;
}

export async function countDueProbes(db: Database, policy: LinkPolicy, now: number): Promise<number> {
  const counted = dueProbes(db, policy, now).clearSelect();
  return (await counted.select((count) => count.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()).n;
}

/** Returns the number of linked GIFs that are not shown because too little is known about their files. */
export async function countUnshownLinks(db: Database, policy: LinkPolicy): Promise<number> {
  const unshown = linkedGifs(db)
    .where(sql<boolean>`not ${isLinkShown(policy)}`)
    .where('gifs.hidden', '=', 0)
    .clearSelect();
  return (await unshown.select((count) => count.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()).n;
}

function dueProbes(db: Database, policy: LinkPolicy, now: number) {
  const pause = sql<number>`case
    when gifs.hidden & ${HIDDEN_AS_DEAD} <> 0 then ${sql.lit(PROBE_DEAD_MS)}
    when links.failures > 0 then ${sql.lit(PROBE_GONE_MS)}
    else ${sql.lit(PROBE_AGAIN_MS)} end`;
  return linkedGifs(db)
    .where(sql<boolean>`not ${isLinkShown(policy)}`)
    .where(hiddenWithout(HIDDEN_AS_DEAD), '=', 0)
    .where('gifs.adult', '=', 0)
    .where(({ eb, or }) =>
      or([eb('links.checkedAt', 'is', null), sql<boolean>`links.checked_at + ${pause} <= ${now}`]),
    );
}

/** Records the result for a link, and hides or restores its GIF accordingly. @param now ms since the epoch */
export async function noteLink(db: Database, id: string, news: LinkNews, now: number): Promise<LinkChange> {
  return inTransaction(db, async (trx) => {
    const gifs = tables(trx)
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
  const known = await tables(db).selectFrom('links').selectAll().where('id', '=', id).executeTakeFirst();
  const before = known ?? { id, ...NOTHING_KNOWN };
  const next = { ...after(before, news, now), checkedAt: now };
  if (next.url === url) next.url = null;
  await tables(db)
    .insertInto('links')
    .values(next)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(next))
    .execute();
  const isKept = next.kept !== before.kept;
  if (isKept) await noteChanged(db, [id]);
  const change = changeOf(news, next, { wasShown: before.url, wasDead: (hidden & HIDDEN_AS_DEAD) !== 0 });
  return change ?? (isKept ? 'read' : null);
}

async function setDead(db: Database, { id, hidden }: GifTable, isDead: boolean): Promise<void> {
  const bits = isDead ? hidden | HIDDEN_AS_DEAD : hidden & ~HIDDEN_AS_DEAD;
  await tables(db).updateTable('gifs').set({ hidden: bits }).where('id', '=', id).execute();
}

/**
 * Records the facts read from a file. As soon as the file's hash is known, the hash becomes the GIF's id.
 * @returns whether anything is new
 */
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
    transparent: facts.transparent === undefined ? gif.transparent : Number(facts.transparent),
    blankStill: facts.blankStill === undefined ? gif.blankStill : Number(facts.blankStill),
  };
  const isNew = (Object.keys(now) as (keyof typeof now)[]).some((key) => now[key] !== gif[key]);
  if (isNew) await tables(db).updateTable('gifs').set(now).where('id', '=', gif.id).execute();
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
