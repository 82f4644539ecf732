import { type Static, Type } from 'typebox';

/** Settings for queries that are incomplete or misspelt. */
export const IndexConfig = Type.Object({
  completion: Type.Boolean({
    env: 'ZOETROPE_SEARCH_COMPLETION',
    default: true,
    description: 'Whether the last word of a search also matches longer words: "danc" also finds GIFs for "dance"',
  }),
  correction: Type.Boolean({
    env: 'ZOETROPE_SEARCH_CORRECTION',
    default: true,
    description: 'Whether words that no GIF has are corrected: "birtday" finds the GIFs for "birthday"',
  }),
});
export type IndexConfig = Static<typeof IndexConfig>;
