export {
  type BuildPolicy,
  isBaseDue,
  isBuildDue,
  makeBuild,
  makeBuildInMemory,
  type VectorSource,
  type VectorSources,
  vectorsOf,
} from './builder.ts';
export { currentHold, endHold, type Hold, holdBuild, holdMigrations, mayServe, readHold } from './hold.ts';
export { type ListedBuild, listBuilds } from './list.ts';
export { loadBuild, loadBuildAside, openShared, type SharedBuild, type SharedSegment } from './load.ts';
export type { PublishedManifest } from './manifest.ts';
export { outdatedIds } from './outdated.ts';
export {
  publishedState,
  publishFrom,
  readManifest,
  readPublished,
  readWholePublished,
  removeBuilds,
} from './publish.ts';
export { SHARED_BUILDS, SharedBuilds } from './shared-builds.ts';
export {
  decodeStored,
  encodeStored,
  type JsonBytes,
  parseJsonBytes,
  type StoredGif,
  toJsonBytes,
} from './stored-gif.ts';
