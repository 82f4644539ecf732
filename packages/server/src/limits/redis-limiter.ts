import type { Redis, Result } from 'ioredis';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { intervalOf, type Rule, TICKS_PER_MS, toVerdict, type Verdict, windowOf } from './limits.ts';
import type { SharedLimiter } from './shared-limiter.ts';

/** Longer than this no request waits for its budget. */
const COMMAND_MS = 100;
/** How long nobody asks a server that has just failed to answer. */
const REST_MS = 1_000;
const CONNECT_MS = 1_000;

const OPTIONS = {
  lazyConnect: true,
  // What cannot be asked at once, or gets no answer, is counted here.
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
 * `judge` of rules.ts by the clock of the server, so that clocks of services may differ. In ticks, which are whole; a
 * number is written out in full, because Lua would round it to 14 digits. What is kept goes when it says nothing more. The
 * time at which it was written stands beside it: that lies ahead only where the server's clock was set back since, and then
 * both are moved back with it.
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
     * @param times in ticks: the window, the interval of one unit, that of all; and how many make a millisecond
     * @returns whether it is allowed, ticks by which the theoretical arrival time lies ahead, the server's milliseconds
     */
    take(key: string, ...times: [number, number, number, number]): Result<[0 | 1, number, number], Context>;
  }
}

export interface RedisLimiterParts {
  url: string;
  /** Counts while Redis is away. */
  memory: SharedLimiter;
  clock: Clock;
  log: Log;
}

interface Counted {
  key: string;
  cost: number;
}

/** Counts requests of several processes together. While Redis is away, each of them counts by itself. */
export class RedisLimiter {
  readonly #redis: Redis;
  readonly #parts: RedisLimiterParts;
  #isAway = false;
  /** By the steady clock. */
  #restUntil = 0;

  private constructor(redis: Redis, parts: RedisLimiterParts) {
    this.#redis = redis;
    this.#parts = parts;
    redis.on('error', (error: Error) => this.#noteAway(error));
  }

  /** Waits until the first try to connect has succeeded or failed; there will be others. */
  static async open(parts: RedisLimiterParts): Promise<RedisLimiter> {
    // 20 MB in each thread, which who has no Redis need not pay.
    const ioredis = await import('ioredis');
    const redis = new ioredis.Redis(parts.url, OPTIONS);
    redis.defineCommand('take', { numberOfKeys: 1, lua: TAKE });
    const limiter = new RedisLimiter(redis, parts);
    await redis.connect().catch((error: Error) => limiter.#noteAway(error));
    return limiter;
  }

  /** Counts a request of so many units against the budget that `key` has under `rule`: at once while that is done here. */
  take(rule: Rule, key: string, cost = 1): Verdict | Promise<Verdict> {
    return this.#take(this.#parts.memory, rule, { key, cost });
  }

  /** Counts over the same connection; while Redis is away, in a memory of its own. */
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
      // Counted here too, so that whoever has used its budget up does not find a new one when Redis goes away.
      if (allowed) memory.take(rule, key, cost);
      return toVerdict(rule, allowed === 1, ahead / TICKS_PER_MS);
    } catch (error) {
      this.#restUntil = this.#parts.clock.now() + REST_MS;
      this.#noteAway(error as Error);
      return memory.take(rule, key, cost);
    }
  }

  /** The message alone: errors of a refused login carry the password. */
  #noteAway({ message: reason }: Error): void {
    if (!this.#isAway) {
      this.#parts.log.warn({ reason }, 'Redis (ZOETROPE_REDIS_URL) is away; this process counts requests by itself');
    }
    this.#isAway = true;
  }

  #noteBack(): void {
    if (this.#isAway) this.#parts.log.info('Redis (ZOETROPE_REDIS_URL) is back; requests are counted together again');
    this.#isAway = false;
  }
}

/** What TAKE wants to know of a request. */
export function timesOf(rule: Rule, cost: number): [window: number, one: number, all: number, ticks: number] {
  const [window, one, all] = [windowOf(rule), intervalOf(rule, 1), intervalOf(rule, cost)];
  return [window * TICKS_PER_MS, one * TICKS_PER_MS, all * TICKS_PER_MS, TICKS_PER_MS];
}
