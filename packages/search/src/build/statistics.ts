/** How often terms occur in a catalogue. The weights of a query's terms come from these numbers. */
export interface Statistics {
  /** Number of safe documents. */
  readonly safeDocuments: number;
  /** Returns how many safe documents have a term. */
  frequencyOf(term: string): number;
}
