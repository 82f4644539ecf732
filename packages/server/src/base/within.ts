/** Settles like `work`, or rejects with `late()` if `work` takes longer than `limitMs`. The work itself continues. */
export async function within<Result>(limitMs: number, work: Promise<Result>, late: () => Error): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), limitMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
