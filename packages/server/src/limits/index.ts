export { LimitsConfig } from './config.ts';
export { createDashboardLimit, createLimit, createMediaLimit, type Limit, limitHeaders } from './limits.ts';
export { RedisLimiter } from './redis-limiter.ts';
export type { Verdict } from './rules.ts';
export { SharedLimiter } from './shared-limiter.ts';
