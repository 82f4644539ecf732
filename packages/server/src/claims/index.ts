export {
  type AddressNews,
  addressesToSee,
  countAddresses,
  type DueAddress,
  findAddress,
  isWanted,
  noteAddress,
  postponeHost,
} from './addresses.ts';
export { showGifs, withdrawOthers } from './apply-claims.ts';
export { pageOfAuthors } from './authors.ts';
export { type Claim, TITLE_OF_CONTEXT, TITLE_OF_NAME, TITLE_OF_WORDS } from './claims.ts';
export type { DeriveOptions, Vote } from './derive.ts';
export { type FileEvent, gifsOfEvents, relayFactsOf } from './file-events.ts';
export { ignoredMarks, type MarkingAuthor, markingAuthors, setMarksIgnored } from './marks.ts';
export { mergeWithKnown, rowsOf, writeRecords } from './merge.ts';
export { claimMigrations } from './migrations.ts';
export type { PackVersion } from './packs.ts';
export {
  type EventBatch,
  keepClaimsOf,
  knownEvents,
  knownTargets,
  recordEvents,
  refreshClaimed,
} from './record-claims.ts';
