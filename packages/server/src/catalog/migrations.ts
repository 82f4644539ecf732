import { claimMigrations } from '../claims/index.ts';
import { moderationMigrations } from '../moderation/index.ts';
import { recordMigrations } from '../records/index.ts';
import { deletedUploadMigration, uploadMigration } from '../uploads/index.ts';
import { vectorMigrations } from '../vectors/index.ts';
import { keptLinksMigration, linkMigration } from './link-table.ts';

/** Migrations of all tables about GIFs, in the order in which they were added. */
export const catalogMigrations = {
  catalog: recordMigrations.catalog,
  vectors: vectorMigrations.vectors,
  seenPictures: vectorMigrations.seenPictures,
  links: linkMigration,
  ratings: moderationMigrations.ratings,
  blocked: moderationMigrations.blocked,
  claims: claimMigrations.claims,
  ratingCounts: moderationMigrations.ratingCounts,
  moderation: moderationMigrations.moderation,
  claimOrder: claimMigrations.claimOrder,
  marks: claimMigrations.marks,
  reportChannels: moderationMigrations.reportChannels,
  verified: recordMigrations.verified,
  verifiedClaims: claimMigrations.verifiedClaims,
  addressHosts: claimMigrations.addressHosts,
  packs: claimMigrations.packs,
  keptLinks: keptLinksMigration,
  changes: recordMigrations.changes,
  ratedGifs: moderationMigrations.ratedGifs,
  reportOrder: moderationMigrations.reportOrder,
  reportCounts: moderationMigrations.reportCounts,
  cleanTexts: recordMigrations.cleanTexts,
  frameFacts: recordMigrations.frameFacts,
  moveReasons: moderationMigrations.moveReasons,
  openReports: moderationMigrations.openReports,
  added: recordMigrations.added,
  uploads: uploadMigration,
  deletedUploads: deletedUploadMigration,
  fileEvents: claimMigrations.fileEvents,
};
