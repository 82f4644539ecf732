export { aliasesOf, currentId, currentIds } from './aliases.ts';
export {
  areChangesKnown,
  changedSince,
  countChangedSince,
  forgetChanges,
  IN_CLUSTER,
  isBuildKnown,
  noteBuild,
  noteChanged,
} from './changes.ts';
export { chunks } from './chunks.ts';
export { type Edit, findEdit, saveEdit, withEdits } from './edits.ts';
export {
  HIDDEN_AS_BLOCKED,
  HIDDEN_AS_DEAD,
  HIDDEN_AS_WITHDRAWN,
  HIDDEN_BY_OPERATOR,
  HIDDEN_UNTIL_REVIEW,
  hiddenWithout,
  setHidden,
  setInReview,
} from './hidden-flags.ts';
export { recordMigrations } from './migrations.ts';
export { type GifRecord, type GifWords, keepVerified, LEVELS, mergeRecords, type Verified } from './record.ts';
export { bumpRevision, bumpShown, revision } from './revision.ts';
export { fromRow, type GifTable, tables, toRow } from './tables.ts';
