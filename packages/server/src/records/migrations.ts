import { addedMigration } from './added.ts';
import { changesMigration } from './changes.ts';
import { cleanTextMigration } from './clean-texts.ts';
import { frameFactsMigration } from './frame-facts.ts';
import { catalogMigration, verifiedMigration } from './tables.ts';

/** Migrations of the tables of records. */
export const recordMigrations = {
  catalog: catalogMigration,
  verified: verifiedMigration,
  changes: changesMigration,
  cleanTexts: cleanTextMigration,
  frameFacts: frameFactsMigration,
  added: addedMigration,
};
