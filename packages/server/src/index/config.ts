import { type Static, Type } from 'typebox';

/** Settings for reading queries. */
export const IndexConfig = Type.Object({
  completion: Type.Boolean({
    former: 'ZOETROPE_SEARCH_COMPLETION',
    default: true,
    description: 'Whether the last word of a search also matches longer words: "danc" also finds GIFs for "dance"',
  }),
  correction: Type.Boolean({
    former: 'ZOETROPE_SEARCH_CORRECTION',
    default: true,
    description: 'Whether words that no GIF has are corrected: "birtday" finds the GIFs for "birthday"',
  }),
  synonyms: Type.String({
    env: 'ZOETROPE_SEARCH_SYNONYMS',
    default: '',
    description:
      'File with synonyms, one set per line: gm = good morning. It is read again when it changes. Empty: synonyms.txt in the data folder, if it exists',
  }),
  offensive: Type.String({
    env: 'ZOETROPE_SEARCH_OFFENSIVE',
    default: '',
    description:
      'File with words that are never completed and whose GIFs only a search with such a word finds, in addition to the built-in list: one word or phrase per line, !word takes one off. Empty: offensive.txt in the data folder, if it exists; off: no list at all',
  }),
});
export type IndexConfig = Static<typeof IndexConfig>;
