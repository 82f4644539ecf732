export { relayMetrics } from './metrics.ts';
export { findRelayAddress, ignoreMarks, leaveRelay, marksOf, type RelaysReport, reportOnRelays } from './report.ts';
export { followRelays, keepFollowingRelays, readRelays } from './supervisor.ts';
