import type Type from 'typebox';
import type { ErrorCode } from './errors.ts';
import { LIMITS } from './limits.ts';
import { SearchQuery, SearchResponse } from './search.ts';
import { SimilarPath, SimilarQuery, SimilarResponse } from './similar.ts';
import { SuggestQuery, SuggestResponse } from './suggest.ts';

/** Path of the machine-readable description. */
export const OPENAPI_PATH = '/api/v1/openapi.json';

export interface Operation {
  /** Path with `{id}` for a path parameter. */
  path: string;
  summary: string;
  description: string;
  pathParameters?: Type.TObject;
  query: Type.TObject;
  response: Type.TObject;
  errors: readonly ErrorCode[];
}

/** The errors of every operation. */
export const EVERYWHERE = [
  'validation',
  'client_not_registered',
  'adult_not_allowed',
  'rate_limited',
  'registry_unavailable',
  'upstream_unavailable',
] as const satisfies readonly ErrorCode[];

/** The three operations of the API, all `GET`. */
export const OPERATIONS = {
  search: {
    path: '/api/v1/search',
    summary: 'Search for GIFs by text or emoji',
    description:
      'Continue until a page has fewer than `limit` items. ' +
      `No query returns more than ${LIMITS.rankedListMax} items in total. ` +
      '`semantic` is false with `mode=text`, and with `mode=auto` while semantic search is unavailable. In the latter case ' +
      'the results come from text search only, and the response is cached for only one minute.',
    query: SearchQuery,
    response: SearchResponse,
    errors: [...EVERYWHERE, 'embedder_unavailable'],
  },
  suggest: {
    path: '/api/v1/suggest',
    summary: 'Complete a search term',
    description: 'Returns terms from the index that start with `q`, most used first.',
    query: SuggestQuery,
    response: SuggestResponse,
    errors: EVERYWHERE,
  },
  similar: {
    path: '/api/v1/gifs/{id}/similar',
    summary: 'List similar GIFs',
    description:
      'Returns GIFs that look like the given one, most similar first. An unknown id returns 404; this response is cached like any other.',
    pathParameters: SimilarPath,
    query: SimilarQuery,
    response: SimilarResponse,
    errors: [...EVERYWHERE, 'not_found'],
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;
