import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { type Database, inTransaction, viewOf } from '../platform/db/index.ts';

/** An attempt to make a backup. */
export interface BackupRow {
  /** When it ended, in milliseconds since the Unix epoch. */
  at: number;
  /** The machine on which the command ran, if machines share the catalogue; otherwise empty. */
  machine: string;
  folder: string;
  gifs: number;
  /** Size of the whole backup. */
  bytes: number;
  milliseconds: number;
  /** Why there is no complete backup, or what is missing in it; empty if all is well. */
  problem: string;
  /** 1 if the backup is complete, apart from damaged files. */
  made: number;
}

/** Returns a view of a database that has only the table of backups. */
const tables = viewOf<{ backups: BackupRow }>();

/** Number of backups that are remembered. */
const KEPT = 100;

/** Migration that creates the table of backups. */
export const backupMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('backups')
      .addColumn('at', 'integer', (column) => column.notNull())
      .addColumn('machine', 'text', (column) => column.notNull())
      .addColumn('folder', 'text', (column) => column.notNull())
      .addColumn('gifs', 'integer', (column) => column.notNull())
      .addColumn('bytes', 'integer', (column) => column.notNull())
      .addColumn('milliseconds', 'integer', (column) => column.notNull())
      .addColumn('problem', 'text', (column) => column.notNull())
      .addColumn('made', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('backups_key', ['at', 'machine', 'folder'])
      .execute();
  },
};

/** Records an attempt to make a backup, and forgets the oldest attempts. */
export async function recordBackup(db: Database, row: BackupRow): Promise<void> {
  await inTransaction(db, async (trx) => {
    await tables(trx).insertInto('backups').values(row).execute();
    const oldest = tables(trx)
      .selectFrom('backups')
      .select('at')
      .orderBy('at', 'desc')
      .offset(KEPT - 1)
      .limit(1);
    const last = await oldest.executeTakeFirst();
    if (last !== undefined) await tables(trx).deleteFrom('backups').where('at', '<', last.at).execute();
  });
}

/** Returns the recorded attempts, latest first. */
export function listBackups(db: Database): Promise<BackupRow[]> {
  return tables(db).selectFrom('backups').selectAll().orderBy('at', 'desc').execute();
}
