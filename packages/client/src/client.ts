import type { Gif, SearchMode, SearchResponse, SimilarResponse, SuggestResponse } from './contract.ts';
import { GifError } from './errors.ts';
import { addressRule, readGifs } from './read.ts';
import { requestJson, type Transport } from './request.ts';

export interface ClientOptions {
  /** Address of the service, such as `https://gifs.example`. */
  url: string;
  /** For apps and servers only: a browser identifies itself by its origin and must not send a key. */
  apiKey?: string;
  /** For apps that are registered by User-Agent, such as `Wisp/1.2`. Browsers ignore it. */
  userAgent?: string;
  /** How often a call that was refused for a time is made again, after the seconds that the service names; 1 if left out. */
  retries?: number;
  /** Another `fetch`, as of a test or a proxy. */
  fetch?: typeof fetch;
}

export interface CallOptions {
  limit?: number;
  signal?: AbortSignal;
}

export interface SearchOptions extends CallOptions {
  /** Where the page starts; 0 if left out. */
  offset?: number;
  mode?: SearchMode;
}

/** A page of a search, as `pages` gives it. */
export interface Page extends SearchResponse {
  /** The catalogue has changed since the pages before: throw them away, this is the first page again. */
  isRestart: boolean;
  /** Nothing comes after this page. */
  isLast: boolean;
}

/** Who has to be named wherever GIFs of this service are shown. */
export interface Attribution {
  /** The whole line, such as "GIFs from Example". */
  text: string;
  /** The operator's name, the end of it. */
  name: string;
  /** The operator's home page, which the line links to with `target="_blank" rel="noopener noreferrer"`. */
  homePage: string;
}

export interface GifClient {
  /** Address of the service, without a slash at its end. */
  readonly url: string;
  /** One page of what is found. Rejects with GifError, or as `signal` aborts. */
  search(query: string, options?: SearchOptions): Promise<SearchResponse>;
  /**
   * Page after page of what is found, to its end. When the catalogue changes in between, it begins again with a page that
   * says `isRestart`.
   */
  pages(query: string, options?: SearchOptions): AsyncGenerator<Page, void, void>;
  /** Terms that begin as `query` does, the most used first. */
  suggest(query: string, options?: CallOptions): Promise<SuggestResponse>;
  /** GIFs that look like the one of this id, the nearest first. */
  similar(id: string, options?: CallOptions): Promise<SimilarResponse>;
  /** The line that must be visible wherever these GIFs are. Asked once and kept. */
  attribution(signal?: AbortSignal): Promise<Attribution>;
}

/** A catalogue does not change so often while somebody pages through it. */
const MOST_RESTARTS = 3;

/** A client of the service at `options.url`. It keeps no connection and nothing but the attribution. */
export function createClient(options: ClientOptions): GifClient {
  const url = options.url.replace(/\/+$/, '');
  if (!/^https?:\/\/[^/\s]/.test(url))
    throw new TypeError(`url is "${options.url}"; an address such as https://gifs.example is needed`);
  const transport: Transport = {
    base: url,
    headers: {
      ...(options.apiKey !== undefined && { authorization: `Bearer ${options.apiKey}` }),
      ...(options.userAgent !== undefined && { 'user-agent': options.userAgent }),
    },
    // Called as a function of its own: a browser's fetch wants no other `this` than the window.
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
        if (isRestart && offset > 0) answer = await client.search(q, { ...asked, offset: 0 });
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

function queryOf(asked: Record<string, string | number | undefined>): string {
  const pairs = Object.entries(asked).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

async function readAttribution(transport: Transport, signal: AbortSignal | undefined): Promise<Attribution> {
  const { attribution } = (await requestJson(transport, '/.well-known/gif-search.json', signal)) as {
    attribution?: Partial<Record<'text' | 'name' | 'url', unknown>>;
  };
  const { text, name, url } = attribution ?? {};
  if (typeof text !== 'string' || typeof name !== 'string' || typeof url !== 'string') {
    throw new GifError('unreadable', `${transport.base} does not say who its GIFs are from`);
  }
  return { text, name, homePage: /^https?:/.test(url) ? url : transport.base };
}
