import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { OperatorError } from '../base/errors.ts';
import type { Stoppable } from '../base/repeat.ts';
import { closePostgres, type Database, listen, migrate, openPostgres } from '../platform/db/index.ts';
import type { RegistryConfig } from './config.ts';
import { auditOwnersMigration, detailsMigration, registryMigration } from './tables.ts';

/** The database that clients are registered in. */
export interface Registry {
  db: Database;
  /**
   * Makes sure that its tables are there; whoever uses `db` waits for this first. Rejects with OperatorError while the
   * database cannot be used.
   */
  ready(): Promise<void>;
  /**
   * Tells of each change, by any process, the revision that it made, sooner than asking for it would; null when some may
   * have been missed. Undefined where nobody tells.
   */
  listen: ((changed: (revision: number | null) => void) => Stoppable) | undefined;
  close(): Promise<void>;
}

/** What a change of the registry is told on. */
const CHANNEL = 'zoetrope_registry';

/** Whatever changes the registry also raises its revision. */
const notifyMigration: Migration = {
  async up(db) {
    await sql`
      create function zoetrope_registry_changed() returns trigger language plpgsql as $$
      begin
        perform pg_notify(${sql.lit(CHANNEL)}, new.revision::text);
        return null;
      end $$`.execute(db);
    await sql`
      create trigger registry_changed after update on registry_state
      for each row execute function zoetrope_registry_changed()`.execute(db);
  },
};

type Migrations = Readonly<Record<string, Migration>>;

/** Of a database of its own, in the order they run; a step that has been released is never changed. */
const MIGRATIONS: Migrations = {
  '0001-registry': registryMigration,
  '0002-notify': notifyMigration,
  '0003-details': detailsMigration,
  '0008-audit-owners': auditOwnersMigration,
};

/**
 * Opens the registry where the configuration says; `own` is the data folder's database, whose tables are there.
 * @param more tables that other rooms keep in a database of the registry's own
 */
export function openRegistry({ databaseUrl }: RegistryConfig, own: Database, more: Migrations): Registry {
  if (databaseUrl !== '') return openSharedRegistry(databaseUrl, more);
  return { db: own, ready: async () => {}, listen: undefined, close: async () => {} };
}

/** Opens the registry in a PostgreSQL database, which need not be there yet. */
export function openSharedRegistry(url: string, more: Migrations = {}): Registry {
  const db = openPostgres(url);
  let prepared: Promise<void> | undefined;
  return {
    db,
    ready() {
      prepared ??= prepare(db, more).catch((error) => {
        prepared = undefined;
        throw error;
      });
      return prepared;
    },
    listen: (changed) => listen(url, CHANNEL, (said) => changed(said === null ? null : Number(said))),
    close: () => closePostgres(db),
  };
}

/** Many processes may do so at once: Kysely takes a lock of the server. */
async function prepare(db: Database, more: Migrations): Promise<void> {
  try {
    await sql`select 1`.execute(db);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const reason = message || code || 'no reason was given';
    throw new OperatorError(`The registry's database (ZOETROPE_DATABASE_URL) cannot be used: ${reason}`, { cause });
  }
  await migrate(db, { ...MIGRATIONS, ...more });
}
