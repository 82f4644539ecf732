export type { Verdict } from './limits.ts';
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
export { SharedLimiter } from './shared-limiter.ts';
