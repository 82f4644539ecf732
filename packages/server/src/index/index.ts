export {
  BuildError,
  FORMAT_VERSION,
  Languages,
  normaliseQuery,
  type OffensiveWords,
  offensiveWords,
  type Soon,
  type SynonymSet,
  Synonyms,
} from '@zoetrope/search';
export { countVectors, openBuildSearch, setTombstones } from './build-engine.ts';
export {
  type BuildOptions,
  type BuildPolicy,
  isBaseDue,
  isBuildDue,
  makeBuild,
  makeBuildInMemory,
  type VectorSource,
  type VectorSources,
  vectorsOf,
} from './builder.ts';
export type { Engine, WordMatch } from './engine.ts';
export { areLanguagesBeingMade, loadLanguages } from './languages.ts';
export { loadBuild, loadBuildAside, type SharedBuild, type SharedSegment } from './load.ts';
export type { PublishedManifest } from './manifest.ts';
export { OFFENSIVE_FILE, offensiveFile, readOffensiveWords } from './offensive.ts';
export { readPublished, readWholePublished, removeBuilds } from './publish.ts';
export { type Ranked, Search, type SearchInProgress } from './search.ts';
export { SHARED_BUILDS, SharedBuilds } from './shared-builds.ts';
export {
  decodeStored,
  encodeStored,
  type JsonBytes,
  parseJsonBytes,
  type StoredGif,
  toJsonBytes,
} from './stored-gif.ts';
export { readSynonyms, SYNONYMS_FILE, synonymsFile, synonymsState } from './synonyms.ts';
export { findWithheld, type Withheld } from './withheld.ts';
