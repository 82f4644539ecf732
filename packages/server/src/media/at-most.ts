/** Returns a function that runs at most `max` jobs at the same time. The other jobs wait in order. */
export function atMost(max: number): <T>(run: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (run) => {
    if (running < max) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await run();
    } finally {
      // Starts the next waiting job, or frees the place if no job waits.
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
