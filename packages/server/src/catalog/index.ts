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
  type SnapshotGif,
  setHidden,
  snapshot,
  visibleGifs,
} from './catalog.ts';
export {
  areChangesKnown,
  changedSince,
  countChangedSince,
  forgetChanges,
  isBuildKnown,
  noteBuild,
  noteChanged,
} from './changes.ts';
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
  type Claim,
  TITLE_OF_CONTEXT,
  TITLE_OF_NAME,
  TITLE_OF_WORDS,
} from './claims/claims.ts';
export type { DeriveOptions, Vote } from './claims/derive.ts';
export { type MarkingAuthor, markingAuthors, setMarksIgnored } from './claims/marks.ts';
export {
  type EventBatch,
  keepClaimsOf,
  knownEvents,
  knownTargets,
  recordEvents,
  refreshClaimed,
} from './claims/record-claims.ts';
export {
  countDueLinks,
  countDueProbes,
  countUnshownLinks,
  type DueLinks,
  type FileFacts,
  findLink,
  isChangedProbeDue,
  keptOriginals,
  type LinkedGif,
  type LinkPolicy,
  noteLink,
  pageOfDueLinks,
  pageOfDueProbes,
} from './links.ts';
export { catalogMigrations } from './migrations.ts';
export { blockGif, hasBlockedPictures, hideBlocked, isBlocked } from './moderation/blocked.ts';
export {
  type Act,
  countQueues,
  type GifState,
  type Moderator,
  type Move,
  moderate,
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
  findPictureRating,
  findRating,
  type HeldBack,
  knownRatingCounts,
  pageOfUnrated,
  type Rating,
  rateByOperator,
  type SaidRating,
  savePictureRating,
  saveRatings,
} from './moderation/ratings.ts';
export {
  listReports,
  type Report,
  type ReportEvent,
  type ReportReason,
  recordReport,
} from './moderation/reports.ts';
export { originalsHere, recordsOf, withheldOriginals } from './moderation/withheld.ts';
export { type GifRecord, type GifWords, LEVELS } from './record.ts';
export { bumpShown, revision } from './revision.ts';
export {
  areVectorsComplete,
  findVectors,
  noteSeenPicture,
  pictureKey,
  type StoredVector,
  sampleVectors,
  saveVectors,
  seenPictures,
  setVectorsComplete,
  vectorsMadeThrough,
} from './vectors.ts';
