export {
  createDashboardLimit,
  createLimit,
  createMediaLimits,
  createPageLimit,
  type Limit,
  limitHeaders,
  type MediaLimits,
  type PageVerdict,
} from './limits.ts';
export { RedisLimiter } from './redis-limiter.ts';
export type { Verdict } from './rules.ts';
export { SharedLimiter } from './shared-limiter.ts';
