export {
  countGifs,
  findGif,
  hiddenIds,
  pageOfCatalogue,
  pageOfGifs,
  recordGifs,
  revision,
  setHidden,
  snapshot,
} from './catalog.ts';
export {
  countDueLinks,
  type DueLinks,
  findLink,
  keptOriginals,
  type LinkedGif,
  linkMigration,
  noteLink,
  pageOfDueLinks,
} from './links.ts';
export type { GifRecord } from './record.ts';
export { catalogMigration } from './tables.ts';
export {
  areVectorsComplete,
  findVectors,
  noteSeenPicture,
  type StoredVector,
  sampleVectors,
  saveVectors,
  seenPictures,
  seenPicturesMigration,
  setVectorsComplete,
  vectorMigration,
} from './vectors.ts';
