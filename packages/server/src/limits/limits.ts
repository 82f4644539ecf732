import { createHash } from 'node:crypto';
import { ServiceError } from '../base/errors.ts';
import type { LimitsConfig } from './config.ts';

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

export type Operation = 'search' | 'suggest' | 'similar';

const WINDOW_SECONDS = 60;

/** Who is limited. */
export interface LimitedClient {
  id: string;
  isDevelopment: boolean;
}

/** A verdict, or a promise of one where budgets are counted elsewhere. */
type SoonVerdict = Verdict | Promise<Verdict>;

interface Limiter<Said extends SoonVerdict> {
  take(rule: Rule, key: string, cost?: number): Said;
}

/** Counts a request of a client; undefined where nothing is limited. */
export type Limit<Said extends SoonVerdict = SoonVerdict> = (
  client: LimitedClient,
  operation: Operation,
) => Said | undefined;

/** Each client has a budget for each operation, so that completing terms does not use up the searches. */
export function createLimit<Said extends SoonVerdict>(config: LimitsConfig, limiter: Limiter<Said>): Limit<Said> {
  if (config.enabled === 'off') return () => undefined;
  const { search, suggest, similar, developmentPercent } = config;
  const rules = {
    all: rulesOf({ search, suggest, similar }, 1),
    development: rulesOf({ search, suggest, similar }, developmentPercent / 100),
  };
  return ({ id, isDevelopment }, operation) => {
    const rule = (isDevelopment ? rules.development : rules.all)[operation];
    return rule.quota === 0 ? undefined : limiter.take(rule, id);
  };
}

/** One file never makes an address wait for more than an hour, however small its budget of bytes is. */
const MAX_WINDOWS = 60;

/** Counts a request for an image of an address, and what it is sent; each undefined where there is no such limit. */
export interface MediaLimits<Said extends SoonVerdict = SoonVerdict> {
  requests: ((address: string) => Said) | undefined;
  bytes: ((address: string, bytes: number) => Said) | undefined;
}

/** An address is kept as a hash, until its budget is whole again. */
export function createMediaLimits<Said extends SoonVerdict>(
  { enabled, media, mediaBytes }: Pick<LimitsConfig, 'enabled' | 'media' | 'mediaBytes'>,
  limiter: Limiter<Said>,
): MediaLimits<Said> {
  const requests: Rule = { name: 'media', quota: media, windowSeconds: WINDOW_SECONDS };
  const bytes: Rule = { name: 'media-bytes', quota: mediaBytes, windowSeconds: WINDOW_SECONDS };
  const isOn = (rule: Rule) => enabled === 'on' && rule.quota > 0;
  return {
    requests: isOn(requests) ? (address) => limiter.take(requests, hashOf(address)) : undefined,
    bytes: isOn(bytes)
      ? (address, sent) => limiter.take(bytes, hashOf(address), Math.min(sent, MAX_WINDOWS * mediaBytes))
      : undefined,
  };
}

/** What an address may do on the pages of this service. */
export interface PageVerdict extends Pick<Verdict, 'allowed' | 'retryAfterSeconds'> {
  /** Whether it has asked for meaning so often that words must do. */
  isWordsOnly: boolean;
}

/** Counts a search on our own pages, which need no registration; undefined where nothing is limited. */
export function createPageLimit(
  { enabled, pages }: Pick<LimitsConfig, 'enabled' | 'pages'>,
  limiter: Limiter<Verdict>,
): (address: string) => PageVerdict | undefined {
  if (enabled === 'off' || pages === 0) return () => undefined;
  const all: Rule = { name: 'pages', quota: pages, windowSeconds: WINDOW_SECONDS };
  const meaning: Rule = { name: 'pages-meaning', quota: Math.ceil(pages / 2), windowSeconds: WINDOW_SECONDS };
  return (address) => {
    const who = hashOf(address);
    const { allowed, retryAfterSeconds } = limiter.take(all, who);
    return { allowed, retryAfterSeconds, isWordsOnly: !allowed || !limiter.take(meaning, who).allowed };
  };
}

function hashOf(address: string): string {
  return createHash('sha256').update(address).digest('base64url').slice(0, 22);
}

/**
 * Signing in and reporting are counted by address, asking a domain for a proof by who asks. What somebody changes who is
 * signed in is counted by both: each change is written down for good, and has all threads look up callers again.
 */
const DASHBOARD_RULES = {
  'sign-in': { name: 'sign-in', quota: 60, windowSeconds: 60 },
  proof: { name: 'proof', quota: 10, windowSeconds: 3_600 },
  report: { name: 'report', quota: 10, windowSeconds: 3_600 },
  change: { name: 'change', quota: 120, windowSeconds: 3_600 },
  'changes-of-address': { name: 'changes-of-address', quota: 600, windowSeconds: 3_600 },
} as const satisfies Record<string, Rule>;

/** Counts what is not free for people; undefined where nothing is limited. */
export function createDashboardLimit(
  { enabled }: Pick<LimitsConfig, 'enabled'>,
  limiter: Limiter<Verdict>,
): (budget: keyof typeof DASHBOARD_RULES, who: string) => Verdict | undefined {
  return (budget, who) => (enabled === 'off' ? undefined : limiter.take(DASHBOARD_RULES[budget], who));
}

function rulesOf(quotas: Record<Operation, number>, share: number): Record<Operation, Rule> {
  const rule = (name: Operation): Rule => {
    const quota = quotas[name] === 0 ? 0 : Math.max(1, Math.round(quotas[name] * share));
    return { name, quota, windowSeconds: WINDOW_SECONDS };
  };
  return { search: rule('search'), suggest: rule('suggest'), similar: rule('similar') };
}

/** What a verdict means for the answer to a request. */
export interface Budget {
  /** What the rule is, and what is left: names and values in turn. */
  headers: readonly string[];
  /** Why the request is refused; undefined when it is not. */
  refusal: ServiceError | undefined;
}

const UNLIMITED: Budget = { headers: [], refusal: undefined };

/** Applies a verdict, or undefined where nothing is limited. */
export function applyLimit(verdict: Verdict | undefined): Budget {
  if (verdict === undefined) return UNLIMITED;
  return { headers: limitHeaders(verdict), refusal: verdict.allowed ? undefined : refusalOf(verdict) };
}

function refusalOf({ rule, retryAfterSeconds: retryAfter }: Verdict): ServiceError {
  const message = `More than ${rule.quota} requests to ${rule.name} in ${rule.windowSeconds} s; try again in ${retryAfter} s`;
  return new ServiceError('rate_limited', message, { retryAfter });
}

/** As draft-ietf-httpapi-ratelimit-headers-10 has them (structured fields). */
function limitHeaders({ rule, remaining, resetSeconds }: Verdict): string[] {
  const policy = `"${rule.name}";q=${rule.quota};w=${rule.windowSeconds}`;
  return ['ratelimit-policy', policy, 'ratelimit', `"${rule.name}";r=${remaining};t=${resetSeconds}`];
}
