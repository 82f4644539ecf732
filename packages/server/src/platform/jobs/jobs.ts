import { createHash } from 'node:crypto';
import { type Generated, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { type Database, inTransaction, timeOf, viewOf } from '../db/index.ts';
import { liveNodes } from '../nodes/index.ts';

/*
 * The durable list of work. A job is saved before its work begins. A worker claims a job before it starts the work. The
 * job is marked as finished in the transaction that saves its result. If a worker dies, other workers can claim its
 * jobs.
 */

/** ready: open. done: finished. refused: the input is invalid, so retrying would not help. */
export type JobState = 'ready' | 'done' | 'refused';

export interface JobTable {
  seq: number;
  kind: string;
  key: string;
  /** Name of the request. Repeating a request with the same name does nothing. */
  run: string;
  payload: string;
  state: JobState;
  /** Machine-readable reason of a refusal. */
  reason: string | null;
  message: string | null;
  /** The worker that claimed the job. If that worker is dead, other workers can claim the job. */
  worker: string | null;
  /** When the job was opened, in seconds since the Unix epoch. Null for jobs of earlier versions. */
  queuedAt: number | null;
  /** Number of claims that were not given back. These are the claims of workers that died, and the latest claim. */
  attempts: Generated<number>;
}

/** Returns a view of a database that has only the tables of this room. */
const tables = viewOf<{ jobs: JobTable; pausedRuns: { run: string } }>();

export interface Job<Payload> {
  seq: number;
  key: string;
  run: string;
  payload: Payload;
  /** The worker that claimed the job. */
  worker: string;
}

/** The fields that show whether a job still belongs to the worker that claimed it. */
type Claim = Pick<Job<unknown>, 'seq' | 'run' | 'worker'>;

export interface Refusal {
  key: string;
  run: string;
  reason: string;
  message: string;
}

const jobMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('jobs')
      .addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('run', 'text', (column) => column.notNull())
      .addColumn('payload', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('reason', 'text')
      .addColumn('message', 'text')
      .addUniqueConstraint('jobs_kind_key', ['kind', 'key'])
      .execute();
    await db.schema.createIndex('jobs_open').on('jobs').columns(['state', 'kind', 'seq']).execute();
  },
};

const claimMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('jobs').addColumn('worker', 'text').execute();
    await db.schema.alterTable('jobs').addColumn('queued_at', 'integer').execute();
    await db.schema
      .alterTable('jobs')
      .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema.dropIndex('jobs_open').execute();
    await db.schema.createIndex('jobs_open').on('jobs').columns(['state', 'kind', 'attempts', 'seq']).execute();
    await db.schema.createIndex('jobs_run').on('jobs').columns(['run', 'state']).execute();
    await db.schema.createIndex('jobs_age').on('jobs').columns(['state', 'queued_at']).execute();
    await db.schema.createIndex('jobs_worker').on('jobs').columns(['worker', 'state']).execute();
  },
};

const pauseMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('paused_runs')
      .addColumn('run', 'text', (column) => column.primaryKey())
      .execute();
  },
};

/** Migrations that create the room's tables. */
export const jobMigrations = { jobs: jobMigration, claims: claimMigration, pauses: pauseMigration };

/** A job is refused after this number of workers have died while they had claimed it. */
const MAX_DEATHS = 10;

/**
 * Maximum length of a stored key, in bytes. PostgreSQL's index accepts at most 2,704 bytes, and a path can have 4,096.
 */
const KEY_BYTES = 2_000;
/** Number of characters to which a longer key is cut. A character takes at most four bytes. */
const KEPT_CHARACTERS = 400;

/** Returns the key. If the key is too long, returns its beginning and a hash. */
function storedKey(key: string): string {
  if (Buffer.byteLength(key) <= KEY_BYTES) return key;
  return `${key.slice(0, KEPT_CHARACTERS).toWellFormed()}... ${createHash('sha256').update(key).digest('hex')}`;
}

/** Adds jobs. An existing job with the same key is opened again, unless it already belongs to this run. */
export async function enqueueJobs(
  db: Database,
  kind: string,
  jobs: readonly { key: string; run: string; payload: unknown }[],
): Promise<void> {
  if (jobs.length === 0) return;
  // PostgreSQL refuses two rows with the same key in one statement.
  const first = new Map(jobs.toReversed().map((job) => [storedKey(job.key), job]));
  const rows = [...first].reverse().map(([key, { run, payload }]) => ({
    kind,
    key,
    run,
    payload: JSON.stringify(payload),
    state: 'ready' as const,
    queuedAt: timeOf(db),
  }));
  await tables(db)
    .insertInto('jobs')
    .values(rows as never)
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'key'])
        .doUpdateSet((excluded) => ({
          run: excluded.ref('excluded.run'),
          payload: excluded.ref('excluded.payload'),
          state: 'ready' as const,
          reason: null,
          message: null,
          worker: null,
          attempts: 0,
          queuedAt: excluded.ref('excluded.queuedAt'),
        }))
        .whereRef('jobs.run', '!=', sql.ref('excluded.run')),
    )
    .execute();
}

