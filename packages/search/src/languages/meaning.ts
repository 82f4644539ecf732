/** A part of a query, and other words with the same meaning. */
export interface Meaning {
  kind: 'emoji' | 'words';
  /** The part of the query, folded. `analyse(text)` gives terms of the query. */
  text: string;
  /**
   * The phrases, best first. Each weight is above 0 and at most 1. Phrases from the table of languages are English, in
   * lower case and ASCII. An operator's synonyms can be any text.
   */
  phrases: readonly { phrase: string; weight: number }[];
}
