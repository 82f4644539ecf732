export type { ClusterLayout } from './layout.ts';
export { ClusterIndex, type ClusterReader } from './searcher.ts';
export { type ClusterState, readState, readVocabulary } from './state.ts';
export { type IndexOptions, rebuildIndex, syncIndex } from './writer.ts';