/**
 * Claims an open job of a kind for a worker. Jobs on which fewer workers have died come first, then older jobs.
 * @param worker id of this process, see `Presence`
 * @param run if given, only jobs of this request are claimed
 * @returns undefined if no job is open, or if live workers have claimed all open jobs
 */
export async function claimJob<Payload>(
  db: Database,
  kind: string,
  worker: string,
  run?: string,
): Promise<Job<Payload> | undefined> {
  return inTransaction(db, async (trx) => {
    for (;;) {
      const free = unpausedJobs(trx, [kind]);
      const row = await (run === undefined ? free : free.where('run', '=', run))
        .select(['seq', 'key', 'run', 'payload', 'attempts'])
        .where((job) => job.or([job('worker', 'is', null), job('worker', '!=', worker)]))
        .orderBy('attempts')
        .orderBy('seq')
        .limit(1)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { payload, attempts, ...job } = row;
      if (attempts < MAX_DEATHS) {
        await tables(trx)
          .updateTable('jobs')
          .set({ worker, attempts: attempts + 1 })
          .where('seq', '=', job.seq)
          .execute();
        return { ...job, worker, payload: JSON.parse(payload) as Payload };
      }
      const message = `${attempts} workers died while they processed this; add it again to try once more`;
      await setRefused(trx, job.seq, { reason: 'gave_up', message });
    }
  });
}

/** Returns whether there are open jobs of these kinds that no live worker has claimed and that are not paused. */
export async function hasFreeJobs(db: Database, kinds: readonly string[]): Promise<boolean> {
  return (await unpausedJobs(db, kinds).select('seq').limit(1).executeTakeFirst()) !== undefined;
}

