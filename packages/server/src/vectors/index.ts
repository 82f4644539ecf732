export { CAPTIONS_MODEL, withCaptions } from './captions.ts';
export { vectorMigrations } from './migrations.ts';
export {
  areVectorsComplete,
  findVectors,
  noteSeenPicture,
  pictureKey,
  sampleVectors,
  saveVectors,
  seenPictures,
  setVectorsComplete,
  vectorsMadeThrough,
} from './vectors.ts';
