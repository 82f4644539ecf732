export {
  type CategoriesResponse,
  type Category,
  DISCOVERY,
  DISCOVERY_LIMITS,
  DISCOVERY_OPENAPI_PATH,
  type GifResponse,
  type GifsResponse,
  type TermsResponse,
  type TrendingResponse,
} from './discovery.ts';
export { ErrorBody } from './error-body.ts';
export { ERRORS, type ErrorCode } from './errors.ts';
export { Gif, type GifFormat, type Preview, type Previews } from './gif.ts';
export { ID_PATTERN, LIMITS } from './limits.ts';
export { DESCRIPTION_VERSION, DISCOVERY_API, openApi } from './openapi.ts';
export { OPENAPI_PATH, OPERATIONS, type Operation, type OperationName } from './operations.ts';
export { QueryError, readQuery } from './read-query.ts';
export { Explanation, type SearchMode, SearchQuery, type SearchRequest, SearchResponse } from './search.ts';
export { SimilarPath, SimilarQuery, SimilarResponse } from './similar.ts';
export { SuggestQuery, SuggestResponse, type Term } from './suggest.ts';
