import type { GifClient, Page, SearchOptions } from './client.ts';
import type { Gif, SearchResponse, TrendingResponse } from './contract.ts';
import type { TrendingOptions } from './discovery.ts';
import { GifError } from './errors.ts';
import { within } from './within.ts';

export interface FailoverOptions {
  /**
   * Maximum time, in milliseconds, that a search or completion waits for a service while another one is left to ask.
   * Default: 1000.
   */
  waitMs?: number;
  /** Returns the time in milliseconds, for tests. Default: `Date.now`. */
  now?: () => number;
}

const WAIT_MS = 1_000;
/**
 * Maximum time for a later page. It is longer, because people wait for it at the end of a list, and a change of the
 * service would start the list again.
 */
const LATER_PAGE_MS = 5_000;
/** Pause before a service at which the app is not registered is asked again. Somebody has to register the app first. */
const REFUSED_MS = 30 * 60_000;
/** Pause after any other failure, unless the service sends a time itself. */
const FAILED_MS = 60_000;
/** Maximum number of queries, and of GIFs, for which the client remembers the service that they came from. */
const REMEMBERED = 1_000;
/** Key for the list of trending GIFs among the keys for queries. No query is empty. */
const TRENDING = '';
/** Errors of a call itself. The service works, and any other service would return the same error. */
const OWN_MISTAKES: ReadonlySet<string> = new Set(['validation', 'adult_not_allowed', 'not_found', 'uri_too_long']);

/**
 * Returns a client that asks the first of several services that works. After a failure, it asks the next one, and asks
 * the failed one again after a minute, or after half an hour if the app is not registered there. A list of results is
 * always from one service: if this service fails, `pages` starts again with a page of the next one, whose `isRestart`
 * is true. A later page of `search`, and all of `similar`, are requested only from the service that the list or the GIF
 * is from.
 *
 * `url` and `attribution` are those of the service that was last used, so ask for the attribution after each search.
 * Rejects like the clients, with the error of the last service that was asked. Throws TypeError without clients.
 * @param clients made by `createClient`, the preferred one first
 */
export function createFailover(clients: readonly GifClient[], options: FailoverOptions = {}): GifClient {
  const { waitMs = WAIT_MS, now = Date.now } = options;
  const services = new Services(clients, { waitMs, now });
  return {
    get url() {
      return services.current.url;
    },
    search: (query, asked) => services.search(query, asked),
    pages: (query, asked) => services.pages(query, asked),
    suggest: (query, { signal, ...asked } = {}) =>
      services.first((client, own) => client.suggest(query, { ...asked, signal: own }), signal),
    similar: (id, asked) => services.ownerOf(id).similar(id, asked),
    trending: ({ signal, ...asked } = {}) => services.trending(asked, signal),
    trendingTerms: ({ signal, ...asked } = {}) =>
      services.first((client, own) => client.trendingTerms({ ...asked, signal: own }), signal),
    categories: (signal) => services.first((client, own) => client.categories(own), signal),
    gifs: (ids, signal) => services.gifs(ids, signal),
    random: (query, signal) => services.random(query, signal),
    attribution: (signal) => services.current.attribution(signal),
  };
}

class Services {
  /** The service that was last used. */
  current: GifClient;
  readonly #clients: readonly GifClient[];
  readonly #options: Required<FailoverOptions>;
  readonly #pausedUntil = new Map<GifClient, number>();
  /** The service that listed the results of a query. */
  readonly #listed = new Memory<GifClient>();
  /** The service that a GIF is from. */
  readonly #owners = new Memory<GifClient>();

  constructor(clients: readonly GifClient[], options: Required<FailoverOptions>) {
    const [preferred] = clients;
    if (preferred === undefined) throw new TypeError('clients is empty; createFailover needs at least one client');
    this.current = preferred;
    this.#clients = clients;
    this.#options = options;
  }

  ownerOf(id: string): GifClient {
    return this.#owners.get(id) ?? this.#candidates()[0]!;
  }

  /** Asks one service after the other until one responds. */
  async first<Result>(
    ask: (client: GifClient, signal: AbortSignal) => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    const { waitMs } = this.#options;
    const asked = this.#candidates();
    for (let n = 0; ; n++) {
      const client = asked[n]!;
      const isLast = n === asked.length - 1;
      try {
        const result = await within(isLast ? undefined : waitMs, (own) => ask(client, own), signal);
        this.#use(client);
        return result;
      } catch (error) {
        this.#note(client, error, signal);
        if (isLast) throw error;
      }
    }
  }

  search(query: string, { signal, ...asked }: SearchOptions = {}): Promise<SearchResponse> {
    return this.#list(query, asked, (client, own) => client.search(query, { ...asked, ...own }), signal);
  }

