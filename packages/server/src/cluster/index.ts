export { checkIndex, type IndexCheck } from './check.ts';
export { type ClusterReader, openClusterSearch } from './engine.ts';
export { isIndexThere } from './layout.ts';
export { type Cluster, openCluster, openShadow } from './open.ts';
export { buildOf, type ClusterState, loadState, readState, type SharedCluster } from './state.ts';
export { type IndexOptions, isIndexDue, isIndexMissing, rebuildIndex, syncIndex } from './writer.ts';
