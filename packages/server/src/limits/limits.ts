import type { LimitsConfig } from './config.ts';
import type { Rule, Verdict } from './rules.ts';

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
  take(rule: Rule, key: string): Said;
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

/**
 * Counts a request for an image of an address, which is kept as a hash until its budget is whole again; undefined where
 * images are not limited.
 */
export function createMediaLimit(
  { enabled, media }: Pick<LimitsConfig, 'enabled' | 'media'>,
  limiter: Limiter<Verdict>,
): ((address: string) => Verdict) | undefined {
  if (enabled === 'off' || media === 0) return undefined;
  const rule: Rule = { name: 'media', quota: media, windowSeconds: WINDOW_SECONDS };
  return (address) => limiter.take(rule, address);
}

/** Signing in is counted by address, asking a domain for a proof by who asks. */
const DASHBOARD_RULES = {
  'sign-in': { name: 'sign-in', quota: 60, windowSeconds: 60 },
  proof: { name: 'proof', quota: 10, windowSeconds: 3_600 },
} as const satisfies Record<string, Rule>;

/** Counts what is not free in the dashboard; undefined where nothing is limited. */
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

/** The headers of draft-ietf-httpapi-ratelimit-headers-10 (structured fields): what the rule is, and what is left. */
export function limitHeaders({ rule, remaining, resetSeconds }: Verdict): { policy: string; state: string } {
  return {
    policy: `"${rule.name}";q=${rule.quota};w=${rule.windowSeconds}`,
    state: `"${rule.name}";r=${remaining};t=${resetSeconds}`,
  };
}
