import type { Redis, Result } from 'ioredis';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { intervalOf, type Rule, TICKS_PER_MS, toVerdict, type Verdict, windowOf } from './limits.ts';
import type { SharedLimiter } from './shared-limiter.ts';

/** Maximum time that a request waits for Redis. */
const COMMAND_MS = 100;
/** Time after a failure during which Redis gets no requests. */
const REST_MS = 1_000;
const CONNECT_MS = 1_000;

const OPTIONS = {
  lazyConnect: true,
  // If Redis is unreachable or does not respond, requests are counted here.
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
 * Does what `judge` does, but with the Redis server's clock, because the processes' clocks can differ. Times are in
 * ticks, which are whole numbers. They are written out in full, because Lua would round them to 14 digits. Keys expire
 * when they are no longer needed. The time of writing is stored as well. If that time is in the future, the server's
 * clock was set back, and both times are moved back with the clock.
 */
export const TAKE = `
  local window, one, all, ticks = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
  local time = redis.call('TIME')
  local now = (time[1] * 1000 + math.floor(time[2] / 1000)) * ticks
  local arrival, written = string.match(redis.call('GET', KEYS[1]) or '0', '^(%d+) ?(%d*)$')
  local set_back = math.max((tonumber(written) or 0) - now, 0)
  local before = math.max(tonumber(arrival) - set_back, now)
  if before + one - now > window then return {0, before - now, now / ticks} end
  local after = before + all
  redis.call('SET', KEYS[1], string.format('%.0f %.0f', after, now), 'PX', math.ceil((after - now) / ticks))
  return {1, after - now, now / ticks}`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    /**
     * @param times the window, the interval of one unit and the interval of all units, each in ticks, and then the
     * number of ticks per millisecond
     * @returns whether the request is allowed, the ticks by which the theoretical arrival time is ahead, and the
     * server's time in milliseconds
     */
    take(key: string, ...times: [number, number, number, number]): Result<[0 | 1, number, number], Context>;
  }
}

export interface RedisLimiterParts {
  url: string;
  /** Counts requests while Redis is unavailable. */
  memory: SharedLimiter;
  clock: Clock;
  log: Log;
}

interface Counted {
  key: string;
  cost: number;
}

/** Shares limits between several processes. While Redis is unavailable, each process counts on its own. */
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

  /** Opens the limiter and waits for the first connection attempt. If that attempt fails, others follow. */
  static async open(parts: RedisLimiterParts): Promise<RedisLimiter> {
    // The library takes 20 MB per thread, so it is loaded only if Redis is configured.
    const ioredis = await import('ioredis');
    const redis = new ioredis.Redis(parts.url, OPTIONS);
    redis.defineCommand('take', { numberOfKeys: 1, lua: TAKE });
    const limiter = new RedisLimiter(redis, parts);
    await redis.connect().catch((error: Error) => limiter.#noteAway(error));
    return limiter;
  }

  /**
   * Counts a request of `cost` units for `key` under `rule`. Returns synchronously while requests are counted locally.
   */
  take(rule: Rule, key: string, cost = 1): Verdict | Promise<Verdict> {
    return this.#take(this.#parts.memory, rule, { key, cost });
  }

  /** Creates a limiter that uses the same connection, but counts locally in `memory`. */
  beside(memory: SharedLimiter): Pick<RedisLimiter, 'take'> {
    return { take: (rule, key, cost = 1) => this.#take(memory, rule, { key, cost }) };
  }

  close(): void {
    this.#redis.disconnect();
  }

  #take(memory: SharedLimiter, rule: Rule, request: Counted): Verdict | Promise<Verdict> {
    const isAway = this.#redis.status !== 'ready' || this.#parts.clock.now() < this.#restUntil;
    return isAway ? memory.take(rule, request.key, request.cost) : this.#ask(memory, rule, request);
  }

  async #ask(memory: SharedLimiter, rule: Rule, { key, cost }: Counted): Promise<Verdict> {
    try {
      const [allowed, ahead] = await this.#redis.take(`${rule.name}:${key}`, ...timesOf(rule, cost));
      this.#noteBack();
      // The request is also counted locally. So a used-up budget stays used up when Redis becomes unavailable.
      if (allowed) memory.take(rule, key, cost);
      return toVerdict(rule, allowed === 1, ahead / TICKS_PER_MS);
    } catch (error) {
      this.#restUntil = this.#parts.clock.now() + REST_MS;
      this.#noteAway(error as Error);
      return memory.take(rule, key, cost);
    }
  }

  /** Logs only the message, because errors of a refused login contain the password. */
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

/** Returns the arguments of TAKE for a request. */
export function timesOf(rule: Rule, cost: number): [window: number, one: number, all: number, ticks: number] {
  const [window, one, all] = [windowOf(rule), intervalOf(rule, 1), intervalOf(rule, cost)];
  return [window * TICKS_PER_MS, one * TICKS_PER_MS, all * TICKS_PER_MS, TICKS_PER_MS];
}
