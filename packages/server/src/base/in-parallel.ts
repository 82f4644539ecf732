/** Runs `act` several times side by side. All runs end before the first failure is thrown, so nothing is torn down under them. */
export async function inParallel(runs: number, act: () => Promise<void>): Promise<void> {
  const ends = await Promise.allSettled(Array.from({ length: runs }, act));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
