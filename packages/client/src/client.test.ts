import { getEventListeners, once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type ClientOptions, createClient } from './client.ts';
import { GifError } from './errors.ts';
import { sleep } from './request.ts';
import { gif, list } from './testing/answers.ts';
import { within } from './within.ts';

const W480 = gif(1).previews.w480;

/** The requests that the server received, and its next responses. The server repeats the last response. */
let asked: { url: string; headers: http.IncomingHttpHeaders }[];
let answers: { status?: number; headers?: Record<string, string>; body: unknown }[];
let server: http.Server;
let url: string;

beforeEach(async () => {
  asked = [];
  answers = [];
  server = http.createServer(({ url = '', headers }, response) => {
    asked.push({ url, headers });
    const { status = 200, headers: own, body } = answers.length > 1 ? answers.shift()! : answers[0]!;
    response.writeHead(status, own).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const client = (options: Partial<ClientOptions> = {}) => createClient({ url, ...options });
const failure = (code: string, more: object = {}) => expect.objectContaining({ name: 'GifError', code, ...more });

describe('a call', () => {
  test('sends the request and returns the response', async () => {
    answers = [{ body: list([gif(1)]) }];
    const found = await client({ url: `${url}/` }).search('ça & va?', {
      limit: 5,
      offset: 10,
      mode: 'text',
      lang: 'fr',
    });
    expect(asked[0]!.url).toBe('/api/v1/search?q=%C3%A7a%20%26%20va%3F&limit=5&offset=10&mode=text&lang=fr');
    expect(found).toEqual(list([gif(1)]));
    await client().similar('a b/c?.gif', { limit: 3 });
    expect(asked[1]!.url).toBe('/api/v1/gifs/a%20b%2Fc%3F.gif/similar?limit=3');
    answers = [{ body: { build: 'a', gen: 1, q: 'h', terms: [{ term: 'happy', kind: 'tag', n: 4 }] } }];
    expect((await client().suggest('h')).terms).toEqual([{ term: 'happy', kind: 'tag', n: 4 }]);
    expect(asked[2]!.url).toBe('/api/v1/suggest?q=h');
    answers = [{ body: { build: 'a', gen: 1, q: 'h' } }];
    expect((await client().suggest('h')).terms).toEqual([]);
  });

  test('requests what people see before a search', async () => {
    answers = [{ body: list([gif(1), { id: 'broken' }]) }];
    expect((await client().trending({ limit: 2, offset: 4 })).items).toEqual([gif(1)]);
    expect(asked[0]!.url).toBe('/api/discover/v1/trending?limit=2&offset=4');
    expect(await client().gifs(['a b.gif', 'c.gif'])).toEqual([gif(1)]);
    expect(asked[1]!.url).toBe('/api/discover/v1/gifs?ids=a%20b.gif%2Cc.gif');
    expect(await client().gifs([])).toEqual([]);
    answers = [{ body: { terms: ['cat', 3] } }];
    expect(await client().trendingTerms({ limit: 3 })).toEqual(['cat']);
    expect(asked[2]!.url).toBe('/api/discover/v1/trending/terms?limit=3');
    const cat = { name: 'Cat', term: 'cat', cover: gif(1) };
    answers = [{ body: { categories: [cat, { ...cat, cover: null }] } }];
    expect(await client().categories()).toEqual([cat]);
    expect(asked[3]!.url).toBe('/api/discover/v1/categories');
  });

  test('sends a key or User-Agent only if configured, because browsers must not send headers of their own', async () => {
    answers = [{ body: list([]) }];
    await client().search('cat');
    expect(asked[0]!.headers).not.toHaveProperty('authorization');
    await client({ apiKey: 'zoe_1', userAgent: 'Wisp/1.2' }).search('cat');
    expect(asked[1]!.headers).toMatchObject({ authorization: 'Bearer zoe_1', 'user-agent': 'Wisp/1.2' });
  });

  test.each([
    ['a URL without https', { url: 'http://media.example/a.gif' }],
    ['a URL of this machine', { url: 'http://localhost:8080/a.gif' }],
    ['a URL that is a list', { url: ['https://media.example/a.gif'] }],
    ['a script', { url: 'javascript:alert(1)' }],
    ['a URL with a line break', { url: 'https://media.example/a.gif\nhttps://evil.example' }],
    ['a URL that ends an attribute', { url: 'https://media.example/a.gif"onerror="alert(1)' }],
    ['another format', { format: 'svg' }],
    ['no width', { width: 0 }],
    ['a size that is not an integer', { height: 1.5 }],
    ['no title', { title: null }],
    ['a placeholder from another host', { lqip: 'https://evil.example/pixel.png' }],
    ['an MP4 that is a local file', { mp4: 'file:///etc/passwd' }],
    ['a small MP4 that is a local file', { previewMp4: 'file:///etc/passwd' }],
    ['a preview without a still', { previews: { ...gif(1).previews, w240: { width: 1, height: 1, animated: null } } }],
    [
      'a preview that is a script',
      { previews: { ...gif(1).previews, w480: { ...W480, animated: 'javascript:alert(1)' } } },
    ],
    ['no previews', { previews: undefined }],
  ])('drops an item with %s, and keeps the others', async (_, wrong) => {
    answers = [{ body: list([{ ...gif(1), ...wrong }, gif(2)]) }];
    const { items } = await createClient({ url: 'https://gifs.example', fetch: () => fetch(url) }).search('cat');
    expect(items).toEqual([gif(2)]);
  });

  test('keeps unknown fields, and local URLs if the service is local', async () => {
    const local = { ...gif(1), url: 'http://localhost:8080/m/a.gif', blurhash: 'abc' };
    answers = [{ body: list([local, null, 'gif', { ...local, url: 'javascript:alert(1)' }]) }];
    expect((await client().search('cat')).items).toEqual([local]);
  });
});

describe('a failure', () => {
  test.each([
    [400, 'validation'],
    [403, 'adult_not_allowed'],
    [403, 'client_not_registered'],
    [404, 'not_found'],
    [500, 'internal'],
  ])('%i %s is reported unchanged and not retried', async (status, code) => {
    answers = [{ status, body: { error: { code, message: 'because' } } }];
    await expect(client().search('cat')).rejects.toEqual(failure(code, { status, message: 'because' }));
    expect(asked).toHaveLength(1);
  });

  test.each([
    { status: 429, code: 'rate_limited', names: '3', pauses: [3_000, 3_000] },
    { status: 503, code: 'rate_limited', names: '1', pauses: [1_000, 1_000] },
    { status: 503, code: 'upstream_unavailable', names: '10', pauses: [10_000, 10_000] },
    { status: 503, code: 'embedder_unavailable', names: '0', pauses: [0, 0] },
    { status: 503, code: 'embedder_unavailable', names: undefined, pauses: [1_000, 1_000] },
  ])('is retried after the seconds that the service names if it is temporary: $status $code, $names', async (busy) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { status, code, names, pauses } = busy;
    const headers = { ...(names !== undefined && { 'retry-after': names }) };
    const body = { error: { code, message: 'slower' } };
    const times: number[] = [];
    /** A service that is busy for the first `failures` requests. */
    const busyFor = (failures: number) =>
      client({
        retries: 2,
        fetch: async () =>
          times.push(Date.now()) > failures ? Response.json(list([gif(1)])) : Response.json(body, { status, headers }),
      });
    const between = () =>
      times
        .splice(0)
        .map((time, n, all) => time - (all[n - 1] ?? time))
        .slice(1);

    const found = busyFor(2).search('cat');
    await vi.runAllTimersAsync();
    expect((await found).items).toHaveLength(1);
    expect(between()).toEqual(pauses);

    const refused = expect(busyFor(3).search('cat')).rejects.toEqual(failure(code, { status }));
    await vi.runAllTimersAsync();
    await refused;
    expect(between()).toEqual(pauses);
  });

  test('is not retried if the wait is too long, but reports the wait', async () => {
    const body = { error: { code: 'rate_limited', message: 'slower' } };
    answers = [{ status: 429, headers: { 'retry-after': '60' }, body }];
    await expect(client().search('cat')).rejects.toEqual(
      failure('rate_limited', { retryAfter: 60, isTemporary: true }),
    );
    expect(asked).toHaveLength(1);
    const date = new Date(Date.now() + 90_000).toUTCString();
    answers = [{ status: 429, headers: { 'retry-after': date }, body }];
    const error = await client()
      .search('cat')
      .catch((error: GifError) => error);
    expect((error as GifError).retryAfter).toBeGreaterThan(60);
    expect((error as GifError).retryAfter).toBeLessThanOrEqual(90);
    answers = [{ status: 429, headers: { 'retry-after': new Date(Date.now() - 90_000).toUTCString() }, body }];
    await expect(client({ retries: 0 }).search('cat')).rejects.toEqual(failure('rate_limited', { retryAfter: 0 }));
  });

  test.each(['<html>', '[', '"text"', '', '{"error":"text"}'])(
    'whose body is not from the API is unreadable: %s',
    async (body) => {
      answers = [{ status: body.startsWith('{') ? 502 : 200, body }];
      await expect(client({ retries: 0 }).search('cat')).rejects.toEqual(failure('unreadable'));
    },
  );

  test('without a response names the possible causes', async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await expect(client().search('cat')).rejects.toEqual(
      failure('unreachable', { message: expect.stringMatching(/unavailable.*network/), isTemporary: true }),
    );
  });

  test('without a response names the missing registration of the page if the API description can be read', async () => {
    vi.stubGlobal('location', { origin: 'https://app.example' });
    onTestFinished(() => void vi.unstubAllGlobals());
    const registration = 'https://gifs.example/dashboard';
    const description = () => Response.json({ registration });
    const fetching = vi.fn<typeof fetch>();
    const refuse = () => Promise.reject(new TypeError('Failed to fetch'));
    const isDescription = (url: unknown) => String(url).endsWith('/.well-known/gif-search.json');
    fetching.mockImplementation(async (url) => (isDescription(url) ? description() : refuse()));
    const ask = () => createClient({ url: 'https://gifs.example', fetch: fetching }).search('cat');
    await expect(ask()).rejects.toEqual(
      failure('client_not_registered', {
        message: `https://app.example is not registered with https://gifs.example. Register it at ${registration}`,
        isTemporary: false,
      }),
    );
    // The connection was interrupted for a moment.
    let isInterrupted = true;
    fetching.mockImplementation(async (url) => {
      if (isDescription(url)) return description();
      if (!isInterrupted) return Response.json(list([]));
      isInterrupted = false;
      return refuse();
    });
    expect((await ask()).items).toEqual([]);
    fetching.mockImplementation(refuse);
    await expect(ask()).rejects.toEqual(failure('unreachable', { isTemporary: true }));
    fetching.mockClear();
    const gifs = createClient({ url: 'https://gifs.example', fetch: fetching });
    await expect(gifs.attribution()).rejects.toEqual(failure('unreachable'));
    expect(fetching).toHaveBeenCalledTimes(1);
  });

  test('caused by an abort has the reason of the signal, even while it waits to retry', async () => {
    const aborted = AbortSignal.abort();
    answers = [{ body: list([]) }];
    await expect(client().search('cat', { signal: aborted })).rejects.toHaveProperty('name', 'AbortError');
    const stop = new AbortController();
    answers = [
      { status: 429, headers: { 'retry-after': '9' }, body: { error: { code: 'rate_limited', message: '' } } },
    ];
    const waiting = client().search('cat', { signal: stop.signal });
    const heard = expect(waiting).rejects.toHaveProperty('name', 'AbortError');
    await expect.poll(() => asked.length).toBe(1);
    stop.abort();
    await heard;
  });

  test.each([
    [1, 'the call itself'],
    [2, 'the description of the API'],
    [3, 'the call again'],
  ])('caused by an abort during request %i, for %s, has the reason of the signal', async (last) => {
    vi.stubGlobal('location', { origin: 'https://app.example' });
    onTestFinished(() => void vi.unstubAllGlobals());
    const stop = new AbortController();
    const reason = new Error('typed on');
    let requests = 0;
    const fetching: typeof fetch = async (address) => {
      requests += 1;
      if (requests === last) stop.abort(reason);
      else if (String(address).endsWith('/.well-known/gif-search.json')) {
        return Response.json({ registration: 'https://gifs.example/dashboard' });
      }
      throw new TypeError('Failed to fetch');
    };
    const gifs = createClient({ url: 'https://gifs.example', fetch: fetching });
    await expect(gifs.search('cat', { signal: stop.signal })).rejects.toBe(reason);
    expect(requests).toBe(last);
  });

  test('leaves no listener at a signal that the caller uses again', async () => {
    const { signal } = new AbortController();
    let isBusy = true;
    const fetching = async () => {
      if (!isBusy) return Response.json(list([]));
      isBusy = false;
      return Response.json({ error: { code: 'rate_limited' } }, { status: 429, headers: { 'retry-after': '0' } });
    };
    await client({ fetch: fetching }).search('cat', { signal });
    expect(isBusy).toBe(false);
    await within(1_000, async () => 'done', signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    const aborted = AbortSignal.abort();
    await expect(sleep(0, aborted)).rejects.toHaveProperty('name', 'AbortError');
    await expect(within(1_000, async () => 'done', aborted)).rejects.toHaveProperty('name', 'AbortError');
  });

  test('caused by an invalid URL is thrown immediately', () => {
    expect(() => createClient({ url: 'gifs.example' })).toThrow('must be a URL such as https://gifs.example');
  });
});

describe('pages', () => {
  const page = (build: string, offset: number, count = 5) => ({
    body: { ...list([gif(offset + 1), gif(offset + 2)].slice(0, count - offset)), build, offset, limit: 2, count },
  });

  async function all(options = {}) {
    const seen: string[] = [];
    for await (const { items, isRestart, isLast } of client().pages('cat', { limit: 2, ...options })) {
      seen.push(`${isRestart ? 'restart ' : ''}${items.length}${isLast ? ' last' : ''}`);
    }
    return { seen, offsets: asked.map(({ url }) => new URL(url, 'http://a').searchParams.get('offset')) };
  }

  test('end with the last page of the list', async () => {
    answers = [page('a', 0), page('a', 2), page('a', 4)];
    expect(await all()).toEqual({ seen: ['2', '2', '1 last'], offsets: ['0', '2', '4'] });
  });

  test('end with a full page if it is the last of the list', async () => {
    answers = [page('a', 0, 4), page('a', 2, 4), page('a', 4, 4)];
    expect(await all()).toEqual({ seen: ['2', '2 last'], offsets: ['0', '2'] });
  });

  test('of an empty result are a single page', async () => {
    answers = [page('a', 0, 0)];
    expect((await all()).seen).toEqual(['0 last']);
  });

  test('start over when the catalogue has changed', async () => {
    answers = [page('a', 0), page('b', 2), page('b', 0), page('b', 2), page('b', 4)];
    expect(await all()).toEqual({
      seen: ['2', 'restart 2', '2', '1 last'],
      offsets: ['0', '2', '0', '2', '4'],
    });
  });

  test('restart until all machines show the new catalogue', async () => {
    answers = [page('a', 0), page('b', 2), page('a', 0), page('b', 2), page('b', 0), page('b', 2), page('b', 4)];
    expect((await all()).seen).toEqual(['2', 'restart 2', 'restart 2', '2', '1 last']);
  });

  test('end even if the catalogue changes constantly, with pauses that double', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const times: number[] = [];
    const changing = createClient({
      url,
      fetch: async (address) => {
        const offset = Number(new URL(String(address)).searchParams.get('offset'));
        times.push(Date.now());
        return Response.json(page(`${times.length}`, offset).body);
      },
    });
    const reading = (async () => {
      let pages = 0;
      for await (const _ of changing.pages('cat', { limit: 2 })) pages++;
      return pages;
    })();
    await vi.runAllTimersAsync();
    expect(await reading).toBeLessThan(15);
    const pauses = times.slice(1).map((time, n) => time - times[n]!);
    expect(pauses.filter((ms) => ms > 0)).toEqual([250, 500, 1_000, 2_000]);
  });
});

describe('attribution', () => {
  test('is requested once', async () => {
    answers = [{ body: { attribution: { text: 'GIFs from Example', name: 'Example', url: 'https://example.com' } } }];
    const one = client();
    const both = await Promise.all([one.attribution(), one.attribution()]);
    expect(both[0]).toEqual({ text: 'GIFs from Example', name: 'Example', homePage: 'https://example.com' });
    expect(both[1]).toBe(both[0]);
    expect(asked.map(({ url }) => url)).toEqual(['/.well-known/gif-search.json']);
  });

  test('links to the service if it has no other page, and never to a script', async () => {
    answers = [{ body: { attribution: { text: 'GIFs from A', name: 'A', url: 'javascript:alert(1)' } } }];
    expect((await client().attribution()).homePage).toBe(url);
  });

  test('is requested again after a failure', async () => {
    const text = 'GIFs from A';
    const incomplete = [{}, { attribution: { text, name: 'A' } }, { attribution: { text, url: '' } }];
    answers = [...incomplete.map((body) => ({ body })), { body: { attribution: { text, name: 'A', url: '' } } }];
    const one = client();
    for (const _ of incomplete) await expect(one.attribution()).rejects.toBeInstanceOf(GifError);
    expect((await one.attribution()).name).toBe('A');
  });
});
