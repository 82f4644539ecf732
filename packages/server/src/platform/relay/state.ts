import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database } from '../db/index.ts';
import type { RelayEvent } from './event.ts';
import type { Span } from './pages.ts';
import { tables } from './tables.ts';

/*
 * The state of relays, so that reading can resume after a crash. For each stream (a named filter), it contains how far
 * the stream has been read, and which of its events have been seen. It also contains statistics.
 */

interface RelayTable {
  url: string;
  /** 1: the relay was added by command. 0: the relay is in the settings. */
  added: number;
  state: RelayState;
  /** Reason why the relay is not connected. */
  error: string | null;
  /** Time of the last change of state, in milliseconds since the Unix epoch. */
  changedAt: number;
}

export type RelayState = 'connected' | 'waiting' | 'stopped';

interface RelayStreamTable {
  relay: string;
  stream: string;
  /** Identifies the filter. If the filter changes, reading starts from the beginning. */
  filter: string;
  /** Time in seconds since the Unix epoch. All events up to this time have been read, except for the gaps. */
  head: number;
  /** Spans still to be read, as JSON. */
  gaps: string;
  /** Time at which the stream was last read again from the beginning, in seconds since the Unix epoch. */
  repairedAt: number;
}

declare module './tables.ts' {
  interface RelayTables {
    relays: RelayTable;
    relayStreams: RelayStreamTable;
    /** Verified events of streams that are compared as sets. */
    relayEvents: { stream: string; id: string; createdAt: number };
    relayCounts: { relay: string; outcome: string; events: number };
    /** The latest follow list of each person, as JSON. */
    relayLists: { pubkey: string; event: string };
  }
}

