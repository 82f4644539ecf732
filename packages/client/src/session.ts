import type { GifClient, Page } from './client.ts';
import type { Gif, SearchMode, Term } from './contract.ts';
import { GifError } from './errors.ts';
import { sleep } from './request.ts';

export interface SessionOptions {
  /** Called after each change. */
  onChange: (state: SessionState) => void;
  /** Milliseconds to wait after a keystroke before searching. Default: 250, as the specification recommends. */
  debounceMs?: number;
  /** Number of GIFs per page. Default: 24. */
  pageSize?: number;
  /** Number of completions to fetch while the user types. Default: 6. With 0, no completions are fetched. */
  suggestions?: number;
  mode?: SearchMode;
}

/** The state that a picker shows. Every change creates a new object. */
export interface SessionState {
  /** The query that found these results. The text in the search box can be newer. */
  query: string;
  /** `idle`: there was no search yet. `loading`: the first page is loading. `more`: another page is loading. */
  status: 'idle' | 'loading' | 'more' | 'ready' | 'failed';
  /** The corrected query that was searched instead, if no GIF has a word of the query. Show it as “results for …”. */
  corrected: string | null;
  gifs: readonly Gif[];
  /** Total number of results. The number is known after the first page. */
  count: number;
  /** Whether there is another page. */
  hasMore: boolean;
  terms: readonly Term[];
  error: GifError | null;
}

/** The state behind a search box: waits for a pause in typing, drops stale responses, collects pages. */
export interface SearchSession {
  readonly state: SessionState;
  /** Sets the text in the box and searches after a pause. Ignores a single letter. */
  type(text: string): void;
  /**
   * Searches immediately, for a topic, a completion or the Enter key. Fetches no completions. Does nothing if the search
   * has begun or succeeded since the text was last changed.
   */
  submit(text: string): void;
  /** Loads the next page, unless there is no next page or a page is already loading. */
  more(): void;
  /** Repeats the failed search or page. */
  retry(): void;
  /** Cancels all requests. After that, the state does not change any more. */
  close(): void;
}

const DEBOUNCE_MS = 250;
const PAGE_SIZE = 24;
const SUGGESTIONS = 6;

const IDLE: SessionState = {
  ...{ query: '', status: 'idle', corrected: null, gifs: [], count: 0, hasMore: false },
  ...{ terms: [], error: null },
};

/** A single letter such as *a* does not start a search, but an emoji or a word of one character (猫) does. */
const ONE_LETTER = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}]$/u;

/** Starts a session with a client. */
export function createSession(client: GifClient, options: SessionOptions): SearchSession {
  const { onChange, debounceMs = DEBOUNCE_MS, pageSize = PAGE_SIZE, suggestions = SUGGESTIONS, mode } = options;
  const asked = { limit: pageSize, ...(mode && { mode }) };
  let state = IDLE;
  /** The controller of the current search. It is aborted when the next search starts. */
  let current = new AbortController();
  let pages: AsyncGenerator<Page, void, void> | undefined;
  let isClosed = false;
  let last = '';

  function change(changes: Partial<SessionState>): void {
    if (isClosed) return;
    state = { ...state, ...changes };
    onChange(state);
  }

  function begin(text: string, waitMs: number): void {
    const query = text.trim();
    // A trailing space does not change the query. If Enter repeated a search, it would stop the pictures that are
    // loading.
    if (query === last && (waitMs > 0 || hasBegun(query, state))) return;
    last = query;
    current.abort();
    current = new AbortController();
    // Without a pause, stale completions are dropped when the search starts. To the caller, a change here would look
    // like a result.
    if (waitMs > 0 && state.terms.length > 0) change({ terms: termsFor(query, state) });
    if (query === '') {
      pages = undefined;
      change(IDLE);
    } else if (waitMs === 0 || !ONE_LETTER.test(query)) {
      void run(query, waitMs, current.signal);
    }
  }

  async function run(query: string, waitMs: number, signal: AbortSignal): Promise<void> {
    try {
      if (waitMs > 0) await sleep(waitMs, signal);
    } catch {
      return;
    }
    pages = client.pages(query, { ...asked, signal });
    change({ query, status: 'loading', corrected: null, error: null, hasMore: false, terms: termsFor(query, state) });
    // A submitted query needs no completions.
    if (suggestions > 0 && waitMs > 0) void complete(query, signal);
    await next(signal, []);
  }

  async function next(signal: AbortSignal, before: readonly Gif[]): Promise<void> {
    try {
      const { value: page } = (await pages?.next()) ?? {};
      if (signal.aborted || !page) return;
      const gifs = page.isRestart ? page.items : append(before, page.items);
      change({ status: 'ready', corrected: page.corrected ?? null, gifs, count: page.count, hasMore: !page.isLast });
    } catch (error) {
      if (!signal.aborted)
        change({ status: 'failed', error: asGifError(error), ...(before.length === 0 && { gifs: [] }) });
    }
  }

  async function complete(query: string, signal: AbortSignal): Promise<void> {
    const terms = await termsOf(client, query, { limit: suggestions, signal });
    if (!signal.aborted) change({ terms });
  }

  return {
    get state() {
      return state;
    },
    type: (text) => begin(text, debounceMs),
    submit: (text) => begin(text, 0),
    more() {
      if (state.status !== 'ready' || !state.hasMore) return;
      change({ status: 'more' });
      void next(current.signal, state.gifs);
    },
    retry() {
      const { status, query, gifs } = state;
      if (status !== 'failed') return;
      if (gifs.length === 0) return begin(query, 0);
      // `append` drops items that appear twice.
      pages = client.pages(query, { ...asked, offset: gifs.length, signal: current.signal });
      change({ status: 'more', error: null });
      void next(current.signal, gifs);
    },
    close() {
      isClosed = true;
      current.abort();
    },
  };
}

/** Returns whether a search for a query is running or has succeeded. */
function hasBegun(query: string, state: SessionState): boolean {
  return query !== '' && query === state.query && state.status !== 'failed';
}

/** Fetches completions. They are optional, so everything else continues if they fail. */
function termsOf(client: GifClient, query: string, asked: { limit: number; signal: AbortSignal }) {
  return client.suggest(query, asked).then(
    ({ terms }) => terms,
    () => [],
  );
}

/**
 * Keeps the last completions while the user extends or shortens the query. After any other change, the last completions
 * would be wrong.
 */
function termsFor(query: string, { query: before, terms }: SessionState): readonly Term[] {
  return query.startsWith(before) || before.startsWith(query) ? terms : [];
}

/** Appends a page, without the items that were already on an earlier page. */
function append(before: readonly Gif[], items: readonly Gif[]): Gif[] {
  const known = new Set(before.map(({ id }) => id));
  return [...before, ...items.filter(({ id }) => !known.has(id))];
}

function asGifError(error: unknown): GifError {
  return error instanceof GifError ? error : new GifError('unreadable', String(error), { cause: error });
}
