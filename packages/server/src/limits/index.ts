export { LimitsConfig } from './config.ts';
export {
  createDashboardLimit,
  createLimit,
  createMediaLimits,
  type Limit,
  limitHeaders,
  type MediaLimits,
} from './limits.ts';
export { RedisLimiter } from './redis-limiter.ts';
export type { Verdict } from './rules.ts';
export { SharedLimiter } from './shared-limiter.ts';
