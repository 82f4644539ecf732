/** What is not built yet. */
export const PARTS = ['dashboard', 'Lightning', 'MP4', 'picker'] as const;

export type Part = (typeof PARTS)[number];

/** The sentences that do not hold yet, by the parts that each of them waits for. */
export const WAITING: readonly { n: number; waitsFor: readonly Part[] }[] = [
  { n: 5, waitsFor: ['picker'] },
  { n: 9, waitsFor: ['dashboard', 'Lightning'] },
  { n: 10, waitsFor: ['MP4'] },
  { n: 13, waitsFor: ['dashboard'] },
  { n: 29, waitsFor: ['MP4'] },
  { n: 30, waitsFor: ['MP4'] },
  { n: 31, waitsFor: ['MP4'] },
  { n: 32, waitsFor: ['MP4'] },
  { n: 34, waitsFor: ['MP4'] },
  { n: 35, waitsFor: ['MP4'] },
  { n: 110, waitsFor: ['picker'] },
  { n: 111, waitsFor: ['picker'] },
  // Somebody asks for an origin in the dashboard; the proof of the domain belongs to that.
  { n: 120, waitsFor: ['dashboard'] },
  { n: 125, waitsFor: ['dashboard'] },
  { n: 136, waitsFor: ['dashboard', 'Lightning'] },
  { n: 150, waitsFor: ['MP4'] },
  { n: 163, waitsFor: ['MP4'] },
  { n: 164, waitsFor: ['Lightning'] },
];
