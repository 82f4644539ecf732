export {
  BuildError,
  FORMAT_VERSION,
  Languages,
  normaliseQuery,
  type OffensiveWords,
  offensiveWords,
  type SynonymSet,
  Synonyms,
} from '@zoetrope/search';
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
export type { Ranked, SearchEngine, SearchInProgress, Soon } from './engine.ts';
export { areLanguagesBeingMade, loadLanguages } from './languages.ts';
export { countVectors, LiveIndex, setTombstones } from './live.ts';
export { loadBuild, loadBuildAside, type SharedBuild, type SharedSegment } from './load.ts';
export type { PublishedManifest } from './manifest.ts';
export { OFFENSIVE_FILE, offensiveFile, readOffensiveWords } from './offensive.ts';
export { readPublished, readWholePublished, removeBuilds } from './publish.ts';
export { SHARED_BUILDS, SharedBuilds } from './shared-builds.ts';
export {
  decodeStored,
  encodeStored,
  type JsonBytes,
  parseJsonBytes,
  type StoredGif,
  toJsonBytes,
} from './stored-gif.ts';
export { emojiNames } from './suggest-emoji.ts';
export { readSynonyms, SYNONYMS_FILE, synonymsFile, synonymsState } from './synonyms.ts';
export { findWithheld, type Withheld } from './withheld.ts';
