/**
 * The search engine. Documents go into a `BuildWriter` and come out as the bytes of a build; `openBuild` makes those
 * bytes readable without a copy, and a `Searcher` ranks the documents of one build. It is pure: no files, no clock.
 */
export { analyse } from './analysis/analyse.ts';
export { normaliseQuery } from './analysis/normalise.ts';
export type { Build } from './build/build.ts';
export { compareDocuments, type DocumentOrder, type IndexDocument } from './build/document.ts';
export {
  BuildError,
  type BuildManifest,
  FORMAT_VERSION,
  type SectionManifest,
} from './build/manifest.ts';
export { checkFormat, openBuild, verifyBuild } from './build/open.ts';
export { COLD_SECTIONS, type ReadSection } from './build/sections.ts';
export { type BuildOutput, BuildWriter } from './build/writer.ts';
export { Languages } from './languages/languages.ts';
export type { Meaning } from './languages/meaning.ts';
export { PACK_VERSION, type Pack, writePack } from './languages/pack.ts';
export { type SynonymSet, Synonyms } from './languages/synonyms.ts';
export { type MixedHits, MixedSearcher, type WordHits } from './query/mixed.ts';
export { type Hits, Searcher, type SearchOptions } from './query/searcher.ts';
export { joinLists, type Typed, TypedReader, type TypingHelp } from './query/typed.ts';
export {
  decodeLooksModel,
  encodeLooksModel,
  fitLooks,
  LOOKS_DIMENSIONS,
  type LooksModel,
  projectLooks,
  SAME_PICTURE,
} from './similar/looks.ts';
export { findSimilar } from './similar/similar.ts';
export { countTerms, Suggester, type SuggestOptions } from './suggest/suggester.ts';
export type { Suggestion, TermKind } from './suggest/term.ts';
export { allocateVectors, spaceBytes, type VectorMemory, type VectorShape } from './vectors/memory.ts';
export { quantise } from './vectors/quantise.ts';
export { type VectorHits, VectorSearcher, type VectorSearchOptions } from './vectors/searcher.ts';
export { type SpaceManifest, type SpaceName, type SpaceShape, vectorsInMemory } from './vectors/space.ts';
