import { createHash } from 'node:crypto';
import { ServiceError } from '../base/errors.ts';
import type { LimitsConfig } from './config.ts';

/**
 * Maximum number of units (requests or bytes) per window. The whole maximum can be used in one burst. It refills evenly
 * over the window.
 */
export interface Rule {
  /** Name of the limit in response headers. */
  name: string;
  /** The table in which the rule's budgets are counted. */
  table: Table;
  /** Maximum number of units per window. 0: no limit. */
  quota: number;
  windowSeconds: number;
}

/**
 * Kinds of requests. The budgets of each kind have separate memory, so that a flood of one kind does not affect the
 * others.
 */
export const TABLES = ['clients', 'media', 'pages', 'sign-in', 'proof', 'report', 'change', 'upload'] as const;
type Table = (typeof TABLES)[number];

/** A budget that a request uses. */
export interface Charge {
  rule: Rule;
  key: string;
}

/** Resolution of stored times, in ticks per millisecond. */
export const TICKS_PER_MS = 256;

/** The decision on one request. Quantities are in units of the request's rule. */
export interface Verdict {
  rule: Rule;
  allowed: boolean;
  /** Number of units that are still available now. */
  remaining: number;
  /** Seconds until the full quota is available again. */
  resetSeconds: number;
  /** Seconds until another request is allowed. 0 if this request was allowed. */
  retryAfterSeconds: number;
}

/** The state of a budget before a request, and the cost of the request. */
interface Spent {
  /** Theoretical arrival time after the previous request. A time in the past means that the full quota is available. */
  arrival: number;
  /** At least one unit. */
  cost: number;
}

/**
 * Decides on a request at the time `now` with the generic cell rate algorithm (ITU-T I.371, virtual scheduling form).
 * Returns the verdict and the new theoretical arrival time. Times are in milliseconds. redis-limiter.ts has the same
 * algorithm in Lua. A caller with only one unit left can still use more units, but then waits longer, because a file is
 * sent either completely or not at all.
 */
export function judge(rule: Rule, { arrival, cost }: Spent, now: number): { verdict: Verdict; arrival: number } {
  const before = Math.max(arrival, now);
  const allowed = before + intervalOf(rule, 1) - now <= windowOf(rule);
  const left = allowed ? before + intervalOf(rule, cost) : before;
  return { verdict: toVerdict(rule, allowed, left - now), arrival: left };
}

/** Returns the verdict on one more request without counting the request. */
export function foresee(rule: Rule, arrival: number, now: number): Verdict {
  const ahead = Math.max(arrival - now, 0);
  return toVerdict(rule, ahead + intervalOf(rule, 1) <= windowOf(rule), ahead);
}

/**
 * Turns a decision into a verdict.
 * @param ahead milliseconds by which the theoretical arrival time is ahead
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

/** Returns the milliseconds in which this number of units refills. */
export function intervalOf(rule: Rule, units: number): number {
  // The interval is a whole number of ticks, so that stored times are exact. Because of this rounding, a quota of
  // 100,000 requests per minute allows half a percent more requests.
  return Math.max(1, Math.floor((windowOf(rule) * TICKS_PER_MS * units) / rule.quota)) / TICKS_PER_MS;
}

export function windowOf(rule: Rule): number {
  return rule.windowSeconds * 1_000;
}

export type Operation = 'search' | 'suggest' | 'similar';

const WINDOW_SECONDS = 60;

/** The client whose requests are counted. */
export interface LimitedClient {
  id: string;
  isDevelopment: boolean;
  /** The client's own limit. If undefined, the default of the service applies. */
  searchesPerMinute?: number;
}

/** A verdict, or a promise of a verdict if requests are counted in another process. */
type SoonVerdict = Verdict | Promise<Verdict>;

interface Limiter<Said extends SoonVerdict> {
  take(rule: Rule, key: string, cost?: number): Said;
  takeAll(charges: readonly Charge[], cost?: number): Said;
}

/** A limiter that can also give a verdict without counting a request. */
interface LocalLimiter extends Limiter<Verdict> {
  look(rule: Rule, key: string): Verdict;
  lookAtAll(charges: readonly Charge[]): Verdict;
}

/**
 * The budget of each network, as a multiple of the budget of one address. An IPv6 customer gets a whole network of
 * addresses, usually a /56 or a /48 (RFC 6177), so limits for single addresses have no effect. The budgets leave room
 * for people who share a network.
 */
const NETWORKS = { '/24': 16, '/56': 4, '/48': 16 } as const;

/**
 * Returns the budgets of an address and of its networks, the narrowest first. The keys are hashes, so no address is
 * stored.
 * @param address an IPv4 address, or the 16 hexadecimal digits of a /64 network
 */
export function chargesOf(rule: Rule, address: string): Charge[] {
  const own = { rule, key: hashOf(address) };
  const wider = (size: keyof typeof NETWORKS, network: string): Charge => ({
    rule: { ...rule, name: `${rule.name}${size}`, quota: rule.quota * NETWORKS[size] },
    key: hashOf(`${network}${size}`),
  });
  if (/^[\da-f]{16}$/.test(address))
    return [own, wider('/56', address.slice(0, 14)), wider('/48', address.slice(0, 12))];
  const ipv4 = address.lastIndexOf('.');
  return ipv4 < 0 ? [own] : [own, wider('/24', address.slice(0, ipv4))];
}

