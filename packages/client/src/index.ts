export {
  type Attribution,
  type CallOptions,
  type ClientOptions,
  createClient,
  type GifClient,
  type Page,
  type SearchOptions,
} from './client.ts';
export type {
  ErrorCode,
  Gif,
  Preview,
  Previews,
  SearchMode,
  SearchResponse,
  SimilarResponse,
  SuggestResponse,
  Term,
} from './contract.ts';
export { GifError, type GifErrorCode } from './errors.ts';
export { fromImeta, type Imeta, noteTags, toImeta, withGif } from './imeta.ts';
export { stillOf, videoOf } from './pictures.ts';
export { createSession, type SearchSession, type SessionOptions, type SessionState } from './session.ts';
