/**
 * Runs `act` several times in parallel. All runs end before the first failure is thrown, so that nothing is closed
 * while in use.
 */
export async function inParallel(runs: number, act: () => Promise<void>): Promise<void> {
  const ends = await Promise.allSettled(Array.from({ length: runs }, act));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
