/**
 * Returns the CPU time of the whole process in milliseconds. Unlike wall time, it does not include the work of other
 * programs.
 */
export function cpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Returns the smallest step of the clock behind `cpu`, in milliseconds. (`process.threadCpuUsage` would leave out the
 * garbage collector's threads, but moves in steps of 4 ms on some kernels.)
 */
export function cpuStep(): number {
  let step = Number.POSITIVE_INFINITY;
  for (let i = 0, last = cpu(); i < 20_000; i++) {
    const now = cpu();
    if (now > last) step = Math.min(step, now - last);
    last = now;
  }
  return step;
}

export interface Timing {
  calls: number;
  p50: number;
  p99: number;
}

/**
 * Measures CPU milliseconds per call, over `rounds` rounds through all arguments, after one round that is not counted.
 * It runs rounds and does not repeat single calls, so that no call finds its own data in the processor's cache. It
 * awaits only promises, because awaiting other values takes time.
 */
export async function timeCalls<T>(
  args: readonly T[],
  rounds: number,
  call: (argument: T) => unknown,
): Promise<Timing> {
  for (const argument of args) await call(argument);
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const argument of args) {
      const start = cpu();
      const result = call(argument);
      if (result instanceof Promise) await result;
      times.push(cpu() - start);
    }
  }
  times.sort((a, b) => a - b);
  return { calls: times.length, p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

/**
 * Measures like `timeCalls`, but each argument counts once, with its median over the rounds. The median leaves out the
 * work of V8's threads: compiling and collecting garbage are counted in bursts of several milliseconds, as part of any
 * call that is running.
 */
export async function timeMedians<T>(
  args: readonly T[],
  rounds: number,
  call: (argument: T) => unknown,
): Promise<Timing> {
  const times = args.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [i, argument] of args.entries()) {
      const start = cpu();
      const result = call(argument);
      if (result instanceof Promise) await result;
      times[i]!.push(cpu() - start);
    }
  }
  const medians = times
    .map((ofOne) =>
      percentile(
        ofOne.sort((a, b) => a - b),
        0.5,
      ),
    )
    .sort((a, b) => a - b);
  return { calls: medians.length, p50: percentile(medians, 0.5), p99: percentile(medians, 0.99) };
}

/**
 * Returns the wall-clock time of each argument in milliseconds. It is the median over the rounds, after two rounds that
 * are not counted.
 */
export function wallMedians<T>(args: readonly T[], rounds: number, call: (argument: T) => unknown): number[] {
  const times = args.map((): number[] => []);
  for (let round = -2; round < rounds; round++) {
    for (const [i, argument] of args.entries()) {
      const start = performance.now();
      call(argument);
      if (round >= 0) times[i]!.push(performance.now() - start);
    }
  }
  return times.map((own) => percentileOf(own, 0.5));
}

/** Returns the same as `percentile`, but for values in any order. */
export function percentileOf(values: readonly number[], share: number): number {
  return percentile(
    values.toSorted((a, b) => a - b),
    share,
  );
}

/** Returns the smallest value v for which at least `share` of the sorted values are at most v. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]!;
}

/** Returns the CPU seconds and the result of one call. */
export function timeOnce<T>(call: () => T): { seconds: number; result: T } {
  const start = cpu();
  const result = call();
  return { seconds: (cpu() - start) / 1000, result };
}