/** Counts a client's request. Returns undefined if there is no limit. */
export type Limit<Said extends SoonVerdict = SoonVerdict> = (
  client: LimitedClient,
  operation: Operation,
) => Said | undefined;

/**
 * Creates the limit for clients. Each client has a separate budget for each operation, so that completions do not use
 * up the client's searches. If a client has its own limit for searches, its other limits change in the same proportion.
 */
export function createLimit<Said extends SoonVerdict>(config: LimitsConfig, limiter: Limiter<Said>): Limit<Said> {
  if (config.enabled === 'off') return () => undefined;
  const { search, suggest, similar, developmentPercent } = config;
  const rules = {
    all: rulesOf({ search, suggest, similar }, 1),
    development: rulesOf({ search, suggest, similar }, developmentPercent / 100),
  };
  const own = new Map<number, Record<Operation, Rule>>();
  const ownRules = (searches: number): Record<Operation, Rule> => {
    const known = own.get(searches);
    if (known !== undefined) return known;
    const made =
      search === 0
        ? rulesOf({ search: searches, suggest, similar }, 1)
        : rulesOf({ search, suggest, similar }, searches / search);
    own.set(searches, made);
    return made;
  };
  return ({ id, isDevelopment, searchesPerMinute }, operation) => {
    const shared = isDevelopment ? rules.development : rules.all;
    const rule = (searchesPerMinute === undefined ? shared : ownRules(searchesPerMinute))[operation];
    return rule.quota === 0 ? undefined : limiter.take(rule, id);
  };
}

/**
 * Maximum number of windows that an IP address waits after a single file. With this maximum, the wait is never longer
 * than an hour, even if the byte budget is very small.
 */
const MAX_WINDOWS = 60;

/**
 * Counts the media requests from an IP address, and the bytes sent to this address. Each function is undefined if its
 * limit is turned off.
 */
export interface MediaLimits<Said extends SoonVerdict = SoonVerdict> {
  requests: ((address: string) => Said) | undefined;
  bytes: ((address: string, bytes: number) => Said) | undefined;
}

/** Creates the limits for media. IP addresses are stored as hashes until their budget is full again. */
export function createMediaLimits<Said extends SoonVerdict>(
  { enabled, media, mediaBytes }: Pick<LimitsConfig, 'enabled' | 'media' | 'mediaBytes'>,
  limiter: Limiter<Said>,
): MediaLimits<Said> {
  const requests: Rule = { name: 'media', table: 'media', quota: media, windowSeconds: WINDOW_SECONDS };
  const bytes: Rule = { name: 'media-bytes', table: 'media', quota: mediaBytes, windowSeconds: WINDOW_SECONDS };
  const isOn = (rule: Rule) => enabled === 'on' && rule.quota > 0;
  return {
    requests: isOn(requests) ? (address) => limiter.takeAll(chargesOf(requests, address)) : undefined,
    bytes: isOn(bytes)
      ? (address, sent) => limiter.takeAll(chargesOf(bytes, address), Math.min(sent, MAX_WINDOWS * mediaBytes))
      : undefined,
  };
}

/** The verdict for a search on the service's own pages. */
export interface PageVerdict extends Pick<Verdict, 'allowed' | 'retryAfterSeconds'> {
  /** Whether the address has used up its semantic searches. */
  isWordsOnly: boolean;
}

/**
 * The common budget of all visitors of the pages, as a multiple of the budget of one address. The first few searches of
 * each network do not count against this budget.
 */
const TOGETHER = 25;
/**
 * Share of its budget that an address can use even if others have used up the common budget. All IPv6 addresses of a
 * /48 network together have this share only once, because these addresses cost nothing. IPv4 addresses cost money, so a
 * /24 network has several such shares.
 */
const SPARED = 1 / 8;

/**
 * Creates the limit for searches on the service's own pages, which need no registration. Its function returns undefined
 * if there is no limit.
 */
export function createPageLimit(
  { enabled, pages }: Pick<LimitsConfig, 'enabled' | 'pages'>,
  limiter: LocalLimiter,
): (address: string) => PageVerdict | undefined {
  if (enabled === 'off' || pages === 0) return () => undefined;
  const rule = (name: string, quota: number): Rule => ({
    ...{ name, table: 'pages', quota: Math.ceil(quota), windowSeconds: WINDOW_SECONDS },
  });
  const all = rule('pages', pages);
  const meaning = rule('pages-meaning', pages / 2);
  const together = { rule: rule('pages-together', TOGETHER * pages), key: 'everybody' };
  const meaningTogether = { rule: rule('pages-meaning-together', (TOGETHER * pages) / 2), key: 'everybody' };
  const first = rule('pages-first', SPARED * pages);
  const firstOfIpv4 = { ...first, quota: first.quota * NETWORKS['/24'] };
  return (address) => {
    const charges = chargesOf(all, address);
    const isSpared = limiter.take(address.includes('.') ? firstOfIpv4 : first, charges.at(-1)!.key).allowed;
    const { allowed, retryAfterSeconds } = limiter.takeAll(isSpared ? charges : [...charges, together]);
    if (!allowed) return { allowed, retryAfterSeconds, isWordsOnly: true };
    const { allowed: hasMeaning } = limiter.takeAll([...chargesOf(meaning, address), meaningTogether]);
    return { allowed, retryAfterSeconds, isWordsOnly: !hasMeaning };
  };
}

