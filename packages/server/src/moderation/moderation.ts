import { type Generated, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { ServiceError } from '../base/errors.ts';
import { keptReason } from '../base/plain-text.ts';
import { type Database, inTransaction } from '../platform/db/index.ts';
import {
  bumpRevision,
  bumpShown,
  currentId,
  type Edit,
  findEdit,
  HIDDEN_AS_WITHDRAWN,
  HIDDEN_BY_OPERATOR,
  HIDDEN_UNTIL_REVIEW,
  revision,
  saveEdit,
  setHidden,
  setInReview,
  tables,
} from '../records/index.ts';
import { blockGif, isBlockedByHash, unblockGif } from './blocked.ts';
import { findRating, RELAYS, type SaidRating } from './ratings.ts';
import { countReported, openReportsOf, setOpenReports } from './reports.ts';

/*
 * Moderation of single GIFs. Each action is recorded together with its changes, in one transaction. The records are the
 * catalogue's audit log, and are also used to undo actions.
 */

/** The decisions of operators about a GIF. */
export interface GifState {
  hidden: boolean;
  /** Whether a member uploaded the GIF and the GIF waits for a review. Missing in actions of earlier versions. */
  inReview?: boolean;
  /** Whether the GIF's exact bytes are on the block list. */
  blocked: boolean;
  /** Null if operators have not rated the GIF. */
  rating: SaidRating | null;
  /** Null if operators have not edited the GIF. */
  edit: Edit | null;
  /** Ids of open reports. */
  reports: string[];
}

export type Act =
  | { action: 'hide' | 'show' | 'block' | 'unblock' | 'adult' | 'safe' | 'dismiss' }
  | { action: 'edit'; edit: Partial<Edit> };

/** The person who moderates, and the time. */
export interface Moderator {
  actor: string;
  /** Milliseconds since the Unix epoch. */
  now: number;
  /** The reason for the decision, for other operators. */
  reason?: string;
  /** The latest action on the GIF that this person has seen; 0 for none. If missing, later actions are not checked. */
  lastMove?: number;
}

export interface Move {
  seq: number;
  gif: string;
  /** An action, or `undo` followed by an action. */
  action: string;
  actor: string;
  at: number;
  /** Empty if the person gave no reason. */
  reason: string;
  before: GifState;
  after: GifState;
  undone: boolean;
}

interface MoveTable {
  seq: number;
  gif: string;
  action: string;
  actor: string;
  at: number;
  reason: string;
  before: string;
  after: string;
  undone: number;
}

declare module '../records/tables.ts' {
  interface CatalogTables {
    moves: Omit<MoveTable, 'seq'> & { seq: Generated<number> };
    /** A single row with the lowest revision of a build that includes all moderation actions. */
    wantedBuild: { id: number; revision: number };
    /** GIFs that operators restored and that may be missing from the served build. */
    awaited: { id: string };
  }
}

export const moderationMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('edits')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('title', 'text')
      .addColumn('tags', 'text')
      .addColumn('alt', 'text')
      .execute();
    await db.schema
      .createTable('reports')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('gif', 'text', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('message', 'text', (column) => column.notNull())
      .addColumn('contact', 'text', (column) => column.notNull())
      .addColumn('reporter', 'text', (column) => column.notNull())
      .addColumn('at', 'integer', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('reports_gif').on('reports').columns(['gif', 'state']).execute();
    await db.schema.createIndex('reports_state').on('reports').columns(['state', 'at']).execute();
    await db.schema
      .createTable('moves')
      .addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('gif', 'text', (column) => column.notNull())
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('actor', 'text', (column) => column.notNull())
      .addColumn('at', 'integer', (column) => column.notNull())
      .addColumn('before', 'text', (column) => column.notNull())
      .addColumn('after', 'text', (column) => column.notNull())
      .addColumn('undone', 'integer', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('moves_gif').on('moves').columns(['gif', 'seq']).execute();
    await db.schema
      .createTable('wanted_build')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('awaited')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .execute();
    await tables(db as Database)
      .insertInto('wantedBuild')
      .values({ id: 1, revision: 0 })
      .execute();
  },
};

export const moveReasonMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('moves')
      .addColumn('reason', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
  },
};

/** Returns the decisions of operators about a GIF. @throws ServiceError `not_found` */
export async function stateOf(db: Database, given: string): Promise<GifState> {
  const id = await currentId(db, given);
  const gif = await tables(db).selectFrom('gifs').select(['hidden', 'sha256']).where('id', '=', id).executeTakeFirst();
  if (gif === undefined) throw new ServiceError('not_found', `The catalogue has no GIF ${id.slice(0, 200)}`);
  return {
    hidden: (gif.hidden & HIDDEN_BY_OPERATOR) !== 0,
    inReview: (gif.hidden & HIDDEN_UNTIL_REVIEW) !== 0,
    blocked: await isBlockedByHash(db, gif.sha256),
    rating: (await findRating(db, id)) ?? null,
    edit: await findEdit(db, id),
    reports: await openReportsOf(db, id),
  };
}

/**
 * Performs an action on a GIF. A running service shows the result within seconds.
 * @returns the recorded action, or null if nothing changed
 * @throws ServiceError `not_found`, or `conflict` when blocking a GIF whose bytes are unknown, or if there is an action
 * that the moderator has not seen
 */
export function moderate(db: Database, by: Moderator, given: string, act: Act): Promise<Move | null> {
  return inTransaction(db, async (trx) => {
    const id = await currentId(trx, given);
    await requireSeen(trx, id, by);
    const before = await stateOf(trx, id);
    await bring(trx, id, { ...changesOf(act, before), ...afterReview(act, before) });
    return writeDown(trx, by, { gif: id, action: act.action, before });
  });
}

/** Checks that nobody has acted on the GIF since the moderator looked at it. @throws ServiceError `conflict` */
async function requireSeen(db: Database, gif: string, { lastMove }: Moderator): Promise<void> {
  if (lastMove === undefined) return;
  const [latest] = await pageOfMoves(db, { gif });
  if (latest === undefined || latest.seq <= lastMove) return;
  const { actor, action, reason } = latest;
  throw new ServiceError(
    'conflict',
    `${actor} was first and did "${action}"${reason === '' ? '' : ` (${reason})`}. Nothing was changed now`,
  );
}

/** Undoes an action, regardless of later actions. @throws ServiceError `not_found`, or `conflict` if it is already undone */
export function undoMove(db: Database, by: Moderator, seq: number): Promise<Move | null> {
  return inTransaction(db, async (trx) => {
    const row = await tables(trx).selectFrom('moves').selectAll().where('seq', '=', seq).executeTakeFirst();
    if (row === undefined) throw new ServiceError('not_found', `There is no action ${seq}`);
    const { gif, action, before: wanted, after, undone } = fromMoveRow(row);
    if (undone) throw new ServiceError('conflict', 'This action has already been undone');
    const before = await stateOf(trx, gif);
    await bring(trx, gif, difference(after, wanted));
    await tables(trx).updateTable('moves').set({ undone: 1 }).where('seq', '=', seq).execute();
    return writeDown(trx, by, { gif, action: `undo ${action}`, before });
  });
}

const PAGE = 50;

/**
 * Returns the actions on one GIF or on all GIFs, latest first.
 * @param before only actions before this one; 0 for the latest
 */
export async function pageOfMoves(db: Database, { gif = '', before = 0 }): Promise<Move[]> {
  let moves = tables(db).selectFrom('moves').selectAll();
  if (gif !== '') moves = moves.where('gif', '=', gif);
  if (before > 0) moves = moves.where('seq', '<', before);
  const rows = await moves.orderBy('seq', 'desc').limit(PAGE).execute();
  return rows.map(fromMoveRow);
}

/** Returns the lowest revision of a build that includes all moderation actions. */
export async function wantedRevision(db: Database): Promise<number> {
  return (await tables(db).selectFrom('wantedBuild').select('revision').executeTakeFirstOrThrow()).revision;
}

/** Requests a build if operators have restored a GIF that is not in the served build. */
export async function settleAwaited(db: Database, isThere: (id: string) => boolean): Promise<void> {
  const awaited = ids(await tables(db).selectFrom('awaited').select('id').execute());
  if (awaited.length === 0) return;
  await inTransaction(db, async (trx) => {
    if (!awaited.every(isThere)) await wantBuild(trx);
    for (const id of awaited) await tables(trx).deleteFrom('awaited').where('id', '=', id).execute();
  });
}

/** Requests a build of the current catalogue. A running service starts the build within seconds. */
export async function wantBuild(db: Database): Promise<void> {
  await tables(db)
    .updateTable('wantedBuild')
    .set({ revision: await revision(db) })
    .execute();
}

/** Returns the changes that an action makes. An action that removes a GIF also closes the reports about the GIF. */
function changesOf(act: Act, { edit }: GifState): Partial<GifState> {
  switch (act.action) {
    case 'hide':
      return { hidden: true, reports: [] };
    case 'show':
      return { hidden: false };
    case 'block':
      return { blocked: true, reports: [] };
    case 'unblock':
      return { blocked: false };
    case 'adult':
      return { rating: { rating: 'adult', saidBy: 'operator' }, reports: [] };
    case 'safe':
      return { rating: { rating: 'safe', saidBy: 'operator' } };
    case 'dismiss':
      return { reports: [] };
    case 'edit':
      return { edit: { title: null, tags: null, alt: null, ...edit, ...act.edit } };
  }
}

/**
 * Returns the changes that end the review of a member's upload. `safe` and `show` accept the upload. A refused upload
 * stays hidden. Even one rated adult is hidden, although other adult GIFs are only left out of searches.
 */
function afterReview({ action }: Act, { inReview }: GifState): Partial<GifState> {
  if (!inReview || action === 'edit' || action === 'dismiss' || action === 'unblock') return {};
  return { inReview: false, ...(action === 'adult' && { hidden: true }) };
}

async function bring(db: Database, id: string, changes: Partial<GifState>): Promise<void> {
  const { hidden, inReview, blocked, rating, edit, reports } = changes;
  if (reports !== undefined) await setOpenReports(db, id, reports);
  if (hidden !== undefined) await setHidden(db, id, hidden);
  if (inReview !== undefined) await setInReview(db, id, inReview);
  if (hidden === false || inReview === false) await awaitGifs(db, [id]);
  if (blocked === true && (await blockGif(db, id)) === null) {
    throw new ServiceError(
      'conflict',
      `${id} cannot be blocked, because its file has not been read yet. Hide it instead`,
    );
  }
  if (blocked === false) await awaitGifs(db, await unblockGif(db, id));
  if (rating !== undefined) await setRating(db, id, rating);
  if (edit !== undefined) {
    await saveEdit(db, id, edit);
    await bumpRevision(db);
  }
  // Hiding a GIF needs no build, because the GIF gets a tombstone in the served build.
  const isLetIn = rating !== undefined && rating?.rating !== 'adult';
  if (isLetIn || edit !== undefined) await wantBuild(db);
}

async function awaitGifs(db: Database, gifs: readonly string[]): Promise<void> {
  for (const id of gifs) {
    await tables(db)
      .insertInto('awaited')
      .values({ id })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Sets or removes the operator's rating. If the operator's rating is removed, the other ratings are restored. */
async function setRating(db: Database, id: string, rating: SaidRating | null): Promise<void> {
  await tables(db).deleteFrom('ratings').where('id', '=', id).execute();
  if (rating !== null)
    await tables(db)
      .insertInto('ratings')
      .values({ id, ...rating })
      .execute();
  await bumpShown(db);
}

async function writeDown(
  db: Database,
  { actor, now, reason = '' }: Moderator,
  { gif, action, before }: Pick<Move, 'gif' | 'action' | 'before'>,
): Promise<Move | null> {
  const after = await stateOf(db, gif);
  if (Object.keys(difference(before, after)).length === 0) return null;
  const move = { gif, action, actor, at: now, reason: keptReason(reason) };
  const row = { ...move, before: JSON.stringify(before), after: JSON.stringify(after), undone: 0 };
  const { seq } = await tables(db).insertInto('moves').values(row).returning('seq').executeTakeFirstOrThrow();
  return { seq, ...move, before, after, undone: false };
}

/** Returns the fields of `second` that differ from `first`. */
function difference(first: GifState, second: GifState): Partial<GifState> {
  const keys = Object.keys(second) as (keyof GifState)[];
  const changed = keys.filter((key) => JSON.stringify(first[key]) !== JSON.stringify(second[key]));
  return Object.fromEntries(changed.map((key) => [key, second[key]]));
}

function fromMoveRow({ before, after, undone, ...row }: MoveTable): Move {
  return { ...row, before: JSON.parse(before), after: JSON.parse(after), undone: undone === 1 };
}

/**
 * Lists of GIFs for operators, sorted by id. doubtful: GIFs with an uncertain rating. withheld: own files that the models
 * rated adult. They are hidden until an operator decides. uploaded: members' uploads that wait for a review. hidden: GIFs
 * that an operator has hidden.
 */
export type QueueName = 'doubtful' | 'withheld' | 'uploaded' | 'hidden';

/** Returns at most `limit` ids of the GIFs in a queue, only those after the given id. */
export async function pageOfQueue(
  db: Database,
  queue: QueueName,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const gifs = tables(db)
    .selectFrom('gifs')
    .select('gifs.id')
    .where('gifs.id', '>', after)
    .orderBy('gifs.id')
    .limit(limit);
  if (queue === 'uploaded') return ids(await gifs.where(IN_REVIEW).execute());
  if (queue === 'hidden') return ids(await gifs.where('hidden', '>', 0).where(BY_OPERATOR).execute());
  const rated = gifs.innerJoin('ratings', 'ratings.id', 'gifs.id').where(IS_SHOWN);
  return ids(await rated.where(queue === 'withheld' ? IS_WITHHELD : IS_DOUBTFUL).execute());
}

/** With the plus, SQLite starts with the few ratings. Without the plus, SQLite reads all GIFs. */
const IS_SHOWN = sql<boolean>`+gifs.hidden = 0`;
const IS_DOUBTFUL = sql<boolean>`ratings.said_by = 'model' and ratings.rating = 'review'`;
const IS_WITHHELD = sql<boolean>`ratings.said_by = 'model' and ratings.rating = 'adult' and gifs.source <> ${RELAYS}`;

/**
 * The bit for reviews is the highest bit, so these GIFs are a range of the index. GIFs that the member deleted need no
 * review.
 */
const IN_REVIEW = sql<boolean>`hidden >= ${sql.lit(HIDDEN_UNTIL_REVIEW)} and hidden & ${HIDDEN_AS_WITHDRAWN} = 0`;
const BY_OPERATOR = sql<boolean>`hidden & ${HIDDEN_BY_OPERATOR} <> 0`;

function ids(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

/** Returns the number of GIFs in each queue. */
export async function countQueues(
  db: Database,
): Promise<Record<'reported' | 'doubtful' | 'withheld' | 'uploaded', number>> {
  const reported = await countReported(db);
  const [doubtful, withheld] = [await countRated(db, IS_DOUBTFUL), await countRated(db, IS_WITHHELD)];
  const inReview = tables(db).selectFrom('gifs').where(IN_REVIEW);
  const counted = inReview.select((count) => count.fn.countAll<number>().as('n'));
  return { reported, doubtful, withheld, uploaded: (await counted.executeTakeFirstOrThrow()).n };
}

async function countRated(db: Database, which: RawBuilder<boolean>): Promise<number> {
  const rated = tables(db).selectFrom('ratings').innerJoin('gifs', 'gifs.id', 'ratings.id').where(IS_SHOWN);
  const counted = rated.where(which).select((count) => count.fn.countAll<number>().as('n'));
  return (await counted.executeTakeFirstOrThrow()).n;
}
