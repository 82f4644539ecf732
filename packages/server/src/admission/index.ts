export { Admission } from './admission.ts';
export { type Caller, type Client, createLookUp, type Identifier, type LookUp } from './callers.ts';
export { KnownCallers } from './known-callers.ts';
export { listUsage, listUsageByWay, recordUsage, sumUsage, type UsageCount, UsageTally, type Use } from './usage.ts';
