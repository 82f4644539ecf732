export type { ClusterLayout } from './layout.ts';
export { ClusterIndex, type ClusterReader } from './searcher.ts';
export { type ClusterState, readVocabulary } from './state.ts';
export { type IndexOptions, rebuildIndex } from './writer.ts';
