/**
 * Returns a function that runs `prepare` until it has succeeded once. Concurrent callers share an attempt. After a
 * failed attempt, the next caller tries again.
 */
export function untilPrepared(prepare: () => Promise<void>): () => Promise<void> {
  let prepared: Promise<void> | undefined;
  return () => {
    prepared ??= prepare().catch((error) => {
      prepared = undefined;
      throw error;
    });
    return prepared;
  };
}
