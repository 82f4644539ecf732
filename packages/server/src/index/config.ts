import { type Static, Type } from 'typebox';

/** Help with queries that are not typed to the end, or not typed well. */
export const IndexConfig = Type.Object({
  completion: Type.Boolean({
    env: 'ZOETROPE_SEARCH_COMPLETION',
    default: true,
    description: 'Whether the last word of a search is also a beginning: "danc" finds what "dance" finds',
  }),
  correction: Type.Boolean({
    env: 'ZOETROPE_SEARCH_CORRECTION',
    default: true,
    description: 'Whether words that no GIF has are corrected: "birtday" finds what "birthday" finds',
  }),
});
export type IndexConfig = Static<typeof IndexConfig>;
