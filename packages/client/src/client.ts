import type { Gif, SearchMode, SearchResponse, SimilarResponse, SuggestResponse } from './contract.ts';
import { type Discovery, discover } from './discovery.ts';
import { GifError } from './errors.ts';
import { addressRule, readGifs } from './read.ts';
import { type CallOptions, DESCRIPTION, queryOf, requestJson, sleep, type Transport } from './request.ts';

export interface ClientOptions {
  /** URL of the service, such as `https://gifs.example`. */
  url: string;
  /** API key, only for apps and servers. Web pages are identified by their origin and must not send a key. */
  apiKey?: string;
  /**
   * User-Agent to send, for apps that are registered by their User-Agent, such as `Wisp/1.2`. Browsers ignore this
   * option.
   */
  userAgent?: string;
  /**
   * Maximum number of retries after a temporary error. The client waits as long as the service asks before each retry.
   * Default: 1.
   */
  retries?: number;
  /** A replacement for `fetch`, for tests or proxies. */
  fetch?: typeof fetch;
}

export interface SearchOptions extends CallOptions {
  /** Number of results to skip. Default: 0. */
  offset?: number;
  mode?: SearchMode;
  /**
   * The user's language (`de`, `pt-BR`), for words that exist in several languages. Each language has its own cached
   * responses, so it is not sent unless you set it.
   */
  lang?: string;
}

/** A page of search results, as `pages` yields it. */
export interface Page extends SearchResponse {
  /**
   * Whether the catalogue has changed since the previous page. If so, this is the first page again. Discard all earlier
   * pages.
   */
  isRestart: boolean;
  /** Whether no page follows this one. */
  isLast: boolean;
}

/** The credit that must be visible wherever GIFs from this service are shown. */
export interface Attribution {
  /** The whole line, such as "GIFs from Example". */
  text: string;
  /** The operator's name, which ends the line. */
  name: string;
  /** The operator's home page. The line links to it with `target="_blank" rel="noopener noreferrer"`. */
  homePage: string;
}

export interface GifClient extends Discovery {
  /** URL of the service, without a trailing slash. */
  readonly url: string;
  /** Fetches one page of results. Rejects with GifError, or with the reason of `signal` when aborted. */
  search(query: string, options?: SearchOptions): Promise<SearchResponse>;
  /**
   * Yields all result pages. If the catalogue changes between two pages, the client starts over with a page whose
   * `isRestart` is true.
   */
  pages(query: string, options?: SearchOptions): AsyncGenerator<Page, void, void>;
  /** Returns the terms that start with `query`, most used first. */
  suggest(query: string, options?: CallOptions): Promise<SuggestResponse>;
  /** Returns GIFs that look like the GIF with this id, most similar first. */
  similar(id: string, options?: CallOptions): Promise<SimilarResponse>;
  /**
   * Returns the credit that must be visible wherever these GIFs are shown. The credit is fetched once and then cached.
   */
  attribution(signal?: AbortSignal): Promise<Attribution>;
}

/** Maximum number of restarts. A catalogue does not normally change more often while a user pages through results. */
const MOST_RESTARTS = 5;
/**
 * Pause before the second restart, in milliseconds. The pause doubles for each further restart. The pause is needed
 * because machines that serve the same catalogue switch to a new build at different moments.
 */
const RESTART_MS = 250;

/** Creates a client for the service at `options.url`. It keeps no connection open and caches only the attribution. */
export function createClient(options: ClientOptions): GifClient {
  const url = options.url.replace(/\/+$/, '');
  if (!/^https?:\/\/[^/\s]/.test(url))
    throw new TypeError(`url is "${options.url}" but must be a URL such as https://gifs.example`);
  const transport: Transport = {
    base: url,
    headers: {
      ...(options.apiKey !== undefined && { authorization: `Bearer ${options.apiKey}` }),
      ...(options.userAgent !== undefined && { 'user-agent': options.userAgent }),
    },
    // `fetch` is wrapped, because the browser's fetch throws when `this` is not the window.
    fetch: options.fetch ?? ((...request) => fetch(...request)),
    retries: options.retries ?? 1,
  };
  const isAddress = addressRule(url);
  let named: Promise<Attribution> | undefined;

  async function list<Response extends { items: Gif[] }>(
    path: string,
    signal: AbortSignal | undefined,
  ): Promise<Response> {
    const answer = (await requestJson(transport, path, signal)) as Response;
    return { ...answer, items: readGifs(answer.items, isAddress) };
  }

  const client: GifClient = {
    url,
    search: (q, { signal, ...asked } = {}) => list(`/api/v1/search${queryOf({ q, ...asked })}`, signal),
    async *pages(q, { offset = 0, ...asked } = {}) {
      let build: string | undefined;
      for (let restarts = 0; ; ) {
        let answer = await client.search(q, { ...asked, offset });
        const isRestart = build !== undefined && answer.build !== build && restarts++ < MOST_RESTARTS;
        if (isRestart && offset > 0) {
          if (restarts > 1) await sleep(RESTART_MS * 2 ** (restarts - 2), asked.signal);
          answer = await client.search(q, { ...asked, offset: 0 });
        }
        build = answer.build;
        offset = answer.offset + answer.limit;
        const isLast = offset >= answer.count;
        yield { ...answer, isRestart, isLast };
        if (isLast) return;
      }
    },
    async suggest(q, { signal, ...asked } = {}) {
      const answer = (await requestJson(
        transport,
        `/api/v1/suggest${queryOf({ q, ...asked })}`,
        signal,
      )) as SuggestResponse;
      return { ...answer, terms: Array.isArray(answer.terms) ? answer.terms : [] };
    },
    similar: (id, { signal, ...asked } = {}) =>
      list(`/api/v1/gifs/${encodeURIComponent(id)}/similar${queryOf(asked)}`, signal),
    ...discover(transport, list, isAddress),
    attribution(signal) {
      named ??= readAttribution(transport, signal).catch((error: unknown) => {
        named = undefined;
        throw error;
      });
      return named;
    },
  };
  return client;
}

async function readAttribution(transport: Transport, signal: AbortSignal | undefined): Promise<Attribution> {
  const { attribution } = (await requestJson(transport, DESCRIPTION, signal)) as {
    attribution?: Partial<Record<'text' | 'name' | 'url', unknown>>;
  };
  const { text, name, url } = attribution ?? {};
  if (typeof text !== 'string' || typeof name !== 'string' || typeof url !== 'string') {
    throw new GifError('unreadable', `${transport.base} sent no attribution in its response`);
  }
  return { text, name, homePage: /^https?:/.test(url) ? url : transport.base };
}
