import { changesMigration } from './changes.ts';
import { addressHostMigration, claimMigration, claimOrderMigration, verifiedClaimsMigration } from './claims/claims.ts';
import { marksMigration } from './claims/marks.ts';
import { cleanTextMigration } from './clean-texts.ts';
import { frameFactsMigration } from './frame-facts.ts';
import { linkMigration } from './links.ts';
import { blockedMigration } from './moderation/blocked.ts';
import { moderationMigration, moveReasonMigration } from './moderation/moderation.ts';
import { ratedGifsMigration, ratingCountMigration, ratingMigration } from './moderation/ratings.ts';
import { reportChannelMigration, reportCountMigration, reportOrderMigration } from './moderation/reports.ts';
import { catalogMigration, verifiedMigration } from './tables.ts';
import { seenPicturesMigration, vectorMigration } from './vectors.ts';

/** Migrations of the catalogue's tables. */
export const catalogMigrations = {
  catalog: catalogMigration,
  vectors: vectorMigration,
  seenPictures: seenPicturesMigration,
  links: linkMigration,
  ratings: ratingMigration,
  blocked: blockedMigration,
  claims: claimMigration,
  ratingCounts: ratingCountMigration,
  moderation: moderationMigration,
  claimOrder: claimOrderMigration,
  marks: marksMigration,
  reportChannels: reportChannelMigration,
  verified: verifiedMigration,
  verifiedClaims: verifiedClaimsMigration,
  addressHosts: addressHostMigration,
  changes: changesMigration,
  ratedGifs: ratedGifsMigration,
  reportOrder: reportOrderMigration,
  reportCounts: reportCountMigration,
  cleanTexts: cleanTextMigration,
  frameFacts: frameFactsMigration,
  moveReasons: moveReasonMigration,
};
