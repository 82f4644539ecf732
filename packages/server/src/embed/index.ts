export { documentText } from './document-text.ts';
export { createEmbedder, type Embedder, type EmbedderOptions, type QueryTable } from './embedder.ts';
export {
  isModelInUse,
  type ListedModel,
  listModels,
  type PullOptions,
  pinOf,
  pullModel,
  removeModel,
} from './models/models.ts';
export type { Rank } from './queries.ts';
export type { EmbedderState } from './runner.ts';
export { embedWithTable, openMeaningTable, readMeaningTable } from './table.ts';
