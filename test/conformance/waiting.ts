/** What is not built yet. */
export const PARTS = ['picker'] as const;

export type Part = (typeof PARTS)[number];

/** The sentences that do not hold yet, by the parts that each of them waits for. */
export const WAITING: readonly { n: number; waitsFor: readonly Part[] }[] = [
  { n: 5, waitsFor: ['picker'] },
  { n: 110, waitsFor: ['picker'] },
  { n: 111, waitsFor: ['picker'] },
];
