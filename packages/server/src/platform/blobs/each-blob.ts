/** Maximum number of concurrent calls. Calls mostly wait for disk or network, but each call holds a blob in memory. */
const AT_ONCE = 8;

/**
 * Calls `act` for each blob, several at the same time. After a failure, no more calls are started. The failure is
 * thrown when all calls have ended.
 */
export async function eachBlob<Blob>(
  blobs: Iterable<Blob> | AsyncIterable<Blob>,
  act: (blob: Blob) => Promise<void>,
): Promise<void> {
  const queue = toAsync(blobs);
  let failed = false;
  const takeInTurn = async (): Promise<void> => {
    for (let next = await queue.next(); !next.done && !failed; next = await queue.next()) await act(next.value);
  };
  const stopOthers = (error: unknown): never => {
    failed = true;
    throw error;
  };
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => takeInTurn().catch(stopOthers)));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

async function* toAsync<Blob>(blobs: Iterable<Blob> | AsyncIterable<Blob>): AsyncGenerator<Blob> {
  yield* blobs;
}
