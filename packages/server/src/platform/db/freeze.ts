import { sql } from 'kysely';
import { isPostgres } from './postgres-dialect.ts';
import type { Database } from './tables.ts';

/*
 * All processes can read a frozen database, but no process can change it until it is thawed. Triggers refuse changes,
 * because processes that already have the database open would not notice a changed setting.
 */

/** Prefix of the triggers' names. */
const FROZEN = 'zoetrope_frozen';
/** The error code of a refused statement in PostgreSQL. In SQLite, the code is SQLITE_CONSTRAINT_TRIGGER. */
const STATE = 'ZFRZN';

/**
 * Refuses all changes to tables. Must run in a transaction. From then on, changes by other processes wait. They are
 * refused when the transaction is committed. If the process crashes before the commit, the database is unchanged.
 */
export async function freeze(trx: Database, tables: readonly string[]): Promise<void> {
  await thaw(trx);
  if (isPostgres(trx)) {
    await sql`create or replace function zoetrope_refuse() returns trigger language plpgsql as $$ begin
      raise exception 'the catalogue has moved' using errcode = ${sql.lit(STATE)}; end $$`.execute(trx);
  }
  for (const table of tables) {
    if (isPostgres(trx)) {
      await sql`create trigger ${sql.id(FROZEN)} before insert or update or delete or truncate on ${sql.table(table)}
        for each statement execute procedure zoetrope_refuse()`.execute(trx);
      continue;
    }
    for (const change of ['insert', 'update', 'delete']) {
      await sql`create trigger ${sql.id(`${FROZEN}_${table}_${change}`)} before ${sql.raw(change)} on ${sql.table(table)}
        begin select raise(abort, 'the catalogue has moved'); end`.execute(trx);
    }
  }
}

/** Allows changes again. */
export async function thaw(db: Database): Promise<void> {
  for (const { name, table } of await findTriggers(db)) {
    const of = isPostgres(db) ? sql`on ${sql.table(table)}` : sql``;
    await sql`drop trigger ${sql.id(name)} ${of}`.execute(db);
  }
}

/** Returns whether the database is frozen. */
export async function isFrozen(db: Database): Promise<boolean> {
  return (await findTriggers(db)).length > 0;
}

async function findTriggers(db: Database): Promise<{ name: string; table: string }[]> {
  const query = isPostgres(db)
    ? sql<{ name: string; table: string }>`select tgname as name, relname as "table" from pg_trigger
        join pg_class on pg_class.oid = tgrelid
        where tgname = ${FROZEN} and relnamespace = current_schema()::text::regnamespace`
    : sql<{ name: string; table: string }>`select name, tbl_name as "table" from sqlite_master
        where type = 'trigger' and name glob ${`${FROZEN}*`}`;
  return (await query.execute(db)).rows;
}
