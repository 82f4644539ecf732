export {
  BuildError,
  FORMAT_VERSION,
  Languages,
  languageOf,
  normaliseQuery,
  type OffensiveWords,
  offensiveWords,
  type Soon,
  type SynonymSet,
  Synonyms,
} from '@zoetrope/search';
export { countVectors, openBuildSearch, setTombstones } from './build-engine.ts';
export type { Engine, WordMatch } from './engine.ts';
export { areLanguagesBeingMade, loadLanguages } from './languages.ts';
export { OFFENSIVE_FILE, offensiveFile, readOffensiveWords } from './offensive.ts';
export { type Ranked, Search, type SearchInProgress } from './search.ts';
export { readSynonyms, SYNONYMS_FILE, synonymsFile, synonymsState } from './synonyms.ts';
export { findWithheld, type Withheld } from './withheld.ts';
