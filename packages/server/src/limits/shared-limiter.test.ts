import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { chargesOf, judge, type Rule } from './limits.ts';
import { SharedLimiter } from './shared-limiter.ts';

const EPOCH = 1_700_000_000_000;
const rule: Rule = { name: 'search', table: 'clients', quota: 100, windowSeconds: 60 };

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
        const limits: Rule = { name: `q${quota}`, table: 'clients', quota, windowSeconds: 10 };
        const name = `${quota} ${key}`;
        const expected = judge(limits, { arrival: arrivals.get(name) ?? 0, cost }, clock.ms - EPOCH);
        arrivals.set(name, expected.arrival);
        expect(limiter.take(limits, `client-${key}`, cost).allowed).toBe(expected.verdict.allowed);
      }
    }),
    { numRuns: 50 * inject('cases') },
  );
});

const THREADS = 3;

/**
 * Returns how many requests are allowed if threads send them at the same time. Each thread sends one request for each
 * key, in this order. The threads wait for each other before each group of `step` keys.
 */
async function allowedOnThreads(quota: number, keys: readonly string[], step: number): Promise<number> {
  const { memory } = new SharedLimiter({ now: () => EPOCH }, EPOCH);
  const ask = `
    import { workerData, parentPort } from 'node:worker_threads';
    const { module, memory, rule, keys, step, arrived } = workerData;
    const { SharedLimiter } = await import(module);
    const limiter = new SharedLimiter({ now: () => ${EPOCH} }, ${EPOCH}, memory);
    let allowed = 0;
    for (let i = 0; i < keys.length; i++) {
      if (i % step === 0) {
        const all = (i / step + 1) * ${THREADS};
        if (Atomics.add(arrived, 0, 1) + 1 === all) {
          Atomics.store(arrived, 1, all);
          Atomics.notify(arrived, 1);
        }
        for (let now; (now = Atomics.load(arrived, 1)) < all; ) Atomics.wait(arrived, 1, now);
      }
      if (limiter.take(rule, keys[i]).allowed) allowed++;
    }
    parentPort.postMessage(allowed);`;
  const module = new URL('./shared-limiter.ts', import.meta.url).href;
  const url = new URL(`data:text/javascript,${encodeURIComponent(ask)}`);
  const arrived = new Int32Array(new SharedArrayBuffer(8));
  const workerData = { module, memory, rule: { ...rule, quota }, keys, step, arrived };
  const counts = Array.from(
    { length: THREADS },
    () =>
      new Promise<number>((resolve, reject) => {
        new Worker(url, { workerData, execArgv: ['--conditions=zoetrope', '--disable-warning=ExperimentalWarning'] })
          .once('message', resolve)
          .once('error', reject);
      }),
  );
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

test('threads share a budget exactly', async () => {
  expect(await allowedOnThreads(777, Array(5_000).fill('one client'), 5_000)).toBe(777);
});

test('threads that begin a budget at the same moment share it, too', async () => {
  const keys = Array.from({ length: 5_000 }, (_, n) => `client ${n}`);
  expect(await allowedOnThreads(1, keys, 10)).toBe(keys.length);
});

test('a request that another thread overtakes is checked again', () => {
  const clock = { now: () => EPOCH };
  const one = new SharedLimiter(clock, EPOCH);
  const other = new SharedLimiter(clock, EPOCH, one.memory);
  const two: Rule = { ...rule, quota: 2 };
  let isOvertaken = false;
  // The limiter reads the quota after it has read the slot and before the swap.
  const racing: Rule = {
    ...two,
    get quota() {
      if (!isOvertaken) {
        isOvertaken = true;
        other.take(two, 'client');
      }
      return 2;
    },
  };
  expect(one.take(racing, 'client')).toMatchObject({ allowed: true, remaining: 0 });
  expect(other.take(two, 'client').allowed).toBe(false);
});

test('many other callers do not reset a used-up budget', () => {
  const limiter = new SharedLimiter({ now: () => EPOCH }, EPOCH);
  for (let i = 0; i < 100; i++) expect(limiter.take(rule, 'known').allowed).toBe(true);
  for (let i = 0; i < 200_000; i++) limiter.take(rule, `stranger ${i}`);
  expect(limiter.take(rule, 'known').allowed).toBe(false);
});

test('a flood of addresses refuses nobody else, and no used-up budget is forgotten', () => {
  const clock = { ms: EPOCH, now: () => clock.ms };
  const limiter = new SharedLimiter(clock, EPOCH);
  const reports: Rule = { name: 'report', table: 'report', quota: 10, windowSeconds: 3_600 };
  const report = (address: string) => limiter.takeAll(chargesOf(reports, address)).allowed;
  // Returns IPv6 networks that do not share a larger network.
  const networkOf = (n: number) => (0x2000_0000_0000_0000n + (BigInt(n) << 16n)).toString(16);
  for (let n = 0; n < 10; n++) expect(report('192.0.2.1')).toBe(true);
  const flood = 1_000_000 * inject('cases');
  const refused: string[] = [];
  for (let n = 0; n < flood; n++) {
    clock.ms += n % 10 === 0 ? 1 : 0;
    report(networkOf(n));
    if (n % 1_000 > 0) continue;
    const newcomer = `203.${n % 251}.${(n >> 8) % 256}.${(n >> 16) % 256}`;
    for (let attempt = 0; attempt < 10; attempt++) if (!report(newcomer)) refused.push(`${newcomer} ${attempt}`);
    expect(report(newcomer)).toBe(false);
  }
  expect(refused).toEqual([]);
  expect(report('192.0.2.1')).toBe(false);
});

test('budgets of addresses and networks are counted like in a map, and a refused request counts against none', () => {
  const address = fc.oneof(
    fc.tuple(fc.nat(1), fc.nat(3)).map(([network, host]) => `192.0.${network}.${host}`),
    fc.tuple(fc.nat(1), fc.nat(1), fc.nat(3)).map(([a, b, c]) => `20010db80${a}00${b}00${c}`.padEnd(16, '0')),
    fc.tuple(fc.nat(2), fc.nat(2)).map(([b, c]) => `20010db8000${b}0${c}`.padEnd(16, '0')),
  );
  const step = fc.record({ ms: fc.nat(2_000), address, cost: fc.integer({ min: 1, max: 3 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const clock = { ms: EPOCH, now: () => clock.ms };
      const limiter = new SharedLimiter(clock, EPOCH);
      const arrivals = new Map<string, number>();
      for (const { ms, address, cost } of steps) {
        clock.ms += ms;
        const judged = chargesOf({ ...rule, quota: 3 }, address).map(({ rule, key }) => {
          const name = `${rule.name} ${key}`;
          return { name, ...judge(rule, { arrival: arrivals.get(name) ?? 0, cost }, clock.ms - EPOCH) };
        });
        const isAllowed = judged.every(({ verdict }) => verdict.allowed);
        if (isAllowed) for (const { name, arrival } of judged) arrivals.set(name, arrival);
        expect(limiter.takeAll(chargesOf({ ...rule, quota: 3 }, address), cost).allowed).toBe(isAllowed);
      }
    }),
    { numRuns: 100 * inject('cases') },
  );
});
