import type { GifClient, Page } from './client.ts';
import type { Gif, SearchMode, Term } from './contract.ts';
import { GifError } from './errors.ts';
import { sleep } from './request.ts';

export interface SessionOptions {
  /** Hears of each change. */
  onChange: (state: SessionState) => void;
  /** Milliseconds without a keystroke before anything is asked; 250 if left out, as the specification advises. */
  debounceMs?: number;
  /** GIFs a page; 24 if left out. */
  pageSize?: number;
  /** Completions while typing; 0: none; 6 if left out. */
  suggestions?: number;
  mode?: SearchMode;
}

/** What a picker shows. Each change is another object. */
export interface SessionState {
  /** What was searched for; what is being typed may be ahead of it. */
  query: string;
  /** `idle`: nothing was searched for; `loading`: the first page is on its way; `more`: a further one is. */
  status: 'idle' | 'loading' | 'more' | 'ready' | 'failed';
  gifs: readonly Gif[];
  /** How many there are to page through; known with the first page. */
  count: number;
  /** Whether `more` gives any. */
  hasMore: boolean;
  terms: readonly Term[];
  error: GifError | null;
}

/** A search box that somebody types into: it waits for a pause, drops what is stale and keeps the pages together. */
export interface SearchSession {
  readonly state: SessionState;
  /** What is in the box now. Asks when nothing follows for a while; one letter alone is not worth asking for. */
  type(text: string): void;
  /** Asks at once, as for a topic, a completion or the Enter key; for GIFs alone, as nobody is typing. */
  submit(text: string): void;
  /** Fetches the next page, where there is one and none is on its way. */
  more(): void;
  /** Does again what failed: the search, or its further page. */
  retry(): void;
  /** Ends what is under way; nothing changes after that. */
  close(): void;
}

const DEBOUNCE_MS = 250;
const PAGE_SIZE = 24;
const SUGGESTIONS = 6;

const IDLE: SessionState = { query: '', status: 'idle', gifs: [], count: 0, hasMore: false, terms: [], error: null };

/** A letter of an alphabet says nothing alone; a letter that is a word, or an emoji, does. */
const ONE_LETTER = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}]$/u;

/** Begins a session over a client. */
export function createSession(client: GifClient, options: SessionOptions): SearchSession {
  const { onChange, debounceMs = DEBOUNCE_MS, pageSize = PAGE_SIZE, suggestions = SUGGESTIONS, mode } = options;
  const asked = { limit: pageSize, ...(mode && { mode }) };
  let state = IDLE;
  /** Of what is asked for now; all that came before it is stale. */
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
    // A space after a word asks for nothing else.
    if (waitMs > 0 && query === last) return;
    last = query;
    current.abort();
    current = new AbortController();
    // What is asked for at once drops stale terms as it begins; who heard of a change now would take it for an answer.
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
    change({ query, status: 'loading', error: null, hasMore: false, terms: termsFor(query, state) });
    // Who has typed to the end wants no more completions.
    if (suggestions > 0 && waitMs > 0) void complete(query, signal);
    await next(signal, []);
  }

  async function next(signal: AbortSignal, before: readonly Gif[]): Promise<void> {
    try {
      const { value: page } = (await pages?.next()) ?? {};
      if (signal.aborted || !page) return;
      const gifs = page.isRestart ? page.items : append(before, page.items);
      change({ status: 'ready', gifs, count: page.count, hasMore: !page.isLast, error: null });
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
      // What comes twice by this is left out.
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

/** Completions are a help: without them, everything else goes on. */
function termsOf(client: GifClient, query: string, asked: { limit: number; signal: AbortSignal }) {
  return client.suggest(query, asked).then(
    ({ terms }) => terms,
    () => [],
  );
}

/** While somebody goes on typing, or takes letters back, the last completions stay; of anything else they are wrong. */
function termsFor(query: string, { query: before, terms }: SessionState): readonly Term[] {
  return query.startsWith(before) || before.startsWith(query) ? terms : [];
}

/** A GIF that moved from one page to the next while the first was looked at comes once. */
function append(before: readonly Gif[], items: readonly Gif[]): Gif[] {
  const known = new Set(before.map(({ id }) => id));
  return [...before, ...items.filter(({ id }) => !known.has(id))];
}

function asGifError(error: unknown): GifError {
  return error instanceof GifError ? error : new GifError('unreadable', String(error), { cause: error });
}
