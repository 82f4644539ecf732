/** So many requests, or bytes, in a window, evenly spread but for a burst of as many as the window has. */
export interface Rule {
  /** Names the budget in headers. */
  name: string;
  /** Units, requests or bytes, a window; 0 for no limit. */
  quota: number;
  windowSeconds: number;
}

/** Times are kept in these parts of a millisecond. */
export const TICKS_PER_MS = 256;

/** What the limiter says of one request; all of it in the units of its rule. */
export interface Verdict {
  rule: Rule;
  allowed: boolean;
  /** What may follow at once. */
  remaining: number;
  /** Seconds until the whole quota is there again. */
  resetSeconds: number;
  /** Seconds until one more request is allowed; 0 when it was. */
  retryAfterSeconds: number;
}

/** What is there before a request, and what it costs. */
interface Spent {
  /** The theoretical arrival time that the request before left; anything up to now means a full quota. */
  arrival: number;
  /** Units, at least one. */
  cost: number;
}

/**
 * The verdict of the generic cell rate algorithm (ITU-T I.371, in its virtual scheduling form) on a request at `now`,
 * and the theoretical arrival time it leaves. Times are in milliseconds. The same is written in Lua: redis-limiter.ts.
 * Whoever has one unit left may spend more than there is, and waits the longer: a file comes whole or not at all.
 */
export function judge(rule: Rule, { arrival, cost }: Spent, now: number): { verdict: Verdict; arrival: number } {
  const before = Math.max(arrival, now);
  const allowed = before + intervalOf(rule, 1) - now <= windowOf(rule);
  const left = allowed ? before + intervalOf(rule, cost) : before;
  return { verdict: toVerdict(rule, allowed, left - now), arrival: left };
}

/**
 * Says what follows from a decision.
 * @param ahead milliseconds by which the theoretical arrival time lies ahead
 */
export function toVerdict(rule: Rule, allowed: boolean, ahead: number): Verdict {
  const [window, interval] = [windowOf(rule), intervalOf(rule, 1)];
  return {
    rule,
    allowed,
    remaining: Math.max(0, Math.floor((window - ahead) / interval)),
    resetSeconds: Math.ceil(ahead / 1_000),
    retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((ahead + interval - window) / 1_000)),
  };
}

/** Milliseconds from a request of so many units to the next, if they come evenly. */
export function intervalOf(rule: Rule, units: number): number {
  // In whole ticks, so that what is kept is exact; at 100,000 a minute that lets half a percent more pass.
  return Math.max(1, Math.floor((windowOf(rule) * TICKS_PER_MS * units) / rule.quota)) / TICKS_PER_MS;
}

export function windowOf(rule: Rule): number {
  return rule.windowSeconds * 1_000;
}
