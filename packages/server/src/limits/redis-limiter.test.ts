import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import type { Log } from '../base/log.ts';
import { judge, type Rule, TICKS_PER_MS, toVerdict } from './limits.ts';
import { RedisLimiter, TAKE, timesOf } from './redis-limiter.ts';
import { SharedLimiter } from './shared-limiter.ts';
import { findRedis, type RedisServer, startRedis } from './testing/redis.ts';

/** A budget that does not refill while a test runs. */
const rule: Rule = { name: 'search', table: 'clients', quota: 10, windowSeconds: 3_600 };

const program = findRedis();

describe.skipIf(program === undefined)('budgets in Redis', () => {
  let server: RedisServer;

  beforeAll(async () => {
    server = await startRedis(program!);
  });

  afterAll(() => server.kill());

  async function open(url = server.url) {
    const warn = vi.fn<(fields: object, message: string) => void>();
    const info = vi.fn<(message: string) => void>();
    const clock = { now: () => Date.now() };
    const log = { warn, info } as unknown as Log;
    const limiter = await RedisLimiter.open({ url, memory: new SharedLimiter(clock, clock.now()), clock, log });
    const take = async (key: string) => (await limiter.take(rule, key)).allowed;
    const takes = (key: string, count: number) => Promise.all(Array.from({ length: count }, () => take(key)));
    return { limiter, warn, info, takes };
  }

  /**
   * Repeats `attempt` with two new limiters and a new key until Redis has answered all requests in time. On a busy
   * machine, Redis can be late, and then each process counts requests alone.
   */
  async function inTime<T>(attempt: (key: string, ...limiters: Awaited<ReturnType<typeof open>>[]) => Promise<T>) {
    for (let tries = 100; tries > 0; tries--) {
      const limiters = [await open(), await open()];
      const result = await attempt(crypto.randomUUID(), ...limiters);
      for (const { limiter } of limiters) limiter.close();
      if (limiters.every(({ warn }) => warn.mock.calls.length === 0)) return result;
    }
    throw new Error('Redis was never in time');
  }

  const allowed = (answers: boolean[]) => answers.filter(Boolean).length;

  test('follow the same rules as budgets in memory', async () => {
    const redis = new Redis(server.url);
    const budget = fc.record({
      quota: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constantFrom(1_000_000, 1_000_000_000)),
      cost: fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 30_000_000 })),
      // A few milliseconds pass between two steps. In that time, only budgets with short windows refill.
      windowSeconds: fc.constantFrom(0.002, 0.02, 0.5, 60, 86_400),
    });
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(budget, { minLength: 1, maxLength: 4 }),
        fc.array(fc.nat(3)),
        async (budgets, steps) => {
          const run = ++runs;
          const arrivals = new Map<number, number>();
          for (const step of [...steps, ...steps, ...steps]) {
            const n = step % budgets.length;
            const { cost: wanted, ...budget } = budgets[n]!;
            const limits: Rule = { name: 'search', table: 'clients', ...budget };
            const cost = Math.min(wanted, 60 * budget.quota);
            const said = await redis.eval(TAKE, 1, `property:${run}:${n}`, TICKS_PER_MS, ...timesOf(limits, cost));
            const [usedUp, ahead, now] = said as [number, number, number];
            const expected = judge(limits, { arrival: arrivals.get(n) ?? 0, cost }, now);
            arrivals.set(n, expected.arrival);
            expect(toVerdict(limits, usedUp === 0, ahead / TICKS_PER_MS)).toEqual(expected.verdict);
          }
        },
      ),
      { numRuns: 60 * inject('cases') },
    );
    redis.disconnect();
  });

  test('expire when they are no longer needed', async () => {
    const redis = new Redis(server.url);
    const { limiter } = await open();
    await limiter.take({ ...rule, name: 'brief', windowSeconds: 0.01 }, 'key');
    await vi.waitFor(async () => expect(await redis.exists('zoetrope:limit:brief:key')).toBe(0), { timeout: 480_000 });
    limiter.close();
    redis.disconnect();
  });

  test("do not change when the server's clock is set back", async () => {
    const redis = new Redis(server.url);
    const hour = 3_600_000 * TICKS_PER_MS;
    const answers = await inTime(async (name, { takes }) => {
      await takes(name, 4);
      const key = `zoetrope:limit:search:${name}`;
      const times = ((await redis.get(key)) ?? '').split(' ').map((ticks) => Number(ticks) + hour);
      // Stored times that are an hour ahead have the same effect as a clock that was set back by an hour.
      await redis.set(key, times.join(' '));
      return takes(name, 10);
    });
    expect(allowed(answers)).toBe(6);
    redis.disconnect();
  });

  test('are shared exactly between processes', async () => {
    const answers = await inTime((key, ...both) => Promise.all(both.map(({ takes }) => takes(key, 15))));
    expect(allowed(answers.flat())).toBe(10);
  });

  test('continue locally while Redis is unavailable, and are shared again afterwards', async () => {
    const [one, two] = [await open(), await open()];
    expect(allowed(await one.takes('away', 4))).toBe(4);
    await server.kill();
    expect(allowed(await one.takes('away', 20))).toBe(6);
    expect(allowed(await two.takes('away', 20))).toBe(10);
    await vi.waitFor(() => expect(one.warn).toHaveBeenCalled(), { timeout: 480_000 });
    const outages = one.warn.mock.calls.length;
    expect(one.limiter.take(rule, 'another')).not.toBeInstanceOf(Promise);
    expect(one.warn.mock.calls[0]![1]).toContain('ZOETROPE_REDIS_URL');
    await server.start();
    expect(one.warn).toHaveBeenCalledTimes(outages);
    for (const { takes, warn, info } of [one, two]) {
      const goesOn = async () => {
        await takes('back', 1);
        expect(info).toHaveBeenCalledTimes(warn.mock.calls.length);
      };
      await vi.waitFor(goesOn, { timeout: 480_000 });
    }
    let asked = 0;
    const areShared = async () => {
      const key = `again-${++asked}`;
      const answers = await Promise.all([one.takes(key, 15), two.takes(key, 15)]);
      // On a busy machine, Redis can answer late. The process then counts the request alone.
      expect(allowed(answers.flat())).toBe(10);
    };
    await vi.waitFor(areShared, { timeout: 480_000 });
    for (const { limiter } of [one, two]) limiter.close();
  });

  test('are counted locally if Redis was never available, and no password is logged', async () => {
    const [nobody, refused] = [
      await open('redis://:secret@127.0.0.1:1'),
      await open(server.url.replace('//', '//nobody:secret@')),
    ];
    for (const { limiter, takes, warn } of [nobody, refused]) {
      expect(allowed(await takes('key', 20))).toBe(10);
      expect(JSON.stringify(warn.mock.calls)).not.toContain('secret');
      expect(warn).toHaveBeenCalledTimes(1);
      limiter.close();
    }
  });
});
