export type { Verdict } from './limits.ts';
export {
  applyLimit,
  createDashboardLimit,
  createLimit,
  createMediaLimits,
  createPageLimit,
  createReportLimit,
  type Limit,
  type MediaLimits,
  type PageVerdict,
} from './limits.ts';
export { RedisLimiter } from './redis-limiter.ts';
export { SharedLimiter } from './shared-limiter.ts';
