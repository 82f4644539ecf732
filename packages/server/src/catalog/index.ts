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