  trending(asked: TrendingOptions, signal: AbortSignal | undefined): Promise<TrendingResponse> {
    return this.#list(TRENDING, asked, (client, own) => client.trending({ ...asked, ...own }), signal);
  }

  /** Requests a page of a list. A later page is requested only from the service that the list is from. */
  #list<Result extends { items: Gif[] }>(
    name: string,
    { offset = 0 }: { offset?: number },
    request: (client: GifClient, own: { signal?: AbortSignal }) => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    const ask = async (client: GifClient, own: AbortSignal | undefined) => {
      const result = await request(client, own === undefined ? {} : { signal: own });
      this.#remember(client, name, result);
      return result;
    };
    const owner = offset > 0 ? this.#listed.get(name) : undefined;
    return owner === undefined ? this.first(ask, signal) : ask(owner, signal);
  }

  async random(query: string | undefined, signal: AbortSignal | undefined): Promise<Gif> {
    const gif = await this.first((client, own) => client.random(query, own), signal);
    this.#owners.set(gif.id, this.current);
    return gif;
  }

  /** Asks each service for the GIFs that it listed. */
  async gifs(ids: readonly string[], signal: AbortSignal | undefined): Promise<Gif[]> {
    const owners = new Set(ids.map((id) => this.ownerOf(id)));
    const lists = await Promise.all(
      Array.from(owners, (owner) =>
        owner.gifs(
          ids.filter((id) => this.ownerOf(id) === owner),
          signal,
        ),
      ),
    );
    const found = new Map(lists.flat().map((gif) => [gif.id, gif]));
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  async *pages(query: string, { offset = 0, ...asked }: SearchOptions = {}): AsyncGenerator<Page, void, void> {
    const owner = offset > 0 ? this.#listed.get(query) : undefined;
    const others = this.#candidates().filter((client) => client !== owner);
    const order = owner === undefined ? others : [owner, ...others];
    /** Whether the caller has pages from another service than the current one. */
    let isOther = false;
    let hasPages = offset > 0;
    for (const [n, client] of order.entries()) {
      const isLast = n === order.length - 1;
      try {
        // An offset in the list of one service means nothing in the list of another.
        for await (const page of this.#pagesOf(client, query, { ...asked, offset: n === 0 ? offset : 0 }, isLast)) {
          yield { ...page, isRestart: page.isRestart || isOther };
          hasPages = true;
          isOther = false;
        }
        return;
      } catch (error) {
        this.#note(client, error, asked.signal);
        if (isLast) throw error;
        isOther = hasPages;
      }
    }
  }

  /** Yields the pages of one service, until it fails. @param isLast whether no other service is left to ask */
  async *#pagesOf(
    client: GifClient,
    query: string,
    { signal, ...asked }: SearchOptions,
    isLast: boolean,
  ): AsyncGenerator<Page, void, void> {
    const controller = new AbortController();
    const pages = client.pages(query, { ...asked, signal: controller.signal });
    for (let limitMs = this.#options.waitMs; ; limitMs = LATER_PAGE_MS) {
      const { value: page } = await within(isLast ? undefined : limitMs, () => pages.next(), signal, controller);
      if (page === undefined) return;
      this.#use(client);
      this.#remember(client, query, page);
      yield page;
    }
  }

  /** Returns the services to ask, in order. If all are paused, all are asked: one of them may work again. */
  #candidates(): readonly GifClient[] {
    const now = this.#options.now();
    const working = this.#clients.filter((client) => (this.#pausedUntil.get(client) ?? 0) <= now);
    return working.length > 0 ? working : this.#clients;
  }

  #use(client: GifClient): void {
    this.#pausedUntil.delete(client);
    this.current = client;
  }

  /** Pauses a service after a failure. Throws the error if another service would not help. */
  #note(client: GifClient, error: unknown, signal: AbortSignal | undefined): void {
    signal?.throwIfAborted();
    if (error instanceof GifError && OWN_MISTAKES.has(error.code)) throw error;
    this.#pausedUntil.set(client, this.#options.now() + pauseAfter(error));
  }

  #remember(client: GifClient, query: string, { items }: { items: readonly Gif[] }): void {
    this.#listed.set(query, client);
    for (const { id } of items) this.#owners.set(id, client);
  }
}

function pauseAfter(error: unknown): number {
  if (!(error instanceof GifError)) return FAILED_MS;
  if (error.code === 'client_not_registered' || error.status === 403) return REFUSED_MS;
  return error.retryAfter === undefined ? FAILED_MS : error.retryAfter * 1_000;
}

/** Remembers the last values that were set. */
class Memory<Value> {
  readonly #values = new Map<string, Value>();

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size <= REMEMBERED) return;
    const [oldest] = this.#values.keys();
    this.#values.delete(oldest!);
  }
}
