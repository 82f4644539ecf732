/** What is not built yet. */
export const PARTS: readonly string[] = [];

/** The sentences that do not hold yet, by the parts that each of them waits for. */
export const WAITING: readonly { n: number; waitsFor: readonly string[] }[] = [];
