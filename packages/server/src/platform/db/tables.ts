import type { Kysely } from 'kysely';

/**
 * A database that rooms share, so that one transaction can include several rooms. Each table belongs to one room. Only
 * that room can query the table, with its own view of the database. Any other query does not compile.
 */
export type Database = Kysely<Record<never, never>>;

/** Makes the view through which a room queries its own tables. Rooms must not export this view. */
export function viewOf<RoomTables>(): (db: Database) => Kysely<RoomTables> {
  return (db) => db as unknown as Kysely<RoomTables>;
}
