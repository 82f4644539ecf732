import { addressHostMigration, claimMigration, claimOrderMigration, verifiedClaimsMigration } from './claims.ts';
import { fileEventsMigration } from './file-events.ts';
import { marksMigration } from './marks.ts';
import { packsMigration } from './packs.ts';

/** Migrations of the tables of claims. */
export const claimMigrations = {
  claims: claimMigration,
  claimOrder: claimOrderMigration,
  marks: marksMigration,
  verifiedClaims: verifiedClaimsMigration,
  addressHosts: addressHostMigration,
  packs: packsMigration,
  fileEvents: fileEventsMigration,
};
