export { countGifs, findGif, hiddenIds, recordGifs, revision, setHidden, snapshot } from './catalog.ts';
export type { GifRecord } from './record.ts';
export { catalogMigration } from './tables.ts';