/** Keeps workers from claiming jobs of a request. Workers still finish the jobs that they have already claimed. */
export async function pauseRun(db: Database, run: string): Promise<void> {
  await tables(db)
    .insertInto('pausedRuns')
    .values({ run })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Lets workers claim the jobs of a request again. */
export async function continueRun(db: Database, run: string): Promise<void> {
  await tables(db).deleteFrom('pausedRuns').where('run', '=', run).execute();
}

/** Returns which of these requests are paused. */
export async function pausedAmong(db: Database, runs: readonly string[]): Promise<Set<string>> {
  if (runs.length === 0) return new Set();
  const rows = await tables(db).selectFrom('pausedRuns').select('run').where('run', 'in', runs).execute();
  return new Set(rows.map(({ run }) => run));
}

function pausedRuns(db: Database) {
  return tables(db).selectFrom('pausedRuns').select('run');
}

/** Returns the free jobs of requests that are not paused. */
function unpausedJobs(db: Database, kinds: readonly string[]) {
  return freeJobs(db, kinds).where('run', 'not in', pausedRuns(db));
}

function freeJobs(db: Database, kinds: readonly string[]) {
  return tables(db)
    .selectFrom('jobs')
    .where('state', '=', 'ready')
    .where('kind', 'in', kinds)
    .where((job) => job.or([job('worker', 'is', null), job('worker', 'not in', liveNodes(db))]));
}

/** Gives back the jobs that a worker has claimed and not finished. */
export async function releaseJobs(db: Database, worker: string): Promise<void> {
  await tables(db)
    .updateTable('jobs')
    .set((job) => ({ worker: null, attempts: job('attempts', '-', 1) }))
    .where('state', '=', 'ready')
    .where('worker', '=', worker)
    .execute();
}

/**
 * Marks a job as finished, or as refused.
 * @returns false if the job no longer belongs to the worker, because it was queued again or claimed by another worker
 */
export async function closeJob(
  db: Database,
  claim: Claim,
  refusal?: { reason: string; message: string },
): Promise<boolean> {
  const { numUpdatedRows } = await ownJob(db, claim)
    .set({
      state: refusal ? 'refused' : 'done',
      reason: refusal?.reason ?? null,
      message: refusal?.message ?? null,
    })
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

function ownJob(db: Database, { seq, run, worker }: Claim) {
  return tables(db)
    .updateTable('jobs')
    .where('seq', '=', seq)
    .where('run', '=', run)
    .where('worker', '=', worker)
    .where('state', '=', 'ready');
}

/** Returns the number of open jobs of each kind. */
export async function countKinds(db: Database): Promise<Map<string, number>> {
  const rows = await tables(db)
    .selectFrom('jobs')
    .select(['kind', (job) => job.fn.countAll<number>().as('n')])
    .where('state', '=', 'ready')
    .groupBy('kind')
    .execute();
  return new Map(rows.map(({ kind, n }) => [kind, n]));
}

/** Refuses the open jobs of these kinds that no live worker has claimed. @returns the number of these jobs */
export async function dropJobs(db: Database, kinds: readonly string[]): Promise<number> {
  return inTransaction(db, async (trx) => {
    const rows = await freeJobs(trx, kinds).select('seq').execute();
    for (const { seq } of rows) await setRefused(trx, seq, { reason: 'dropped', message: 'dropped by the operator' });
    return rows.length;
  });
}

async function setRefused(db: Database, seq: number, refusal: { reason: string; message: string }): Promise<void> {
  await tables(db)
    .updateTable('jobs')
    .set({ state: 'refused', ...refusal })
    .where('seq', '=', seq)
    .execute();
}

/** Records inputs that were refused before they became jobs, such as invalid lines of a manifest. */
export async function refuseJobs(db: Database, kind: string, refusals: readonly Refusal[]): Promise<void> {
  if (refusals.length === 0) return;
  const last = new Map(refusals.map((refusal) => [storedKey(refusal.key), refusal]));
  const rows = [...last].map(([key, refusal]) => ({
    ...refusal,
    key,
    kind,
    payload: '{}',
    state: 'refused' as const,
  }));
  await tables(db)
    .insertInto('jobs')
    .values(rows as never)
    .onConflict((conflict) =>
      conflict.columns(['kind', 'key']).doUpdateSet((excluded) => ({
        run: excluded.ref('excluded.run'),
        state: 'refused' as const,
        reason: excluded.ref('excluded.reason'),
        message: excluded.ref('excluded.message'),
      })),
    )
    .execute();
}

/** Returns the refusals of one run, in order. */
export async function refusalsOf(db: Database, run: string): Promise<Refusal[]> {
  const rows = await tables(db)
    .selectFrom('jobs')
    .select(['key', 'run', 'reason', 'message'])
    .where('state', '=', 'refused')
    .where('run', '=', run)
    .orderBy('seq')
    .execute();
  return rows.map((row) => ({ ...row, reason: row.reason ?? '', message: row.message ?? '' }));
}

/** Returns the latest refusals of inputs with this key. @param kinds the kinds of jobs among which to look */
export async function refusalsNamed(db: Database, kinds: readonly string[], key: string): Promise<Refusal[]> {
  const rows = await tables(db)
    .selectFrom('jobs')
    .select(['key', 'run', 'reason', 'message'])
    .where('kind', 'in', kinds)
    .where('key', '=', storedKey(key))
    .where('state', '=', 'refused')
    .execute();
  return rows.map((row) => ({ ...row, reason: row.reason ?? '', message: row.message ?? '' }));
}

/**
 * Saves the progress of a long job, so that the job can continue from there. Earlier deaths of workers no longer count.
 */
export async function saveJob(db: Database, claim: Claim, payload: unknown): Promise<void> {
  await ownJob(db, claim)
    .set({ payload: JSON.stringify(payload), attempts: 1 })
    .execute();
}

/** Returns the number of open jobs that each worker has claimed. */
export async function countClaims(db: Database): Promise<Map<string, number>> {
  const rows = await tables(db)
    .selectFrom('jobs')
    .select(['worker', (job) => job.fn.countAll<number>().as('n')])
    .where('state', '=', 'ready')
    .where('worker', 'is not', null)
    .groupBy('worker')
    .execute();
  return new Map(rows.map(({ worker, n }) => [worker!, n]));
}

/**
 * Returns the number of open jobs, and the age of the oldest one in seconds. The age is null if no job is open or the
 * age is unknown.
 */
export async function describeQueue(db: Database): Promise<{ open: number; oldestSeconds: number | null }> {
  return tables(db)
    .selectFrom('jobs')
    .select((job) => [
      job.fn.countAll<number>().as('open'),
      sql<number | null>`${timeOf(db)} - min(queued_at)`.as('oldestSeconds'),
    ])
    .where('state', '=', 'ready')
    .executeTakeFirstOrThrow();
}

/** The jobs to count. Without a condition, all jobs are counted. */
export interface JobFilter {
  kinds?: readonly string[];
  runs?: readonly string[];
  /** Whether jobs of paused requests are left out. */
  unpaused?: boolean;
}

export async function countJobs(
  db: Database,
  state: JobState,
  { kinds, runs, unpaused = false }: JobFilter = {},
): Promise<number> {
  let query = tables(db)
    .selectFrom('jobs')
    .select((count) => count.fn.countAll<number>().as('n'))
    .where('state', '=', state);
  if (kinds) query = query.where('kind', 'in', kinds);
  if (runs) query = query.where('run', 'in', runs);
  if (unpaused) query = query.where('run', 'not in', pausedRuns(db));
  return (await query.executeTakeFirstOrThrow()).n;
}
