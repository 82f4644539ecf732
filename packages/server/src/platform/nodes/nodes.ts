import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { keepDoing } from '../../base/repeat.ts';
import { type Database, soon, timeOf, viewOf } from '../db/index.ts';

/*
 * The list of processes that share a PostgreSQL database. Each process writes a heartbeat every few seconds. All times
 * come from the database, because the clocks of machines differ.
 */

/**
 * The role of a process. serve: it serves requests. worker: it waits for work. work: it does open work. relays: it
 * follows relays.
 */
export type Role = 'serve' | 'worker' | 'work' | 'relays';

export interface NodeTable {
  id: string;
  machine: string;
  role: Role;
  /** The build that the process serves, and the revision of the catalogue in that build. */
  build: string | null;
  revision: number | null;
  /** Seconds since the Unix epoch. */
  startedAt: number;
  seenAt: number;
}

/** Returns a view of a database that has only the tables of this room. */
const tables = viewOf<{ nodes: NodeTable }>();

/** Time between two heartbeats. */
const BEAT_MS = 5_000;
/**
 * Number of seconds without a heartbeat after which a process counts as dead. Other processes then do the work that it
 * began.
 */
const DEAD_S = 30;
/** Number of seconds after which a dead process is removed from the table. */
const FORGOTTEN_S = 86_400;

/** Migration that creates the room's table. */
export const nodeMigrations = {
  nodes: {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('nodes')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('machine', 'text', (column) => column.notNull())
        .addColumn('role', 'text', (column) => column.notNull())
        .addColumn('build', 'text')
        .addColumn('revision', 'integer')
        .addColumn('started_at', 'integer', (column) => column.notNull())
        .addColumn('seen_at', 'integer', (column) => column.notNull())
        .execute();
    },
  } satisfies Migration,
};

/** Returns a subquery for the ids of the live processes. */
export function liveNodes(db: Database) {
  return tables(db)
    .selectFrom('nodes')
    .select('id')
    .where('seenAt', '>', sql<number>`${timeOf(db)} - ${DEAD_S}`);
}

/** The build that a process serves. */
interface Served {
  build: string;
  revision: number;
}

/** The entry of a process in the list of live processes. */
export interface Presence {
  readonly id: string;
  /** Resolves when the process is in the list. */
  readonly joined: Promise<void>;
  /** Removes the process from the list. */
  stop(): Promise<void>;
}

/**
 * Keeps this process in the list until `stop` is called.
 * @param onFailure called with the reason at the first of several failed heartbeats. The heartbeats continue after a
 * failure.
 */
export function keepPresent(
  db: Database,
  { machine, role, served }: Pick<NodeTable, 'machine' | 'role'> & { served?: () => Served },
  onFailure: (error: unknown) => void,
): Presence {
  const id = randomUUID();
  const { promise: joined, resolve: noteJoined } = Promise.withResolvers<void>();
  let isFailing = false;
  const report = (error: unknown) => {
    if (!isFailing) onFailure(error);
    isFailing = true;
  };
  const beat = async () => {
    const now = timeOf(db);
    const { build = null, revision = null } = served?.() ?? {};
    await tables(db)
      .insertInto('nodes')
      .values({ id, machine, role, build, revision, startedAt: now, seenAt: now })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ build, revision, seenAt: now }))
      .execute();
    await tables(db).deleteFrom('nodes').where('seenAt', '<', sql<number>`${now} - ${FORGOTTEN_S}`).execute();
    isFailing = false;
    noteJoined();
  };
  const beats = keepDoing(BEAT_MS, beat, report);
  return {
    id,
    joined,
    async stop() {
      await soon(beats.stop());
      const removed = tables(db).deleteFrom('nodes').where('id', '=', id).execute();
      await soon(removed.then(() => {}, report));
    },
  };
}

/** A live process, with its age and the time since its last heartbeat, in seconds. */
export type LiveNode = Omit<NodeTable, 'startedAt' | 'seenAt'> & { age: number; silence: number };

/** Returns the live processes, sorted by role and machine. */
export async function findNodes(db: Database): Promise<LiveNode[]> {
  const now = timeOf(db);
  return tables(db)
    .selectFrom('nodes')
    .select(['id', 'machine', 'role', 'build', 'revision'])
    .select([sql<number>`${now} - started_at`.as('age'), sql<number>`${now} - seen_at`.as('silence')])
    .where('id', 'in', liveNodes(db))
    .orderBy('role')
    .orderBy('machine')
    .orderBy('id')
    .execute();
}
