import { setTimeout as wait } from 'node:timers/promises';
import type {
  SearchMode,
  SearchResponse,
  SimilarResponse,
  SuggestResponse,
} from '../../packages/contract/src/index.ts';
import type { AdultWatch } from './adult.ts';

/** The error if the service responded with 503, because the part that a question needs is not running. */
export class NotRunning extends Error {
  override name = 'NotRunning';
}

/** Maximum length of a query, in characters. Longer queries are refused. Source: the API contract, parameter `q`. */
const QUERY_CHARACTERS = 500;
const ATTEMPTS = 5;

interface ErrorAnswer {
  error?: { code?: string };
}

export interface Found {
  ids: string[];
  /** Title and tags of each GIF. */
  texts: string[];
  /** Whether semantic search was used. */
  semantic: boolean;
}

/** Sends requests to the running service like a registered client. Passes every response to the `AdultWatch`. */
export class Client {
  readonly #base: string;
  readonly #watch: AdultWatch;
  requests = 0;

  constructor(base: string, watch: AdultWatch) {
    this.#base = base.replace(/\/+$/, '');
    this.#watch = watch;
  }

  async search(q: string, mode: SearchMode, limit: number): Promise<Found> {
    const query = { q: cut(q), mode, limit: String(limit) };
    const answer = await this.#get<SearchResponse>('/api/v1/search', query);
    const ids = answer?.items.map(({ id }) => id) ?? [];
    this.#watch.seeIds('search', ids);
    const texts = answer?.items.map(({ title, tags }) => [title, ...tags].join(' ')) ?? [];
    return { ids, texts, semantic: answer?.semantic ?? false };
  }

  async suggest(q: string, limit: number): Promise<SuggestResponse['terms']> {
    const answer = await this.#get<SuggestResponse>('/api/v1/suggest', { q: cut(q), limit: String(limit) });
    this.#watch.seeTerms(answer?.terms.map(({ term }) => term) ?? []);
    return answer?.terms ?? [];
  }

  /** Returns undefined for an unknown id. */
  async similar(id: string, limit: number): Promise<string[]> {
    const path = `/api/v1/gifs/${encodeURIComponent(id)}/similar`;
    const answer = await this.#get<SimilarResponse>(path, { limit: String(limit) });
    const ids = answer?.items.map((gif) => gif.id) ?? [];
    this.#watch.seeIds('similar', ids);
    return ids;
  }

  async #get<Body>(path: string, query: Record<string, string>): Promise<Body | undefined> {
    const address = `${this.#base}${path}?${new URLSearchParams(query)}`;
    for (let attempt = 1; ; attempt++) {
      this.requests++;
      // The origin that is admitted without registration.
      const response = await fetch(address, { headers: { origin: 'http://localhost:5173' } });
      if (response.ok) return (await response.json()) as Body;
      const body = (await response.json().catch(() => ({}))) as ErrorAnswer;
      if (response.status === 404) return undefined;
      if (response.status === 503) throw new NotRunning(`503 ${body.error?.code}`);
      if (response.status !== 429 || attempt === ATTEMPTS) throw new Error(`${address} answered ${response.status}`);
      await wait(1000 * Number(response.headers.get('retry-after') ?? 1));
    }
  }
}

function cut(q: string): string {
  return [...q].slice(0, QUERY_CHARACTERS).join('');
}
