import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judge, type Rule } from './limits.ts';

const rule: Rule = { name: 'search', table: 'clients', quota: 6, windowSeconds: 60 };

/** Sends a request at each of these times (ms). @returns the verdicts */
function ask(times: readonly number[], limits = rule) {
  let arrival = 0;
  return times.map((now) => {
    const judged = judge(limits, { arrival, cost: 1 }, now);
    ({ arrival } = judged);
    return judged.verdict;
  });
}

test('a quota can be used in one burst, and refills evenly', () => {
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

test('no window admits more than twice the quota, and a request is admitted after the reported wait', () => {
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

test('files of any length are admitted at the rate of the quota, plus one burst and one file', () => {
  const file = fc.record({ ms: fc.nat(20_000), bytes: fc.integer({ min: 1, max: 5_000 }) });
  const limits: Rule = { name: 'media-bytes', table: 'media', quota: 1_000, windowSeconds: 60 };
  fc.assert(
    fc.property(fc.array(file, { minLength: 1, maxLength: 100 }), (files) => {
      let [now, arrival, sent, largest] = [1, 0, 0, 0];
      for (const { ms, bytes } of files) {
        now += ms;
        const judged = judge(limits, { arrival, cost: bytes }, now);
        ({ arrival } = judged);
        if (judged.verdict.allowed) [sent, largest] = [sent + bytes, Math.max(largest, bytes)];
        else {
          const later = now + judged.verdict.retryAfterSeconds * 1_000;
          expect(judge(limits, { arrival, cost: bytes }, later).verdict.allowed).toBe(true);
        }
        // Intervals are rounded to whole ticks. In this test, rounding changes them by less than 0.01 %.
        expect(sent).toBeLessThanOrEqual(1.0001 * (limits.quota * (1 + now / 60_000) + largest));
      }
    }),
  );
});
