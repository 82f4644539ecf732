import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { GifClient, Page, SearchOptions } from './client.ts';
import { GifError } from './errors.ts';
import { createSession, type SearchSession, type SessionOptions, type SessionState } from './session.ts';
import { gif, list } from './testing/answers.ts';

/**
 * The requested pages. Each test decides when a request gets a response, and whether the response is a page or an
 * error.
 */
let searches: (SearchOptions & { query: string; signal: AbortSignal; answer: PromiseWithResolvers<Partial<Page>> })[];
let suggested: string[];
/** Requests for completions get their response when this promise resolves. */
let completing: Promise<void>;
let states: SessionState[];
let session: SearchSession;

const client = {
  async *pages(query: string, options: SearchOptions & { signal: AbortSignal }) {
    for (;;) {
      const answer = Promise.withResolvers<Partial<Page>>();
      searches.push({ query, ...options, answer });
      const page = { ...list([]), isRestart: false, isLast: false, ...(await answer.promise) };
      yield page;
      if (page.isLast) return;
    }
  },
  suggest: async (query: string) => {
    suggested.push(query);
    await completing;
    return { build: 'b1', gen: 1, q: query, terms: [{ term: `${query}!`, kind: 'tag', n: 1 }] };
  },
} as unknown as GifClient;

function begin(options: Partial<SessionOptions> = {}): void {
  searches = [];
  suggested = [];
  completing = Promise.resolve();
  states = [];
  session = createSession(client, { onChange: (state) => states.push(state), ...options });
}

/** Runs all pending code that does not wait for a timer or a response. */
const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
  begin();
});

afterEach(() => {
  session.close();
  vi.useRealTimers();
});

