import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { OperatorError } from '../../base/errors.ts';
import { isPostgres } from './postgres-dialect.ts';
import type { Database } from './tables.ts';
import { inTransaction } from './transaction.ts';

/** A migration that can report to the operator what it has changed. */
export interface NotingMigration extends Migration {
  up(db: Kysely<unknown>, note?: (text: string) => void): Promise<void>;
}

/**
 * Migrates a database to the latest schema. Migrations are numbered and run only forward. All missing migrations run in
 * one transaction, so that a crash or a full disk leaves none of them half done. After a migration, the previous version
 * of the program must still be able to use the tables. This lets operators go back to that version, and lets an older and
 * a newer program run at the same time.
 * @param table name of the table with the names of the applied migrations, if a database has several such tables
 * @throws OperatorError if a step fails
 */
export async function migrate(
  db: Database,
  migrations: Record<string, NotingMigration>,
  table?: string,
): Promise<void> {
  const own = table === undefined ? {} : { migrationTableName: table, migrationLockTableName: `${table}_lock` };
  const provider = { getMigrations: async () => noting(migrations) };
  const migratorOf = (on: Database) => new Migrator({ db: on, provider, ...own });
  // If all migrations are applied, nothing needs to be done. In PostgreSQL, the migrator would wait for all writers. It
  // would also fail if a newer program has applied further migrations.
  if ((await migratorOf(db).getMigrations()).every(({ executedAt }) => executedAt !== undefined)) return;
  let step = '';
  const run = async (on: Database) => {
    const { error, results } = await migratorOf(on).migrateToLatest();
    const failed = results?.find((result) => result.status === 'Error');
    step = failed ? ` at step ${failed.migrationName}` : '';
    if (error !== undefined) throw error;
  };
  try {
    // In PostgreSQL, the migrator begins the transaction itself, after it has created its own tables.
    await (isPostgres(db) ? run(db) : inTransaction(db, run));
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`The database migration failed${step}: ${cause}`, { cause: error });
  }
}

/** Lets migrations write to standard error, because the log is opened only after the migrations. */
function noting(migrations: Record<string, NotingMigration>): Record<string, Migration> {
  const note = (text: string) => void process.stderr.write(`${text}\n`);
  return Object.fromEntries(
    Object.entries(migrations).map(([name, { up }]) => [name, { up: (db: Kysely<unknown>) => up(db, note) }]),
  );
}
