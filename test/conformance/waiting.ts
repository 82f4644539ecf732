/** Parts that are not built yet. */
export const PARTS: readonly string[] = [];

/** The sentences that do not hold yet, each with the parts that it waits for. */
export const WAITING: readonly { n: number; waitsFor: readonly string[] }[] = [];
