import type {
  CategoriesResponse,
  Category,
  Gif,
  GifResponse,
  GifsResponse,
  TermsResponse,
  TrendingResponse,
} from './contract.ts';
import { GifError } from './errors.ts';
import { readGifs } from './read.ts';
import { type CallOptions, queryOf, requestJson, type Transport } from './request.ts';

export interface TrendingOptions extends CallOptions {
  /** Number of GIFs to skip. Default: 0. */
  offset?: number;
}

/** What people can see before they search. */
export interface Discovery {
  /** Returns GIFs to start with, in another order each day. */
  trending(options?: TrendingOptions): Promise<TrendingResponse>;
  /** Returns terms to start with. */
  trendingTerms(options?: CallOptions): Promise<string[]>;
  /** Returns topics, each with a picture and the term to search for. */
  categories(signal?: AbortSignal): Promise<Category[]>;
  /** Returns the GIFs with these ids, at most 50, in this order. Unknown ids are left out. */
  gifs(ids: readonly string[], signal?: AbortSignal): Promise<Gif[]>;
  /** Returns a random popular GIF, or one that a query finds. Rejects with `not_found` if there is none. */
  random(query?: string, signal?: AbortSignal): Promise<Gif>;
}

/** Path of the operations that need no search. */
const DISCOVERY = '/api/discover/v1';

/**
 * Returns the methods for what people see before they search.
 * @param list requests a list, and returns its valid items
 */
export function discover(
  transport: Transport,
  list: <Response extends { items: Gif[] }>(path: string, signal: AbortSignal | undefined) => Promise<Response>,
  isAddress: (address: unknown) => boolean,
): Discovery {
  return {
    trending: ({ signal, ...asked } = {}) => list(`${DISCOVERY}/trending${queryOf({ ...asked })}`, signal),
    async trendingTerms({ signal, ...asked } = {}) {
      const path = `${DISCOVERY}/trending/terms${queryOf({ ...asked })}`;
      const { terms } = (await requestJson(transport, path, signal)) as TermsResponse;
      return Array.isArray(terms) ? terms.filter((term) => typeof term === 'string') : [];
    },
    async categories(signal) {
      const { categories } = (await requestJson(transport, `${DISCOVERY}/categories`, signal)) as CategoriesResponse;
      if (!Array.isArray(categories)) return [];
      return categories.filter(({ cover }) => readGifs([cover], isAddress).length === 1);
    },
    async gifs(ids, signal) {
      if (ids.length === 0) return [];
      const answer = await list<GifsResponse>(`${DISCOVERY}/gifs${queryOf({ ids: ids.join(',') })}`, signal);
      return answer.items;
    },
    async random(q, signal) {
      const { item } = (await requestJson(transport, `${DISCOVERY}/random${queryOf({ q })}`, signal)) as GifResponse;
      const [gif] = readGifs([item], isAddress);
      if (gif === undefined) throw new GifError('unreadable', `${transport.base} sent no GIF in its response`);
      return gif;
    },
  };
}
