import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { type Database, viewOf } from '../db/index.ts';

/*
 * The durable list of work. A job is saved before its work begins. It is marked as finished in the transaction that
 * saves its result. So after a crash, a job is either not begun or finished. There is only one writer (the data
 * folder's lock), so there is no "running" state that a crash could leave behind.
 */

/** ready: open. done: finished. refused: the input is at fault, so retrying would not help. */
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
}

/** The room's own tables of a database. */
const tables = viewOf<{ jobs: JobTable }>();

export interface Job<Payload> {
  seq: number;
  key: string;
  run: string;
  payload: Payload;
}

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

/** Migrations that create the room's table. */
export const jobMigrations = { jobs: jobMigration };

/** Adds jobs. An existing job with the same key is opened again, unless it already belongs to this run. */
export async function enqueueJobs(
  db: Database,
  kind: string,
  jobs: readonly { key: string; run: string; payload: unknown }[],
): Promise<void> {
  if (jobs.length === 0) return;
  // PostgreSQL refuses two rows with the same key in one statement.
  const first = new Map(jobs.toReversed().map((job) => [job.key, job]));
  const rows = [...first.values()].reverse().map(({ key, run, payload }) => ({
    kind,
    key,
    run,
    payload: JSON.stringify(payload),
    state: 'ready' as const,
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
        }))
        .whereRef('jobs.run', '!=', sql.ref('excluded.run')),
    )
    .execute();
}

/** Returns the oldest open jobs of a kind whose number is higher than `afterSeq`. */
export async function openJobs<Payload>(
  db: Database,
  kind: string,
  limit: number,
  afterSeq = 0,
): Promise<Job<Payload>[]> {
  const rows = await tables(db)
    .selectFrom('jobs')
    .select(['seq', 'key', 'run', 'payload'])
    .where('state', '=', 'ready')
    .where('kind', '=', kind)
    .where('seq', '>', afterSeq)
    .orderBy('seq')
    .limit(limit)
    .execute();
  return rows.map(({ payload, ...job }) => ({ ...job, payload: JSON.parse(payload) as Payload }));
}

export async function closeJob(
  db: Database,
  seq: number,
  refusal?: { reason: string; message: string },
): Promise<void> {
  await tables(db)
    .updateTable('jobs')
    .set({
      state: refusal ? 'refused' : 'done',
      reason: refusal?.reason ?? null,
      message: refusal?.message ?? null,
    })
    .where('seq', '=', seq)
    .execute();
}

/** Records inputs that were refused before they became jobs, such as invalid lines of a manifest. */
export async function refuseJobs(db: Database, kind: string, refusals: readonly Refusal[]): Promise<void> {
  if (refusals.length === 0) return;
  const last = new Map(refusals.map((refusal) => [refusal.key, refusal]));
  const rows = [...last.values()].map((refusal) => ({
    ...refusal,
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

/** Saves the progress of a long job. The job can then continue from there. */
export async function saveJob(db: Database, seq: number, payload: unknown): Promise<void> {
  await tables(db)
    .updateTable('jobs')
    .set({ payload: JSON.stringify(payload) })
    .where('seq', '=', seq)
    .execute();
}

export async function countOpenJobs(db: Database, kind?: string): Promise<number> {
  let query = tables(db)
    .selectFrom('jobs')
    .select((count) => count.fn.countAll<number>().as('n'));
  query = query.where('state', '=', 'ready');
  if (kind) query = query.where('kind', '=', kind);
  return (await query.executeTakeFirstOrThrow()).n;
}
