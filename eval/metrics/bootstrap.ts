/** The score of one question. Questions of one group (one GIF, one concept) are drawn together. */
export interface Sample {
  group: string;
  value: number;
}

export interface Interval {
  low: number;
  high: number;
}

const RESAMPLES = 1000;
const SEED = 20_260_101;
/** Share of the resampled means on each side of the interval, so that 95 % are inside. */
const TAIL = 0.025;

export function mean(samples: readonly Sample[]): number {
  return samples.reduce((sum, { value }) => sum + value, 0) / samples.length;
}

/**
 * Returns the 95 % interval of the mean. Groups are drawn 1000 times with replacement, always from the same seed. The
 * interval contains the middle 95 % of their means. Groups are drawn instead of questions, because one concept in ten
 * languages does not give ten independent results.
 */
export function meanInterval(samples: readonly Sample[], seed: number = SEED): Interval {
  const groups = totals(samples);
  const random = randomNumbers(seed);
  const means = new Float64Array(RESAMPLES);
  for (let i = 0; i < RESAMPLES; i++) {
    let sum = 0;
    let count = 0;
    for (let drawn = 0; drawn < groups.length; drawn++) {
      const group = groups[Math.floor(random() * groups.length)]!;
      sum += group.sum;
      count += group.count;
    }
    means[i] = sum / count;
  }
  means.sort();
  return { low: means[Math.floor(RESAMPLES * TAIL)]!, high: means[Math.ceil(RESAMPLES * (1 - TAIL)) - 1]! };
}

/** Returns the first score minus the second for each question. Both lists have the same questions in the same order. */
export function differences(first: readonly Sample[], second: readonly Sample[]): Sample[] {
  return first.map(({ group, value }, at) => ({ group, value: value - second[at]!.value }));
}

function totals(samples: readonly Sample[]): { sum: number; count: number }[] {
  const groups = new Map<string, { sum: number; count: number }>();
  for (const { group, value } of samples) {
    const total = groups.get(group) ?? { sum: 0, count: 0 };
    total.sum += value;
    total.count++;
    groups.set(group, total);
  }
  return [...groups.values()];
}

/**
 * Returns a generator of numbers from 0 up to, but not including, 1 (Mulberry32). The same seed gives the same numbers
 * on every machine.
 */
export function randomNumbers(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
