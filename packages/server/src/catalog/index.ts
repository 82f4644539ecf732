export { ANY_GIF, type BrowsedGif, type BrowseFilter, browseGifs, type HiddenBecause, pickGifs } from './browse.ts';
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
  snapshot,
  visibleGifs,
} from './catalog.ts';
export { deleteUpload } from './delete-upload.ts';
export {
  authorsOfGif,
  countDueLinks,
  countDueProbes,
  countUnshownLinks,
  type DueLinks,
  findLink,
  forgetKept,
  isChangedProbeDue,
  keptOriginals,
  type LinkedGif,
  noteLink,
  pageOfDueLinks,
  pageOfDueProbes,
} from './links.ts';
export { catalogMigrations } from './migrations.ts';
export { renameGif } from './rename.ts';
export { toldElsewhere, withdrawGifs } from './told-by.ts';
