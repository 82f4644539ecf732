import { authorServersMigration } from './author-servers.ts';
import { relayMigration } from './state.ts';
import { relayUsageMigration } from './usage.ts';

/** Migrations that create the room's tables. */
export const relayMigrations = {
  relays: relayMigration,
  usage: relayUsageMigration,
  authorServers: authorServersMigration,
};
