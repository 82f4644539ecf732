import type { Migration } from 'kysely/migration';
import type { Stoppable } from '../base/repeat.ts';
import {
  checkPostgres,
  closePostgres,
  type Database,
  LASTING,
  listen,
  migrate,
  openPostgres,
  type PostgresLimits,
  quickLimits,
  untilPrepared,
} from '../platform/db/index.ts';
import type { RegistryConfig } from './config.ts';
import { CHANNEL } from './migrations.ts';

/** The database with the registered clients. */
export interface Registry {
  db: Database;
  /**
   * Prepares the database's tables. Callers must await this before they use `db`. Rejects with OperatorError if the
   * database cannot be used.
   */
  ready(): Promise<void>;
  /**
   * Calls back with the new revision after each change by any process, sooner than polling would. Calls back with null
   * if changes may have been missed. `listen` is undefined if the database has no notifications.
   */
  listen: ((changed: (revision: number | null) => void) => Stoppable) | undefined;
  close(): Promise<void>;
}

type Migrations = Readonly<Record<string, Migration>>;

/**
 * Opens the registry as configured. `own` is the data folder's database, whose tables already exist.
 * @param migrations the migrations of a separate registry database
 */
export function openRegistry(config: RegistryConfig, own: Database, migrations: Migrations): Registry {
  const { databaseUrl, databaseConnections, databaseTimeoutMs } = config;
  const limits = quickLimits(databaseConnections, databaseTimeoutMs);
  if (databaseUrl !== '') return openSharedRegistry(databaseUrl, migrations, limits);
  return { db: own, ready: async () => {}, listen: undefined, close: async () => {} };
}

/** Opens the registry in a PostgreSQL database. The database can still be unreachable at that time. */
export function openSharedRegistry(url: string, migrations: Migrations, limits?: PostgresLimits): Registry {
  const db = openPostgres(url, { ...(limits && { limits }) });
  return {
    db,
    ready: untilPrepared(() => prepare(db, url, migrations)),
    listen: (changed) => listen(url, CHANNEL, (said) => changed(said === null ? null : Number(said))),
    close: () => closePostgres(db),
  };
}

/**
 * Prepares the tables. Several processes can do this at the same time, because Kysely takes a lock in the database. A
 * process may wait for this lock for longer than for any other statement.
 */
async function prepare(db: Database, url: string, migrations: Migrations): Promise<void> {
  await checkPostgres(db);
  const patient = openPostgres(url, { limits: LASTING });
  try {
    await migrate(patient, migrations);
  } finally {
    await closePostgres(patient);
  }
}
