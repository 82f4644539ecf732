/**
 * Runs `act` several times in parallel. Throws the first failure only after all runs have ended, so that the caller
 * does not close anything that is still in use.
 */
export async function inParallel(runs: number, act: () => Promise<void>): Promise<void> {
  const ends = await Promise.allSettled(Array.from({ length: runs }, act));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
