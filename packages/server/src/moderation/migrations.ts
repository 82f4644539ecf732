import { blockedMigration } from './blocked.ts';
import { moderationMigration, moveReasonMigration } from './moderation.ts';
import { ratedGifsMigration, ratingCountMigration, ratingMigration } from './ratings.ts';
import { openReportsMigration, reportChannelMigration, reportCountMigration, reportOrderMigration } from './reports.ts';

/** Migrations of the tables of moderation. */
export const moderationMigrations = {
  ratings: ratingMigration,
  blocked: blockedMigration,
  ratingCounts: ratingCountMigration,
  moderation: moderationMigration,
  reportChannels: reportChannelMigration,
  ratedGifs: ratedGifsMigration,
  reportOrder: reportOrderMigration,
  reportCounts: reportCountMigration,
  moveReasons: moveReasonMigration,
  openReports: openReportsMigration,
};
