import type { Kysely } from 'kysely';

/**
 * A database that rooms share. So one transaction can span several rooms. Each table belongs to a room, and only that
 * room can query the table, through its own view of the database. Any other query does not compile.
 */
export type Database = Kysely<Record<never, never>>;

/** Makes the view through which a room queries its own tables. Rooms must not export it. */
export function viewOf<RoomTables>(): (db: Database) => Kysely<RoomTables> {
  return (db) => db as unknown as Kysely<RoomTables>;
}
