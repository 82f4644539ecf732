import { addressHostMigration, claimMigration, claimOrderMigration, verifiedClaimsMigration } from './claims.ts';
import { marksMigration } from './marks.ts';

/** Migrations of the tables of claims. */
export const claimMigrations = {
  claims: claimMigration,
  claimOrder: claimOrderMigration,
  marks: marksMigration,
  verifiedClaims: verifiedClaimsMigration,
  addressHosts: addressHostMigration,
};