describe('typing', () => {
  test('sends one request after a pause', async () => {
    for (const text of ['ha', 'hap', 'happ']) {
      session.type(text);
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(searches).toEqual([]);
    await vi.advanceTimersByTimeAsync(250);
    expect(searches.map(({ query }) => query)).toEqual(['happ']);
    expect(suggested).toEqual(['happ']);
    expect(session.state).toMatchObject({ status: 'loading', query: 'happ', terms: [{ term: 'happ!' }] });
  });

  test('sends no request for a trailing space', async () => {
    session.type('good');
    await vi.advanceTimersByTimeAsync(300);
    session.type('good ');
    await vi.advanceTimersByTimeAsync(300);
    session.type('good m');
    await vi.advanceTimersByTimeAsync(300);
    expect(searches.map(({ query }) => query)).toEqual(['good', 'good m']);
  });

  test('keeps completions while the query is extended, and drops them for another query', async () => {
    session.type('hap');
    await vi.advanceTimersByTimeAsync(250);
    session.type('happ');
    expect(session.state.terms).toMatchObject([{ term: 'hap!' }]);
    session.type('ha');
    expect(session.state.terms).toMatchObject([{ term: 'hap!' }]);
    session.type('cat');
    expect(session.state.terms).toEqual([]);
  });

  test.each([
    ['a submitted query', () => session.submit('dog'), 'dog'],
    ['another text in the box', () => session.type('dog'), 'cat'],
    ['an empty box', () => session.type(''), ''],
  ])('drops completions that arrive after %s', async (_, change, query) => {
    const late = Promise.withResolvers<void>();
    completing = late.promise;
    session.type('cat');
    await vi.advanceTimersByTimeAsync(250);
    expect(suggested).toEqual(['cat']);
    change();
    late.resolve();
    await settle();
    expect(session.state).toMatchObject({ query, terms: [] });
  });

  test('shows a new query only when it is requested', async () => {
    session.submit('nothing');
    await settle();
    searches[0]!.answer.resolve({ items: [], count: 0, isLast: true });
    await settle();
    states = [];
    session.submit('gm');
    expect(states).toMatchObject([{ query: 'gm', status: 'loading', terms: [] }]);
  });

  test('requests no completions for a submitted query', async () => {
    session.submit('gm');
    await settle();
    expect(searches).toHaveLength(1);
    expect(suggested).toEqual([]);
  });

  test('a submitted query does not repeat its search, except after a failure', async () => {
    session.type('gm');
    await vi.advanceTimersByTimeAsync(250);
    session.submit('gm ');
    searches[0]!.answer.resolve({ items: [gif(1)], count: 1, isLast: true });
    await settle();
    session.submit('gm');
    expect(searches).toHaveLength(1);
    expect(searches[0]!.signal.aborted).toBe(false);
    session.submit('cat');
    await settle();
    searches[1]!.answer.reject(new GifError('unreachable', 'away'));
    await settle();
    session.submit('cat');
    await settle();
    expect(searches).toHaveLength(3);
  });

  test('a submitted query does not wait for the pause after typing', async () => {
    session.submit('gm');
    session.type('gmx');
    session.submit('gm');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(searches.map(({ query }) => query)).toEqual(['gm', 'gm']);
  });

  test.each(['h', 'ж', ' x '])('sends no request for one letter: %s', async (text) => {
    session.type(text);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(searches).toEqual([]);
  });

  test.each(['猫', '🎂', 'ok'])('sends a request for a word: %s', async (text) => {
    session.type(text);
    await vi.advanceTimersByTimeAsync(250);
    expect(searches).toHaveLength(1);
  });

  test('drops the response to an earlier query', async () => {
    session.submit('cat');
    await settle();
    session.submit('dog');
    await settle();
    expect(searches[0]!.signal.aborted).toBe(true);
    searches[1]!.answer.resolve({ items: [gif(2)], count: 1, isLast: true });
    searches[0]!.answer.resolve({ items: [gif(1)], count: 1, isLast: true });
    await settle();
    expect(session.state).toMatchObject({ query: 'dog', status: 'ready', gifs: [gif(2)], hasMore: false });
    expect(states.some(({ gifs }) => gifs.includes(gif(1)))).toBe(false);
  });

  test('reports which corrected query was searched, until the next search', async () => {
    session.submit('birtday');
    await settle();
    searches[0]!.answer.resolve({ items: [gif(1)], count: 1, isLast: true, corrected: 'birthday' });
    await settle();
    expect(session.state).toMatchObject({ query: 'birtday', corrected: 'birthday' });
    session.submit('cat');
    await settle();
    expect(session.state).toMatchObject({ query: 'cat', status: 'loading', corrected: null });
    searches[1]!.answer.resolve({ items: [gif(2)], count: 1, isLast: true });
    await settle();
    expect(session.state).toMatchObject({ status: 'ready', corrected: null });
  });

  test('an empty query ends the search', async () => {
    session.submit('cat');
    await settle();
    session.type('');
    expect(session.state).toMatchObject({ status: 'idle', gifs: [], query: '' });
    expect(searches[0]!.signal.aborted).toBe(true);
  });
});

describe('paging', () => {
  const page = async (n: number, changes: Partial<Page> = {}) => {
    searches[n]!.answer.resolve({ items: [gif(2 * n), gif(2 * n + 1)], count: 6, ...changes });
    await settle();
  };

  test('appends pages, and requests one at a time', async () => {
    session.submit('cat');
    await settle();
    await page(0);
    session.more();
    session.more();
    await settle();
    expect(searches).toHaveLength(2);
    expect(session.state.status).toBe('more');
    await page(1, { items: [gif(1), gif(2)], isLast: true });
    expect(session.state.gifs).toEqual([gif(0), gif(1), gif(2)]);
    session.more();
    await settle();
    expect(searches).toHaveLength(2);
  });

  test('discards earlier pages when the catalogue changes', async () => {
    session.submit('cat');
    await settle();
    await page(0);
    session.more();
    await settle();
    await page(1, { isRestart: true });
    expect(session.state.gifs).toEqual([gif(2), gif(3)]);
  });

  test('ends with the next search; if that search fails, no earlier results are shown', async () => {
    session.submit('cat');
    await settle();
    await page(0);
    expect(session.state.hasMore).toBe(true);
    session.submit('dog');
    expect(session.state).toMatchObject({ status: 'loading', hasMore: false, gifs: [gif(0), gif(1)] });
    await settle();
    searches[1]!.answer.reject(new GifError('unreachable', 'away'));
    await settle();
    expect(session.state).toMatchObject({ status: 'failed', query: 'dog', gifs: [] });
  });

  test('keeps earlier pages when a page fails, and continues on retry', async () => {
    session.submit('cat');
    await settle();
    await page(0);
    session.more();
    await settle();
    searches[1]!.answer.reject(new GifError('unreachable', 'away'));
    await settle();
    expect(session.state).toMatchObject({ status: 'failed', gifs: [gif(0), gif(1)], error: { code: 'unreachable' } });
    session.retry();
    await settle();
    expect(searches[2]).toMatchObject({ query: 'cat', offset: 2 });
    await page(2);
    expect(session.state).toMatchObject({ status: 'ready', error: null });
    expect(session.state.gifs.slice(0, 2)).toEqual([gif(0), gif(1)]);
  });
});

test('requests pages of the given size and mode, also after a failure', async () => {
  begin({ pageSize: 5, mode: 'text' });
  session.submit('cat');
  await settle();
  searches[0]!.answer.resolve({ items: [gif(0)], count: 6 });
  await settle();
  session.more();
  await settle();
  searches[1]!.answer.reject(new GifError('unreachable', 'away'));
  await settle();
  session.retry();
  await settle();
  expect(searches[0]).toMatchObject({ query: 'cat', limit: 5, mode: 'text' });
  expect(searches[2]).toMatchObject({ query: 'cat', limit: 5, mode: 'text', offset: 1 });
});

test('requests no completions if turned off', async () => {
  begin({ suggestions: 0 });
  session.type('cat');
  await vi.advanceTimersByTimeAsync(250);
  expect(suggested).toEqual([]);
});

test('nothing changes after close', async () => {
  session.submit('cat');
  await settle();
  session.close();
  const before = states.length;
  searches[0]!.answer.resolve({ items: [gif(1)] });
  session.type('');
  await settle();
  expect(states).toHaveLength(before);
});
