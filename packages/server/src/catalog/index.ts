export {
  type AddressFacts,
  type AddressNews,
  addressesToSee,
  countAddresses,
  type DueAddress,
  isWanted,
  noteAddress,
  postponeHost,
} from './addresses.ts';
export { blockedMigration, blockGif, hasBlockedPictures, hideBlocked, isBlocked } from './blocked.ts';
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
export { type Heard, keepClaimsOf, knownEvents, knownTargets, recordHeard, refreshClaimed } from './claim-book.ts';
export {
  addressHostMigration,
  type Claim,
  claimMigration,
  claimOrderMigration,
  TITLE_OF_CONTEXT,
  TITLE_OF_NAME,
  TITLE_OF_WORDS,
  verifiedClaimsMigration,
} from './claims.ts';
export type { DeriveOptions, Vote } from './derive.ts';
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
export { type MarkingAuthor, markingAuthors, marksMigration, setMarksIgnored } from './marks.ts';
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
} from './moderation.ts';
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
} from './ratings.ts';
export { type GifRecord, LEVELS, type Verified } from './record.ts';
export {
  listReports,
  type Report,
  type ReportReason,
  recordReport,
  reportChannelMigration,
  type ToldReport,
} from './reports.ts';
export { bumpShown, revision } from './revision.ts';
export { showGifs } from './shown.ts';
export { catalogMigration, verifiedMigration } from './tables.ts';
export { originalsHere, recordsOf, withheldOriginals } from './taken-out.ts';
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
