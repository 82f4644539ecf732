import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { OperatorError } from '../../base/errors.ts';
import type { Database } from './tables.ts';

/** A migration that can report to the operator what it has changed. */
export interface NotingMigration extends Migration {
  up(db: Kysely<unknown>, note?: (text: string) => void): Promise<void>;
}

/**
 * Migrates a database to the latest schema. Migrations are numbered and run only forward. Each migration runs in a
 * transaction. After a migration, the previous version of the program must still be able to use the tables. This lets
 * operators go back to that version, and lets an older and a newer program run at the same time.
 * @param table name of the table with the names of the applied migrations, if a database has several such tables
 * @throws OperatorError if a step fails
 */
export async function migrate(
  db: Database,
  migrations: Record<string, NotingMigration>,
  table?: string,
): Promise<void> {
  const own = table === undefined ? {} : { migrationTableName: table, migrationLockTableName: `${table}_lock` };
  const migrator = new Migrator({ db, provider: { getMigrations: async () => noting(migrations) }, ...own });
  // If all migrations are applied, nothing needs to be done. In PostgreSQL, the migrator would wait for all writers. It
  // would also fail if a newer program has applied further migrations.
  if ((await migrator.getMigrations()).every(({ executedAt }) => executedAt !== undefined)) return;
  const { error, results } = await migrator.migrateToLatest();
  if (!error) return;
  const failed = results?.find((result) => result.status === 'Error');
  const step = failed ? ` at step ${failed.migrationName}` : '';
  const cause = error instanceof Error ? error.message : String(error);
  throw new OperatorError(`The database migration failed${step}: ${cause}`, { cause: error });
}

/** Lets migrations write to standard error, because the log is opened only after the migrations. */
function noting(migrations: Record<string, NotingMigration>): Record<string, Migration> {
  const note = (text: string) => void process.stderr.write(`${text}\n`);
  return Object.fromEntries(
    Object.entries(migrations).map(([name, { up }]) => [name, { up: (db: Kysely<unknown>) => up(db, note) }]),
  );
}
