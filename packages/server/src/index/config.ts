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
      'File with synonyms, one set per line: gm = good morning. The service reads the file again when it changes. Empty: synonyms.txt in the data folder, if it exists',
  }),
  offensive: Type.String({
    env: 'ZOETROPE_SEARCH_OFFENSIVE',
    default: '',
    description:
      'File with offensive words or phrases, one per line, in addition to the built-in list; !word removes a word from the list. These words are never completed, and only searches with such a word find GIFs with such a word. Empty: offensive.txt in the data folder, if it exists; off: no list at all',
  }),
});
export type IndexConfig = Static<typeof IndexConfig>;