function hashOf(address: string): string {
  return createHash('sha256').update(address).digest('base64url').slice(0, 22);
}

const REPORTS: Rule = { name: 'report', table: 'report', quota: 10, windowSeconds: 3_600 };

/**
 * Creates the limit for reports. `take` counts a report, and `look` only checks the limit. Both functions return
 * undefined if there is no limit.
 */
export function createReportLimit(
  { enabled }: Pick<LimitsConfig, 'enabled'>,
  limiter: LocalLimiter,
): Record<'look' | 'take', (address: string) => Verdict | undefined> {
  if (enabled === 'off') return { look: () => undefined, take: () => undefined };
  return {
    look: (address) => limiter.lookAtAll(chargesOf(REPORTS, address)),
    take: (address) => limiter.takeAll(chargesOf(REPORTS, address)),
  };
}

/**
 * Sign-ins and requests to upload are counted for each IP address and network, domain checks for each user, and changes
 * for each IP address and user. Changes are limited because every change is logged permanently and makes all threads look up callers again.
 */
const DASHBOARD_RULES = {
  'sign-in': { name: 'sign-in', table: 'sign-in', quota: 60, windowSeconds: 60 },
  'sign-in-of-network': { name: 'sign-in', table: 'sign-in', quota: 60, windowSeconds: 60 },
  proof: { name: 'proof', table: 'proof', quota: 10, windowSeconds: 3_600 },
  change: { name: 'change', table: 'change', quota: 120, windowSeconds: 3_600 },
  upload: { name: 'upload', table: 'upload', quota: 600, windowSeconds: 3_600 },
  'changes-of-address': { name: 'changes-of-address', table: 'change', quota: 600, windowSeconds: 3_600 },
} as const satisfies Record<string, Rule>;

/**
 * Creates the limit for all actions in the dashboard that use resources. Its function returns undefined if there is no
 * limit. For sign-ins, an address and its networks are counted separately, because a network's used-up budget must not
 * stop operators from signing in.
 */
export function createDashboardLimit(
  { enabled }: Pick<LimitsConfig, 'enabled'>,
  limiter: Limiter<Verdict>,
): (budget: keyof typeof DASHBOARD_RULES, who: string) => Verdict | undefined {
  return (budget, who) => {
    if (enabled === 'off') return undefined;
    const [own, ...networks] = chargesOf(DASHBOARD_RULES[budget], who);
    if (budget === 'sign-in') return limiter.takeAll([own!]);
    if (budget === 'sign-in-of-network') return networks.length === 0 ? undefined : limiter.takeAll(networks);
    return limiter.takeAll([own!, ...networks]);
  };
}

function rulesOf(quotas: Record<Operation, number>, share: number): Record<Operation, Rule> {
  const rule = (name: Operation): Rule => {
    const quota = quotas[name] === 0 ? 0 : Math.max(1, Math.round(quotas[name] * share));
    return { name, table: 'clients', quota, windowSeconds: WINDOW_SECONDS };
  };
  return { search: rule('search'), suggest: rule('suggest'), similar: rule('similar') };
}

/** The effects of a verdict on the response. */
export interface Budget {
  /** Headers with the rule and the remaining budget, as alternating names and values. */
  headers: readonly string[];
  /** Error with which the request is rejected. Undefined if the request is allowed. */
  refusal: ServiceError | undefined;
}

const UNLIMITED: Budget = { headers: [], refusal: undefined };

/** Turns a verdict into its effect on the response. @param verdict undefined if there is no limit */
export function applyLimit(verdict: Verdict | undefined): Budget {
  if (verdict === undefined) return UNLIMITED;
  return { headers: limitHeaders(verdict), refusal: verdict.allowed ? undefined : refusalOf(verdict) };
}

function refusalOf({ rule, retryAfterSeconds: retryAfter }: Verdict): ServiceError {
  const message = `More than ${rule.quota} requests to ${rule.name} in ${rule.windowSeconds} s; try again in ${retryAfter} s`;
  return new ServiceError('rate_limited', message, { retryAfter });
}

/** Returns the headers of draft-ietf-httpapi-ratelimit-headers-10 (structured fields). */
function limitHeaders({ rule, remaining, resetSeconds }: Verdict): string[] {
  const policy = `"${rule.name}";q=${rule.quota};w=${rule.windowSeconds}`;
  return ['ratelimit-policy', policy, 'ratelimit', `"${rule.name}";r=${remaining};t=${resetSeconds}`];
}
