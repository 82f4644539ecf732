export { type BackupResult, type RestoreResult, restore } from './backup.ts';
export { type BuildsReport, releaseBuild, reportOnBuilds, useBuild } from './builds.ts';
export {
  findCatalogues,
  followCatalogue,
  keepFollowingCatalogues,
  keepPublishing,
  leaveCatalogue,
  publishNow,
  readDueCatalogues,
  verifyCatalogue,
} from './catalogues.ts';
export { checkBackup } from './check-backup.ts';
export { copyMedia, type Direction } from './copy-media.ts';
export { examine, type Finding, type Report } from './doctor/index.ts';
export { checkLinksOnce, keepCheckingLinks, type LinkCheckResult } from './link-check.ts';
export { areProbesDue, keepProbingLinks, type ProbeSummary, probeLinks } from './link-probe.ts';
export { cancelMove, type Moved, moveCatalogue, type Side } from './migrate.ts';
export { forgetMachine, type NodesReport, reportOnNodes } from './nodes.ts';
export { backUpAndNote, noteDeadBackup } from './note-backup.ts';
export { readNumbers, readStatus, type Status } from './status.ts';
