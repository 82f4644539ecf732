export {
  type Attribution,
  type ClientOptions,
  createClient,
  type GifClient,
  type Page,
  type SearchOptions,
} from './client.ts';
export type {
  Category,
  ErrorCode,
  Gif,
  Preview,
  Previews,
  SearchMode,
  SearchResponse,
  SimilarResponse,
  SuggestResponse,
  Term,
  TrendingResponse,
} from './contract.ts';
export type { Discovery, TrendingOptions } from './discovery.ts';
export { GifError, type GifErrorCode } from './errors.ts';
export { fromImeta, type Imeta, noteTags, toImeta, withGif } from './imeta.ts';
export { previewVideoOf, stillOf, videoOf } from './pictures.ts';
export type { CallOptions } from './request.ts';
export { createSession, type SearchSession, type SessionOptions, type SessionState } from './session.ts';
