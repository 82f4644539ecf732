export { relayMetrics } from './metrics.ts';
export {
  findRelayAddress,
  ignoredSubjects,
  ignoreMarks,
  joinRelay,
  leaveRelay,
  marksOf,
  type RelaysReport,
  reportOnRelays,
} from './report.ts';
export { followRelays, keepFollowingRelays, readRelays } from './supervisor.ts';
export { configuredRelays } from './wanted.ts';
