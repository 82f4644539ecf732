/** What is not built yet. */
export const PARTS = ['dashboard', 'Lightning', 'picker'] as const;

export type Part = (typeof PARTS)[number];

/** The sentences that do not hold yet, by the parts that each of them waits for. */
export const WAITING: readonly { n: number; waitsFor: readonly Part[] }[] = [
  { n: 5, waitsFor: ['picker'] },
  { n: 9, waitsFor: ['dashboard', 'Lightning'] },
  { n: 13, waitsFor: ['dashboard'] },
  { n: 110, waitsFor: ['picker'] },
  { n: 111, waitsFor: ['picker'] },
  // Somebody asks for an origin in the dashboard; the proof of the domain belongs to that.
  { n: 120, waitsFor: ['dashboard'] },
  { n: 125, waitsFor: ['dashboard'] },
  { n: 136, waitsFor: ['dashboard', 'Lightning'] },
  { n: 164, waitsFor: ['Lightning'] },
];
