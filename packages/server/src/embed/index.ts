export { EmbedConfig } from './config.ts';
export { createEmbedder, type Embedder, type EmbedderOptions } from './embedder.ts';
export type { EmbedderState } from './runner.ts';
