import { seenPicturesMigration, vectorMigration } from './vectors.ts';

/** Migrations of the tables of vectors. */
export const vectorMigrations = {
  vectors: vectorMigration,
  seenPictures: seenPicturesMigration,
};
