import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database } from '../platform/db/index.ts';
import { chunks, tables } from '../records/index.ts';

/*
 * Signed events about files, as relays sent them, so that the relay of this service can send the authors' own events.
 * The event of a GIF is the one from which its record comes (`toldBy`).
 */

/** Maximum number of authors whose GIFs are looked up together. */
const MAX_AUTHORS = 20;

/** An event about one file, whose signature was checked. */
export interface FileEvent {
  id: string;
  author: string;
  /** Seconds since the Unix epoch, according to the author. */
  createdAt: number;
  /** The event as JSON. */
  event: string;
}

declare module '../records/tables.ts' {
  interface CatalogTables {
    /** Events that their authors have not deleted. */
    fileEvents: FileEvent;
  }
}

/** Also deletes the list of events that were read, so that the events of known GIFs are read again and stored. */
export const fileEventsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('file_events')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('author', 'text', (column) => column.notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .addColumn('event', 'text', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('file_events_author').on('file_events').columns(['author', 'created_at']).execute();
    await sql`delete from relay_events where stream = 'files'`.execute(db);
  },
};

/** Stores events. The caller must then remove the events that their authors have deleted. */
export async function insertFileEvents(db: Database, events: readonly FileEvent[]): Promise<void> {
  for (const some of chunks(events)) {
    await tables(db)
      .insertInto('fileEvents')
      .values(some)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Of these events, removes the ones that their authors have deleted. */
export async function removeWithdrawnEvents(db: Database, ids: readonly string[]): Promise<void> {
  await tables(db)
    .deleteFrom('fileEvents')
    .where('id', 'in', ids)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('withdrawals')
          .select('withdrawals.eventId')
          .whereRef('withdrawals.eventId', '=', 'fileEvents.id')
          .whereRef('withdrawals.author', '=', 'fileEvents.author'),
      ),
    )
    .execute();
}

/** What a relay sends about a GIF. */
interface RelayFacts {
  /** Milliseconds since the Unix epoch; 0 if the time is unknown. */
  addedAt: number;
  /** The author's own event as JSON. Null if the service itself has to sign an event. */
  event: string | null;
}

/**
 * Returns what a relay sends about these GIFs, by id. Leaves out unknown and hidden GIFs. The author's event is null if
 * the operator added the GIF or edited its words, or if the author's link is dead and another link is shown.
 */
export async function relayFactsOf(db: Database, ids: readonly string[]): Promise<Record<string, RelayFacts>> {
  const found: Record<string, RelayFacts> = {};
  for (const some of chunks(ids)) {
    const rows = await tables(db)
      .selectFrom('gifs')
      .leftJoin('fileEvents', (join) =>
        // A comparison with the whole `told_by` could not use the primary key.
        join.on(sql<boolean>`file_events.id = substr(gifs.told_by, length('nostr:') + 1)`),
      )
      .leftJoin('edits', 'edits.id', 'gifs.id')
      .leftJoin('links', 'links.id', 'gifs.id')
      .select(['gifs.id', 'gifs.addedAt', 'fileEvents.event', 'edits.id as edited', 'links.url as movedTo'])
      .where('gifs.id', 'in', some)
      .where('gifs.hidden', '=', 0)
      .execute();
    for (const { id, addedAt, event, edited, movedTo } of rows) {
      found[id] = { addedAt, event: edited === null && movedTo === null ? event : null };
    }
  }
  return found;
}

/** The events to look up: events with these ids, or the last events of these authors. */
type WantedEvents =
  | { ids: readonly string[] }
  /** The times are in seconds since the Unix epoch. */
  | { authors: readonly string[]; since: number; until: number; limit: number };

/** Returns the ids of the GIFs of stored events, also of hidden GIFs. At most 20 authors are looked up. */
export async function gifsOfEvents(db: Database, wanted: WantedEvents): Promise<string[]> {
  const events = tables(db)
    .selectFrom('fileEvents')
    .innerJoin('claims', 'claims.eventId', 'fileEvents.id')
    .select('claims.gif')
    .where('claims.gif', 'is not', null);
  const found = new Set<string>();
  if ('ids' in wanted) {
    for (const { gif } of await events.where('fileEvents.id', 'in', wanted.ids).execute()) found.add(`${gif}.gif`);
    return [...found];
  }
  const { authors, since, until, limit } = wanted;
  const then = events.where('fileEvents.createdAt', '>=', since).where('fileEvents.createdAt', '<=', until);
  for (const author of authors.slice(0, MAX_AUTHORS)) {
    // One query for all authors would have to sort all of their events.
    const last = then.where('fileEvents.author', '=', author).orderBy('fileEvents.createdAt', 'desc').limit(limit);
    for (const { gif } of await last.execute()) found.add(`${gif}.gif`);
  }
  return [...found];
}