export const relayMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('relays')
      .addColumn('url', 'text', (column) => column.primaryKey())
      .addColumn('added', 'integer', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('error', 'text')
      .addColumn('changed_at', 'integer', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('relay_streams')
      .addColumn('relay', 'text', (column) => column.notNull())
      .addColumn('stream', 'text', (column) => column.notNull())
      .addColumn('filter', 'text', (column) => column.notNull())
      .addColumn('head', 'integer', (column) => column.notNull())
      .addColumn('gaps', 'text', (column) => column.notNull())
      .addColumn('repaired_at', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('relay_streams_key', ['relay', 'stream'])
      .execute();
    await db.schema
      .createTable('relay_events')
      .addColumn('stream', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('relay_events_key', ['stream', 'id'])
      .execute();
    await db.schema
      .createTable('relay_counts')
      .addColumn('relay', 'text', (column) => column.notNull())
      .addColumn('outcome', 'text', (column) => column.notNull())
      .addColumn('events', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('relay_counts_key', ['relay', 'outcome'])
      .execute();
    await db.schema
      .createTable('relay_lists')
      .addColumn('pubkey', 'text', (column) => column.primaryKey())
      .addColumn('event', 'text', (column) => column.notNull())
      .execute();
  },
};

/** Replaces the follow lists of these people. */
export async function saveLists(db: Database, lists: readonly RelayEvent[]): Promise<void> {
  for (const event of lists) {
    const row = { pubkey: event.pubkey, event: JSON.stringify(event) };
    await tables(db)
      .insertInto('relayLists')
      .values(row)
      .onConflict((conflict) => conflict.column('pubkey').doUpdateSet(row))
      .execute();
  }
}

export async function findLists(db: Database): Promise<RelayEvent[]> {
  const rows = await tables(db).selectFrom('relayLists').select('event').orderBy('pubkey').execute();
  return rows.map(({ event }) => JSON.parse(event));
}

/** Adds a relay to follow. */
export async function addRelay(db: Database, url: string, now: number): Promise<void> {
  await tables(db)
    .insertInto('relays')
    .values({ url, added: 1, state: 'stopped', error: null, changedAt: now })
    .onConflict((conflict) => conflict.column('url').doUpdateSet({ added: 1 }))
    .execute();
}

/** Removes a relay that was added by `addRelay`. @returns false if it was not added */
export async function removeRelay(db: Database, url: string): Promise<boolean> {
  const result = await tables(db)
    .updateTable('relays')
    .set({ added: 0 })
    .where('url', '=', url)
    .where('added', '=', 1)
    .execute();
  return result[0]!.numUpdatedRows > 0n;
}

/** Returns the URLs of relays that were added by command. */
export async function addedRelays(db: Database): Promise<string[]> {
  const rows = await tables(db).selectFrom('relays').select('url').where('added', '=', 1).orderBy('url').execute();
  return rows.map(({ url }) => url);
}

/** @param now milliseconds since the Unix epoch */
export async function noteRelayState(
  db: Database,
  url: string,
  { state, error = null, now }: { state: RelayState; error?: string | null; now: number },
): Promise<void> {
  await tables(db)
    .insertInto('relays')
    .values({ url, added: 0, state, error, changedAt: now })
    .onConflict((conflict) => conflict.column('url').doUpdateSet({ state, error, changedAt: now }))
    .execute();
}

/** Progress of reading a stream of a relay. */
export interface Progress {
  /** Time until which the stream was read, in seconds since the Unix epoch. 0 if nothing was read. */
  head: number;
  gaps: Span[];
  /** Time at which the stream was last read again from the beginning, in seconds since the Unix epoch. */
  repairedAt: number;
}

/** Finds the progress of a stream. @param filter identifies the filter. Progress with another filter is ignored. */
export async function findProgress(db: Database, stream: StreamKey): Promise<Progress> {
  const { relay, stream: name, filter } = stream;
  const rows = tables(db).selectFrom('relayStreams').selectAll().where('relay', '=', relay).where('stream', '=', name);
  const row = await rows.where('filter', '=', filter).executeTakeFirst();
  return row === undefined ? { head: 0, gaps: [], repairedAt: 0 } : { ...row, gaps: JSON.parse(row.gaps) };
}

export interface StreamKey {
  relay: string;
  stream: string;
  filter: string;
}

export async function saveProgress(db: Database, key: StreamKey, { head, gaps, repairedAt }: Progress): Promise<void> {
  const row = { filter: key.filter, head, gaps: JSON.stringify(gaps), repairedAt };
  await tables(db)
    .insertInto('relayStreams')
    .values({ relay: key.relay, stream: key.stream, ...row })
    .onConflict((conflict) => conflict.columns(['relay', 'stream']).doUpdateSet(row))
    .execute();
}

export async function rememberEvents(
  db: Database,
  stream: string,
  events: readonly { id: string; created_at: number }[],
): Promise<void> {
  if (events.length === 0) return;
  await tables(db)
    .insertInto('relayEvents')
    .values(events.map(({ id, created_at: createdAt }) => ({ stream, id, createdAt })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Returns the ids that have been seen before. */
export async function seenEvents(db: Database, stream: string, ids: readonly string[]): Promise<Set<string>> {
  const rows = tables(db).selectFrom('relayEvents').select('id').where('stream', '=', stream);
  return new Set((await rows.where('id', 'in', ids).execute()).map(({ id }) => id));
}

/** Returns all events of a stream that have been seen. */
export async function eventsSeen(db: Database, stream: string): Promise<{ id: string; createdAt: number }[]> {
  return tables(db).selectFrom('relayEvents').select(['id', 'createdAt']).where('stream', '=', stream).execute();
}

/** Forgets which events of a stream have been seen. This is needed if events that were skipped are now accepted. */
export async function forgetEvents(db: Database, stream: string): Promise<void> {
  await tables(db).deleteFrom('relayEvents').where('stream', '=', stream).execute();
}

/** Counts events by outcome. An outcome is either that the event was ingested, or the reason for skipping it. */
export async function countEvents(db: Database, relay: string, counts: ReadonlyMap<string, number>): Promise<void> {
  if (counts.size === 0) return;
  // Two transactions that update the same rows in different orders could deadlock.
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  await tables(db)
    .insertInto('relayCounts')
    .values(sorted.map(([outcome, events]) => ({ relay, outcome, events })))
    .onConflict((conflict) =>
      conflict
        .columns(['relay', 'outcome'])
        .doUpdateSet((excluded) => ({ events: sql`relay_counts.events + ${excluded.ref('excluded.events')}` })),
    )
    .execute();
}

/** The state of one relay. */
export interface RelayReport {
  url: string;
  state: RelayState;
  error: string | null;
  added: boolean;
  /** Milliseconds since the Unix epoch. */
  changedAt: number;
  streams: { stream: string; head: number; gaps: Span[] }[];
  counts: Record<string, number>;
}

export async function reportRelays(db: Database): Promise<RelayReport[]> {
  const relays = await tables(db).selectFrom('relays').selectAll().orderBy('url').execute();
  const streams = await tables(db).selectFrom('relayStreams').selectAll().orderBy('stream').execute();
  const counts = await tables(db).selectFrom('relayCounts').selectAll().orderBy('outcome').execute();
  return relays.map(({ added, ...relay }) => ({
    ...relay,
    added: added === 1,
    streams: streams
      .filter((row) => row.relay === relay.url)
      .map(({ stream, head, gaps }) => ({ stream, head, gaps: JSON.parse(gaps) })),
    counts: Object.fromEntries(
      counts.filter((row) => row.relay === relay.url).map(({ outcome, events }) => [outcome, events]),
    ),
  }));
}
