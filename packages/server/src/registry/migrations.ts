import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import {
  auditOwnersMigration,
  clientLimitsMigration,
  detailsMigration,
  handoversMigration,
  keyExpiryMigration,
  noticesMigration,
  proofsMigration,
  registryMigration,
  usageByWayMigration,
} from './tables.ts';

/** Channel for notifications of changes. */
export const CHANNEL = 'zoetrope_registry';

/**
 * Adds the trigger that notifies listeners of changes. Every change also increases the revision, so a trigger on the
 * revision is enough.
 */
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

/** Migrations of the registry's tables. `notify` is only for a separate PostgreSQL database. */
export const registryMigrations = {
  registry: registryMigration,
  notify: notifyMigration,
  details: detailsMigration,
  proofs: proofsMigration,
  auditOwners: auditOwnersMigration,
  keyExpiry: keyExpiryMigration,
  usageByWay: usageByWayMigration,
  notices: noticesMigration,
  handovers: handoversMigration,
  clientLimits: clientLimitsMigration,
};
