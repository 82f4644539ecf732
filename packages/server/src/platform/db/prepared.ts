/**
 * Returns a function that runs `prepare` until it has succeeded once. Callers at the same time share an attempt, and a failed
 * attempt is repeated by the next caller.
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
