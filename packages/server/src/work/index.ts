export {
  build,
  buildInMemory,
  checkClusterIndex,
  isShadowDue,
  needsBuild,
  type Published,
  policyOf,
  readShown,
  writeCluster,
} from './build.ts';
export { followHold } from './hold.ts';
export { usableMode } from './rating-mode.ts';
export {
  askForWork,
  fetchUrls,
  GAVE_WAY,
  GaveWay,
  hasAnyWork,
  hasJobs,
  isAdding,
  isWorkDue,
  readSources,
  request,
  requestSoon,
  type WorkSummary,
  work,
} from './work.ts';
export type { Task } from './workshop.ts';
