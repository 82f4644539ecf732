import { describe, expect, it } from 'vitest';
import { differences, mean, meanInterval, randomNumbers, type Sample } from './bootstrap.ts';

/** Returns flips of a coin that lands heads with probability `p`. Each group has `size` throws. */
function throws(groups: number, size: number, p: number, seed: number): Sample[] {
  const random = randomNumbers(seed);
  return Array.from({ length: groups }, (_, group) => {
    const value = random() < p ? 1 : 0;
    return Array.from({ length: size }, () => ({ group: `g${group}`, value }));
  }).flat();
}

function width(samples: Sample[]): number {
  const { low, high } = meanInterval(samples);
  return high - low;
}

describe('the interval of a mean', () => {
  it('contains the true mean in about 95 of 100 samples', () => {
    const p = 0.3;
    let held = 0;
    for (let seed = 1; seed <= 200; seed++) {
      const { low, high } = meanInterval(throws(200, 1, p, seed), seed);
      if (low <= p && p <= high) held++;
    }
    expect(held / 200).toBeGreaterThan(0.9);
    expect(held / 200).toBeLessThan(0.99);
  });

  it('is as wide as the normal approximation predicts', () => {
    const expected = 2 * 1.96 * Math.sqrt((0.3 * 0.7) / 400);
    expect(width(throws(400, 1, 0.3, 7)) / expected).toBeGreaterThan(0.9);
    expect(width(throws(400, 1, 0.3, 7)) / expected).toBeLessThan(1.1);
  });

  it('is the same every time', () => {
    const random = randomNumbers(3);
    const samples = Array.from({ length: 50 }, (_, at) => ({ group: `${at}`, value: random() }));
    expect(meanInterval(samples)).toEqual(meanInterval(samples));
    expect(meanInterval(samples, 1)).not.toEqual(meanInterval(samples, 2));
  });

  it('does not shrink when a question is asked ten times in one group', () => {
    const once = width(throws(100, 1, 0.5, 5));
    const tenTimes = width(throws(100, 10, 0.5, 5));
    expect(tenTimes).toBeCloseTo(once, 5);
  });

  it('has zero width if all questions score the same', () => {
    const samples = throws(20, 1, 1, 1);
    expect(meanInterval(samples)).toEqual({ low: 1, high: 1 });
  });
});

it('differences are computed question by question', () => {
  const first = [
    { group: 'a', value: 1 },
    { group: 'b', value: 0 },
  ];
  const second = [
    { group: 'a', value: 0 },
    { group: 'b', value: 0.5 },
  ];
  expect(differences(first, second).map(({ value }) => value)).toEqual([1, -0.5]);
  expect(mean(differences(first, second))).toBe(0.25);
});
