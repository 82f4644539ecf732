/**
 * The search engine. Documents go into a `SegmentWriter` and come out as the bytes of a segment. `openSegment` makes
 * those bytes readable without a copy. A `Searcher` ranks the documents of a build, which is one segment or several.
 * The engine is pure: it uses no files and no clock.
 */
export { analyse } from './analysis/analyse.ts';
export { withoutVariants } from './analysis/fold.ts';
export { normaliseQuery } from './analysis/normalise.ts';
export {
  MAX_OFFENSIVE_TERMS,
  NO_WORDS,
  OFFENSIVE_TERM,
  OffensiveWords,
  offensiveWords,
} from './analysis/offensive.ts';
export { Build } from './build/build.ts';
export { compareDocuments, type DocumentOrder, type IndexDocument } from './build/document.ts';
export { EARLIER_SECTIONS, Earlier, type EarlierSegment } from './build/earlier.ts';
export {
  BuildError,
  FORMAT_VERSION,
  type SectionManifest,
  type SegmentManifest,
} from './build/manifest.ts';
export { checkFormat, openBuild, openSegment, verifySegment } from './build/open.ts';
export { COLD_SECTIONS, type ReadSection } from './build/sections.ts';
export { titleKey } from './build/title-key.ts';
export { type SegmentOutput, SegmentWriter } from './build/writer.ts';
export { languageOf } from './languages/format.ts';
export { Languages } from './languages/languages.ts';
export type { Meaning } from './languages/meaning.ts';
export { PACK_VERSION, type Pack, writePack } from './languages/pack.ts';
export { type SynonymSet, Synonyms } from './languages/synonyms.ts';
export { MeaningTable, writeTable } from './meaning/table.ts';
export { isOffensive, type Texts } from './postings/texts.ts';
export { aboutEqual, areWordsEnough, fuseLegs, isShort, type QueryKind, scaleCosine } from './query/fuse.ts';
export { type MeaningLeg, type MixedHits, mixLegs, type Soon, type WordHits } from './query/mixed.ts';
export { withoutPartial } from './query/partial.ts';
export { type WeighedQuery, type WeighedTerm, weighQuery } from './query/plan.ts';
export { type Hits, Searcher, type SearchOptions } from './query/searcher.ts';
export { spreadTitles } from './query/spread.ts';
export { joinLists, type Reading, TypedReader, type TypingHelp } from './query/typed.ts';
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
export { EditDistance } from './suggest/distance.ts';
export { unitsOf } from './suggest/grams.ts';
export { countTerms, Suggester, type SuggestOptions } from './suggest/suggester.ts';
export type { Suggestion, TermKind } from './suggest/term.ts';
export { VectorComparer } from './vectors/comparer.ts';
export { FewVectors } from './vectors/few.ts';
export { MeanCosine } from './vectors/mean-cosine.ts';
export { allocateVectors, hasVector, spaceBytes, type VectorMemory, type VectorShape } from './vectors/memory.ts';
export { quantise } from './vectors/quantise.ts';
export { VectorSearcher } from './vectors/searcher.ts';
export { SegmentedVectors } from './vectors/segmented.ts';
export { type SpaceManifest, type SpaceName, type SpaceShape, vectorsInMemory } from './vectors/space.ts';
export type { VectorHits, VectorSearchOptions, Vectors } from './vectors/vectors.ts';
export { impactsOf } from './vocabulary/impacts.ts';
export {
  VOCABULARY_VERSION,
  Vocabulary,
  type VocabularyManifest,
  type VocabularyPart,
} from './vocabulary/vocabulary.ts';
export { VocabularyWriter } from './vocabulary/writer.ts';
