import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createClient, type GifClient, type Page } from './client.ts';
import { createFailover } from './failover.ts';
import { createSession, type SessionState } from './session.ts';
import { gif, list } from './testing/answers.ts';

const [A, B] = ['https://a.example', 'https://b.example'] as const;
const NEVER = 'never';

type Answer = { status?: number; headers?: Record<string, string>; body: unknown } | typeof NEVER | 'down';

/**
 * What each service answers, and the requests to all services. An answer for a whole URL precedes that of its service.
 */
let services: Record<string, Answer>;
let asked: string[];
let time: number;

beforeEach(() => {
  services = { [A]: { body: page(1) }, [B]: { body: page(2) } };
  asked = [];
  time = 0;
});
afterEach(() => vi.useRealTimers());

/** Returns a page with two GIFs from a service's list of four. */
function page(service: number, offset = 0) {
  const items = [gif(10 * service + offset), gif(10 * service + offset + 1)];
  return { ...list(items), build: `b${service}`, count: 4, offset, limit: 2 };
}

const answering: typeof fetch = (input, init) => {
  const { origin, pathname, search } = new URL(String(input));
  asked.push(`${origin}${pathname}${search}`);
  const answer = services[`${origin}${pathname}${search}`] ?? services[origin]!;
  const signal = init?.signal;
  if (answer === NEVER) {
    return new Promise((_, reject) => {
      if (signal?.aborted) reject(signal.reason);
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  }
  if (answer === 'down') return Promise.reject(new TypeError('fetch failed'));
  const { status = 200, headers = {}, body } = answer;
  return Promise.resolve(new Response(JSON.stringify(body), { status, headers }));
};

const one = (url: string) => createClient({ url, retries: 0, fetch: answering });
const both = () => createFailover([one(A), one(B)], { now: () => time });
const hosts = () => asked.map((address) => new URL(address).origin);
const refusal = (status: number, code: string, headers = {}) => ({
  status,
  headers,
  body: { error: { code, message: code } },
});
const idsOf = ({ items }: { items: readonly { id: string }[] }) => items.map(({ id }) => id);

async function pagesOf(client: GifClient, query: string): Promise<Page[]> {
  const pages: Page[] = [];
  for await (const each of client.pages(query)) pages.push(each);
  return pages;
}

describe('which service is asked', () => {
  test('the first service is asked as long as it works', async () => {
    const client = both();
    for (let n = 0; n < 3; n++) await client.search('cat');
    await client.suggest('ca').catch(() => {});
    expect(new Set(hosts())).toEqual(new Set([A]));
    expect(client.url).toBe(A);
  });

  test.each([
    ['does not respond', 'down' as const, 60],
    ['fails', refusal(500, 'internal'), 60],
    ['says how long it is busy', refusal(429, 'rate_limited', { 'retry-after': '300' }), 300],
    ['does not know the app', refusal(403, 'client_not_registered'), 1_800],
    ['refuses everybody', { status: 403, body: 'hello' }, 1_800],
    ['is no such service', { body: 'hello' }, 60],
  ])('if a service %s, the next one is asked until a pause is over', async (_, answer, seconds) => {
    services[A] = answer;
    const client = both();
    expect(idsOf(await client.search('cat'))).toEqual(idsOf(page(2)));
    expect(client.url).toBe(B);
    asked = [];
    time = seconds * 1_000 - 1;
    await client.search('dog');
    expect(hosts()).toEqual([B]);
    services[A] = { body: page(1) };
    time += 1;
    await client.search('bird');
    expect(hosts()).toEqual([B, A]);
    expect(client.url).toBe(A);
  });

  test.each(['validation', 'adult_not_allowed'])(
    'if one service refuses a call with %s, no other service is asked',
    async (code) => {
      services[A] = refusal(400, code);
      await expect(both().search('')).rejects.toMatchObject({ code });
      expect(hosts()).toEqual([A]);
    },
  );

  test('if all services fail, the error of the last one is thrown, and the next call asks all again', async () => {
    services = { [A]: 'down', [B]: refusal(503, 'upstream_unavailable') };
    const client = both();
    for (let n = 0; n < 2; n++) await expect(client.search('cat')).rejects.toMatchObject({ status: 503 });
    expect(hosts()).toEqual([A, B, A, B]);
  });

  test('if all services fail, the order of preference stays the same', async () => {
    services = { [A]: refusal(429, 'rate_limited', { 'retry-after': '300' }), [B]: 'down' };
    const client = both();
    await expect(client.search('cat')).rejects.toMatchObject({ code: 'unreachable' });
    services = { [A]: { body: page(1) }, [B]: { body: page(2) } };
    await client.search('cat');
    time = 60_000;
    asked = [];
    await client.search('dog');
    expect(hosts()).toEqual([A]);
  });

  test('a service that hangs delays calls by one second, and only once a minute', async () => {
    vi.useFakeTimers();
    services[A] = NEVER;
    const client = both();
    const search = client.search('cat');
    await vi.advanceTimersByTimeAsync(999);
    expect(hosts()).toEqual([A]);
    await vi.advanceTimersByTimeAsync(1);
    expect(idsOf(await search)).toEqual(idsOf(page(2)));
    await client.suggest('ca').catch(() => {});
    expect(hosts()).toEqual([A, B, B]);
  });

  test('the last service to be asked has no time limit', async () => {
    vi.useFakeTimers();
    services[B] = NEVER;
    services[A] = 'down';
    const controller = new AbortController();
    const search = both().search('cat', { signal: controller.signal });
    const ended = vi.fn();
    search.then(ended, ended);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ended).not.toHaveBeenCalled();
    controller.abort(new Error('enough'));
    await expect(search).rejects.toThrow('enough');
  });

  test('an aborted call does not pause any service', async () => {
    services[A] = NEVER;
    const client = both();
    const controller = new AbortController();
    const search = client.search('cat', { signal: controller.signal });
    controller.abort(new Error('typed on'));
    await expect(search).rejects.toThrow('typed on');
    services[A] = { body: page(1) };
    await client.search('cat');
    expect(client.url).toBe(A);
  });

  test('after an aborted call, a service that has failed before still has its pause', async () => {
    services[A] = refusal(403, 'client_not_registered');
    const client = both();
    await client.search('dog');
    expect(hosts()).toEqual([A, B]);
    services[B] = NEVER;
    const controller = new AbortController();
    const search = client.search('ca', { signal: controller.signal });
    controller.abort(new Error('typed on'));
    await expect(search).rejects.toThrow('typed on');
    services[B] = { body: page(2) };
    await client.search('cat');
    expect(hosts()).toEqual([A, B, B, B]);
  });

  test('similar GIFs come from the service of the given GIF, and the attribution from the service that was last used', async () => {
    services[`${A}/.well-known/gif-search.json`] = { body: { attribution: { text: 'a', name: 'a', url: A } } };
    services[`${B}/.well-known/gif-search.json`] = { body: { attribution: { text: 'b', name: 'b', url: B } } };
    const client = both();
    const [ofA] = idsOf(await client.search('cat'));
    expect((await client.attribution()).name).toBe('a');
    services[A] = 'down';
    const [ofB] = idsOf(await client.search('dog'));
    expect((await client.attribution()).name).toBe('b');
    asked = [];
    await client.similar(ofB!);
    await client.similar(ofA!).catch(() => {});
    expect(hosts().slice(0, 2)).toEqual([B, A]);
  });

  test('GIFs are requested by id from the services that listed them', async () => {
    const client = both();
    const [ofA] = idsOf(await client.trending());
    services[A] = 'down';
    const [ofB] = idsOf(await client.search('dog'));
    services[`${A}/api/discover/v1/gifs?ids=${ofA}`] = { body: list([gif(10)]) };
    services[`${B}/api/discover/v1/gifs?ids=${ofB}`] = { body: list([gif(20)]) };
    expect(idsOf({ items: await client.gifs([ofB!, ofA!]) })).toEqual([ofB, ofA]);
  });

  test('GIFs that look like a random GIF are requested from its service', async () => {
    const client = both();
    services[A] = 'down';
    services[B] = { body: { item: gif(20) } };
    const { id } = await client.random();
    services = { [A]: { body: page(1) }, [B]: { body: page(2) } };
    time = 1e9;
    await client.similar(id);
    expect(hosts().at(-1)).toBe(B);
  });

  test('without clients, the failover client cannot be created', () =>
    expect(() => createFailover([])).toThrow(TypeError));
});

describe('a list of results', () => {
  const second = (url: string) => `${url}/api/v1/search?q=cat&offset=2`;
  const firstOf = (url: string) => `${url}/api/v1/search?q=cat&offset=0`;

  test('stays on one service, even if the preferred service works again', async () => {
    services = { ...services, [A]: 'down', [second(B)]: { body: page(2, 2) } };
    const client = both();
    const pages = client.pages('cat');
    const { value: first } = await pages.next();
    services[A] = { body: page(1) };
    time = 1e9;
    const { value: next } = await pages.next();
    expect([idsOf(first!), idsOf(next!)]).toEqual([idsOf(page(2)), idsOf(page(2, 2))]);
    expect([first!.isRestart, next!.isRestart, next!.isLast]).toEqual([false, false, true]);
  });

  test('starts again with the next service if the first one fails between two pages', async () => {
    services = { ...services, [second(A)]: 'down', [firstOf(B)]: { body: page(2) }, [second(B)]: { body: page(2, 2) } };
    const pages = await pagesOf(both(), 'cat');
    expect(pages.map(idsOf)).toEqual([page(1), page(2), page(2, 2)].map(idsOf));
    expect(pages.map(({ isRestart }) => isRestart)).toEqual([false, true, false]);
  });

  test('waits longer for a later page, because another service starts the list again', async () => {
    vi.useFakeTimers();
    services = { ...services, [second(A)]: NEVER, [firstOf(B)]: { body: page(2) } };
    const pages = both().pages('cat');
    await pages.next();
    const later = pages.next();
    await vi.advanceTimersByTimeAsync(4_999);
    expect(hosts()).toEqual([A, A]);
    await vi.advanceTimersByTimeAsync(1);
    expect(idsOf((await later).value!)).toEqual(idsOf(page(2)));
  });

  test('is forgotten after a thousand other lists since its last search', async () => {
    services = { ...services, [A]: 'down' };
    const client = both();
    for (const query of ['cat', ...Array.from({ length: 999 }, (_, n) => `q${n}`), 'cat', 'last']) {
      await client.search(query);
    }
    services[A] = { body: page(1) };
    time = 1e9;
    asked = [];
    for (const query of ['cat', 'q0', 'last']) await client.search(query, { offset: 2 });
    expect(hosts()).toEqual([B, A, B]);
  });

  test('that continues from an offset asks the service that the list is from', async () => {
    services = { ...services, [A]: 'down', [second(B)]: { body: page(2, 2) } };
    const client = both();
    await client.search('cat');
    services[A] = { body: page(1) };
    time = 1e9;
    expect(idsOf(await client.search('cat', { offset: 2 }))).toEqual(idsOf(page(2, 2)));
    services[second(B)] = 'down';
    await expect(client.search('cat', { offset: 2 })).rejects.toMatchObject({ code: 'unreachable' });
    services[firstOf(A)] = { body: page(1) };
    const { value } = await client.pages('cat', { offset: 2 }).next();
    expect([idsOf(value!), value!.isRestart]).toEqual([idsOf(page(1)), true]);
    expect(asked.at(-1)).toBe(firstOf(A));
  });

  test('in a search box never mixes services', async () => {
    services = { ...services, [`${A}/api/v1/search?q=cat&limit=2&offset=2`]: 'down' };
    const states: SessionState[] = [];
    const session = createSession(both(), { onChange: (state) => states.push(state), pageSize: 2, suggestions: 0 });
    session.submit('cat');
    await vi.waitFor(() => expect(session.state.status).toBe('ready'), { timeout: 480_000 });
    session.more();
    await vi.waitFor(() => expect(session.state.status).toBe('ready'), { timeout: 480_000 });
    expect(idsOf({ items: session.state.gifs })).toEqual(idsOf(page(2)));
    const ofA = new Set(idsOf(page(1)));
    for (const { gifs } of states) expect(new Set(gifs.map(({ id }) => ofA.has(id))).size).toBeLessThanOrEqual(1);
  });
});
