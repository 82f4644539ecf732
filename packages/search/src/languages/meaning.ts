/** The meaning of a part of a query, in other words. */
export interface Meaning {
  kind: 'emoji' | 'words';
  /** The part of the query, folded; `analyse(text)` gives terms of the query. */
  text: string;
  /**
   * Best first; weight above 0, up to 1. Those of the table of languages are English, lower case and ASCII; an operator's
   * synonyms can be anything.
   */
  phrases: readonly { phrase: string; weight: number }[];
}
