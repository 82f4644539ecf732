import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { judge, type Rule } from './limits.ts';
import { SharedLimiter } from './shared-limiter.ts';

const EPOCH = 1_700_000_000_000;
const rule: Rule = { name: 'search', quota: 100, windowSeconds: 60 };

test('many budgets are counted separately, as in a map', () => {
  const quota = fc.constantFrom(2, 7, 100_000_000);
  const step = fc.record({ ms: fc.nat(3_000), key: fc.nat(400), quota, cost: fc.integer({ min: 1, max: 300 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const clock = { ms: EPOCH, now: () => clock.ms };
      const limiter = new SharedLimiter(clock, EPOCH);
      const arrivals = new Map<string, number>();
      for (const { ms, key, quota, cost } of steps) {
        clock.ms += ms;
        const limits = { name: `q${quota}`, quota, windowSeconds: 10 };
        const name = `${quota} ${key}`;
        const expected = judge(limits, { arrival: arrivals.get(name) ?? 0, cost }, clock.ms - EPOCH);
        arrivals.set(name, expected.arrival);
        expect(limiter.take(limits, `client-${key}`, cost).allowed).toBe(expected.verdict.allowed);
      }
    }),
    { numRuns: 50 * inject('cases') },
  );
});

test('threads share a budget exactly', async () => {
  const { memory } = new SharedLimiter({ now: () => EPOCH }, EPOCH);
  const ask = `
    import { workerData, parentPort } from 'node:worker_threads';
    const { SharedLimiter } = await import(workerData.module);
    const limiter = new SharedLimiter({ now: () => ${EPOCH} }, ${EPOCH}, workerData.memory);
    let allowed = 0;
    for (let i = 0; i < 5_000; i++) allowed += limiter.take(workerData.rule, 'one client').allowed ? 1 : 0;
    parentPort.postMessage(allowed);`;
  const module = new URL('./shared-limiter.ts', import.meta.url).href;
  const url = new URL(`data:text/javascript,${encodeURIComponent(ask)}`);
  const workerData = { module, memory, rule: { ...rule, quota: 777 } };
  const counts = [0, 1, 2].map(
    () =>
      new Promise<number>((resolve, reject) => {
        new Worker(url, { workerData, execArgv: ['--conditions=zoetrope', '--disable-warning=ExperimentalWarning'] })
          .once('message', resolve)
          .once('error', reject);
      }),
  );
  expect((await Promise.all(counts)).reduce((sum, count) => sum + count, 0)).toBe(777);
});

test('many other callers do not reset a used-up budget', () => {
  const limiter = new SharedLimiter({ now: () => EPOCH }, EPOCH);
  for (let i = 0; i < 100; i++) expect(limiter.take(rule, 'known').allowed).toBe(true);
  for (let i = 0; i < 200_000; i++) limiter.take(rule, `stranger ${i}`);
  expect(limiter.take(rule, 'known').allowed).toBe(false);
});
