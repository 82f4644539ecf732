import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judge, type Rule } from './rules.ts';

const rule: Rule = { name: 'search', quota: 6, windowSeconds: 60 };

/** Asks at each of these times (ms). @returns what was said */
function ask(times: readonly number[], limits = rule) {
  let arrival = 0;
  return times.map((now) => {
    const judged = judge(limits, arrival, now);
    ({ arrival } = judged);
    return judged.verdict;
  });
}

test('a quota can be used at once, and comes back evenly', () => {
  const verdicts = ask([1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 11_000, 11_000, 31_000]);
  expect(verdicts.map(({ allowed }) => allowed)).toEqual([
    true,
    true,
    true,
    true,
    true,
    true,
    false,
    true,
    false,
    true,
  ]);
  expect(verdicts.map(({ remaining }) => remaining)).toEqual([5, 4, 3, 2, 1, 0, 0, 0, 0, 1]);
  expect(verdicts.map(({ retryAfterSeconds }) => retryAfterSeconds)).toEqual([0, 0, 0, 0, 0, 0, 10, 0, 10, 0]);
  expect(verdicts[0]).toMatchObject({ resetSeconds: 10 });
  expect(verdicts[5]).toMatchObject({ resetSeconds: 60 });
});

test('no window of time lets more than twice the quota pass, and waiting as told is enough', () => {
  const gaps = fc.array(fc.nat(20_000), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(gaps, fc.integer({ min: 1, max: 50 }), (steps, quota) => {
      const times = steps.map((_, i) => steps.slice(0, i + 1).reduce((sum, step) => sum + step, 1));
      const limits = { ...rule, quota };
      const verdicts = ask(times, limits);
      const passed = times.filter((_, i) => verdicts[i]!.allowed);
      for (const start of passed) {
        const within = passed.filter((time) => time >= start && time < start + 60_000);
        expect(within.length).toBeLessThanOrEqual(2 * quota);
      }
      const refused = verdicts.findIndex(({ allowed }) => !allowed);
      if (refused < 0) return;
      const later = times[refused]! + verdicts[refused]!.retryAfterSeconds * 1_000;
      expect(ask([...times.slice(0, refused + 1), later], limits).at(-1)!.allowed).toBe(true);
    }),
  );
});
