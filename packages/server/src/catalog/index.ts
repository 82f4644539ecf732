export { CAPTIONS_MODEL } from './captions.ts';
export {
  countGifs,
  countShown,
  findGif,
  hiddenIds,
  pageOfCatalogue,
  pageOfGifs,
  recordGifs,
  type ShownPolicy,
  setHidden,
  snapshot,
} from './catalog.ts';
export {
  type AddressFacts,
  type AddressNews,
  addressesToSee,
  countAddresses,
  type DueAddress,
  isWanted,
  noteAddress,
  postponeHost,
} from './claims/addresses.ts';
export { showGifs } from './claims/apply-claims.ts';
export {
  addressHostMigration,
  type Claim,
  claimMigration,
  claimOrderMigration,
  TITLE_OF_CONTEXT,
  TITLE_OF_NAME,
  TITLE_OF_WORDS,
  verifiedClaimsMigration,
} from './claims/claims.ts';
export type { DeriveOptions, Vote } from './claims/derive.ts';
export { type MarkingAuthor, markingAuthors, marksMigration, setMarksIgnored } from './claims/marks.ts';
export {
  type Heard,
  keepClaimsOf,
  knownEvents,
  knownTargets,
  recordHeard,
  refreshClaimed,
} from './claims/record-claims.ts';
export {
  countDueLinks,
  countDueProbes,
  countUnshownLinks,
  type DueLinks,
  type FileFacts,
  findLink,
  keptOriginals,
  type LinkedGif,
  type LinkPolicy,
  linkMigration,
  noteLink,
  pageOfDueLinks,
  pageOfDueProbes,
} from './links.ts';
export { blockedMigration, blockGif, hasBlockedPictures, hideBlocked, isBlocked } from './moderation/blocked.ts';
export {
  type Act,
  countQueues,
  type GifState,
  type Moderator,
  type Move,
  moderate,
  moderationMigration,
  pageOfMoves,
  pageOfQueue,
  type QueueName,
  settleAwaited,
  stateOf,
  undoMove,
  wantBuild,
  wantedRevision,
} from './moderation/moderation.ts';
export {
  countRatings,
  countUnrated,
  findRating,
  findSight,
  type HeldBack,
  knownRatingCounts,
  pageOfUnrated,
  type Rating,
  rateByOperator,
  ratingCountMigration,
  ratingMigration,
  type SaidRating,
  saveRatings,
  saveSight,
} from './moderation/ratings.ts';
export {
  listReports,
  type Report,
  type ReportReason,
  recordReport,
  reportChannelMigration,
  type ToldReport,
} from './moderation/reports.ts';
export { originalsHere, recordsOf, withheldOriginals } from './moderation/withheld.ts';
export { type GifRecord, type GifWords, LEVELS } from './record.ts';
export { bumpShown, revision } from './revision.ts';
export { catalogMigration, verifiedMigration } from './tables.ts';
export {
  areVectorsComplete,
  findVectors,
  noteSeenPicture,
  pictureKey,
  type StoredVector,
  sampleVectors,
  saveVectors,
  seenPictures,
  seenPicturesMigration,
  setVectorsComplete,
  vectorMigration,
} from './vectors.ts';
