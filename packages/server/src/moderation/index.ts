export { blockGif, hasBlockedPictures, hideBlocked, isBlocked, isBlockedByHash } from './blocked.ts';
export { moderationMigrations } from './migrations.ts';
export {
  type Act,
  countQueues,
  type GifState,
  type Move,
  moderate,
  pageOfMoves,
  pageOfQueue,
  settleAwaited,
  stateOf,
  undoMove,
  wantBuild,
  wantedRevision,
} from './moderation.ts';
export {
  countRatings,
  countUnrated,
  findPictureRating,
  findRating,
  type HeldBack,
  isUnfit,
  knownRatingCounts,
  pageOfUnrated,
  type Rating,
  rateByOperator,
  SAYERS,
  type SaidRating,
  savePictureRating,
  saveRatings,
} from './ratings.ts';
export {
  listReports,
  pageOfReported,
  type ReportEvent,
  recordReport,
  recordReportEvent,
} from './reports.ts';
export { originalsHere, recordsOf, withheldOriginals } from './withheld.ts';
