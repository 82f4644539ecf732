/** Parts that have not yet been built. */
export const PARTS: readonly string[] = [];

/** The sentences that the service does not yet fulfil, each with the parts that it needs. */
export const WAITING: readonly { n: number; waitsFor: readonly string[] }[] = [];
