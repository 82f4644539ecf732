import type { Redis, Result } from 'ioredis';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { type Charge, intervalOf, type Rule, TICKS_PER_MS, toVerdict, type Verdict, windowOf } from './limits.ts';
import type { SharedLimiter } from './shared-limiter.ts';

/** Maximum time that a request waits for Redis. */
const COMMAND_MS = 100;
/** Time after a failure during which Redis gets no requests. */
const REST_MS = 1_000;
const CONNECT_MS = 1_000;

const OPTIONS = {
  lazyConnect: true,
  // If Redis is unreachable or does not respond, requests are counted in this process.
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 1,
  connectTimeout: CONNECT_MS,
  commandTimeout: COMMAND_MS,
  socketTimeout: REST_MS,
  retryStrategy: (attempt: number) => Math.min(100 * attempt, REST_MS),
  keyPrefix: 'zoetrope:limit:',
};

/**
 * Decides like `judge`, but on several budgets at the same time, and with the clock of the Redis server, because the
 * clocks of processes can differ. If one budget is used up, no budget is charged. Times are whole numbers of ticks.
 * They are stored with all digits, because Lua would round them to 14 digits. Keys expire when they are no longer
 * needed. The time of writing is also stored. If that time is in the future, the server's clock was set back. In this
 * case, both stored times are moved back with the clock.
 */
export const TAKE = `
  local ticks = tonumber(ARGV[1])
  local time = redis.call('TIME')
  local now = (time[1] * 1000 + math.floor(time[2] / 1000)) * ticks
  local after = {}
  for i, key in ipairs(KEYS) do
    local window, one, all = tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i]), tonumber(ARGV[3 * i + 1])
    local arrival, written = string.match(redis.call('GET', key) or '0', '^(%d+) ?(%d*)$')
    local set_back = math.max((tonumber(written) or 0) - now, 0)
    local before = math.max(tonumber(arrival) - set_back, now)
    if before + one - now > window then return {i, before - now, now / ticks} end
    after[i] = before + all
  end
  for i, key in ipairs(KEYS) do
    redis.call('SET', key, string.format('%.0f %.0f', after[i], now), 'PX', math.ceil((after[i] - now) / ticks))
  end
  return {0, after[1] - now, now / ticks}`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    /**
     * @param keysAndTimes the number of budgets, their keys, the number of ticks per millisecond, and then for each
     * budget the window, the interval of one unit and the interval of all units, each in ticks
     * @returns three numbers: 0 or the number of the first budget that is used up; the ticks by which the theoretical
     * arrival time of that budget (or else of the first budget) is ahead; the server's time in milliseconds
     */
    take(...keysAndTimes: (string | number)[]): Result<[number, number, number], Context>;
  }
}

export interface RedisLimiterParts {
  url: string;
  /** Counts requests while Redis is unavailable. */
  memory: SharedLimiter;
  clock: Clock;
  log: Log;
}

/** Shares limits between several processes. While Redis is unavailable, each process counts separately. */
export class RedisLimiter {
  readonly #redis: Redis;
  readonly #parts: RedisLimiterParts;
  #isAway = false;
  /** Time of the monotonic clock until which Redis gets no requests. */
  #restUntil = 0;

  private constructor(redis: Redis, parts: RedisLimiterParts) {
    this.#redis = redis;
    this.#parts = parts;
    redis.on('error', (error: Error) => this.#noteAway(error));
  }

  /**
   * Opens the limiter and waits for the first connection attempt. If that attempt fails, the limiter tries again later.
   */
  static async open(parts: RedisLimiterParts): Promise<RedisLimiter> {
    // The library takes 20 MB per thread, so it is loaded only if Redis is configured.
    const ioredis = await import('ioredis');
    const redis = new ioredis.Redis(parts.url, OPTIONS);
    redis.defineCommand('take', { lua: TAKE });
    const limiter = new RedisLimiter(redis, parts);
    await redis.connect().catch((error: Error) => limiter.#noteAway(error));
    return limiter;
  }

  /**
   * Counts a request of `cost` units for `key` under `rule`. Returns synchronously while requests are counted locally.
   */
  take(rule: Rule, key: string, cost = 1): Verdict | Promise<Verdict> {
    return this.#take([{ rule, key }], cost);
  }

  /** Counts a request against several budgets. If one of them is used up, counts the request against none. */
  takeAll(charges: readonly Charge[], cost = 1): Verdict | Promise<Verdict> {
    return this.#take(charges, cost);
  }

  close(): void {
    this.#redis.disconnect();
  }

  #take(charges: readonly Charge[], cost: number): Verdict | Promise<Verdict> {
    const isAway = this.#redis.status !== 'ready' || this.#parts.clock.now() < this.#restUntil;
    return isAway ? this.#parts.memory.takeAll(charges, cost) : this.#ask(charges, cost);
  }

  async #ask(charges: readonly Charge[], cost: number): Promise<Verdict> {
    try {
      const keys = charges.map(({ rule, key }) => `${rule.name}:${key}`);
      const times = charges.flatMap(({ rule }) => timesOf(rule, cost));
      const [usedUp, ahead] = await this.#redis.take(keys.length, ...keys, TICKS_PER_MS, ...times);
      this.#noteBack();
      // The request is also counted locally, so that a used-up budget stays used up when Redis becomes unavailable.
      if (usedUp === 0) this.#parts.memory.takeAll(charges, cost);
      return toVerdict(charges[Math.max(usedUp - 1, 0)]!.rule, usedUp === 0, ahead / TICKS_PER_MS);
    } catch (error) {
      this.#restUntil = this.#parts.clock.now() + REST_MS;
      this.#noteAway(error as Error);
      return this.#parts.memory.takeAll(charges, cost);
    }
  }

  /** Logs only the message, because the error of a refused login contains the password. */
  #noteAway({ message: reason }: Error): void {
    if (!this.#isAway) {
      this.#parts.log.warn(
        { reason },
        'Redis (ZOETROPE_REDIS_URL) is unavailable; this process counts requests on its own',
      );
    }
    this.#isAway = true;
  }

  #noteBack(): void {
    if (this.#isAway) this.#parts.log.info('Redis (ZOETROPE_REDIS_URL) is available again; limits are shared again');
    this.#isAway = false;
  }
}

/** Returns the arguments of TAKE for one budget. */
export function timesOf(rule: Rule, cost: number): [window: number, one: number, all: number] {
  const [window, one, all] = [windowOf(rule), intervalOf(rule, 1), intervalOf(rule, cost)];
  return [window * TICKS_PER_MS, one * TICKS_PER_MS, all * TICKS_PER_MS];
}
