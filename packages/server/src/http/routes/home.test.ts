import Fastify from 'fastify';
import { expect, test, vi } from 'vitest';
import { ServiceError } from '../../base/errors.ts';
import { decodeStored, encodeStored } from '../../builds/index.ts';
import type { Ranked, Search } from '../../index/index.ts';
import type { GifRecord } from '../../records/index.ts';
import { AnswerCache } from '../answer.ts';
import type { HttpContext } from '../context.ts';
import { Turns } from '../turns.ts';
import { registerHome } from './home.ts';

const GIF = decodeStored(
  encodeStored({
    id: `${'a'.repeat(64)}.gif`,
    format: 'gif',
    width: 20,
    height: 10,
    frames: 2,
    durationMs: 200,
    bytes: 100,
    title: 'cat',
    tags: ['cat'],
    lqip: null,
    url: null,
    sha256: null,
    verified: 'file',
  } as unknown as GifRecord),
);

const POPULAR = { ...GIF, id: `${'b'.repeat(64)}.gif` };

/** Serves the page from an index that finds `count` GIFs for every query. */
function serve(count: number) {
  let now = 1_000_000;
  const ranked: Ranked = { count, gifs: (start, end) => Array<typeof GIF>(Math.min(end, count) - start).fill(GIF) };
  const begin = vi.fn<Search['begin']>(async (meant) => ({
    meant,
    isShort: true,
    isEnough: false,
    endWithWords: async () => ranked,
    endWithMeaning: async () => ranked,
  }));
  const popular = async (): Promise<Ranked> => ({ count: 2, gifs: () => [GIF, POPULAR] });
  const index = { hasMeaning: true, documents: count, correct: () => undefined, begin, popular };
  const embed = vi.fn<HttpContext['embed']>(async () => null);
  const context = {
    publicUrl: 'http://localhost',
    mediaUrl: 'http://localhost',
    hasVideo: false,
    hasOwnUrls: false,
    operator: { name: 'Somebody', url: 'https://gifs.example' },
    trustedProxies: 0,
    topics: ['gm'],
    health: async () => ({ isGrowing: false }),
    lease: () => ({ epoch: 'e', index: { forRequest: () => index }, withheld: { terms: new Map() } }),
    embed,
    limitPages: () => undefined,
  } as unknown as HttpContext;
  const app = Fastify();
  const turns = new Turns();
  registerHome(app, context, new AnswerCache(1_000_000, { now: () => now }), turns);
  const get = async (url: string) => (await app.inject(url)).body;
  const wait = (seconds: number) => {
    now += seconds * 1_000;
  };
  return { app, context, get, wait, turns, begin, embed };
}

const away = () => Promise.reject(new ServiceError('embedder_unavailable', 'away'));

test('a page links to the next one only if there is one', async () => {
  const href = 'href="/?q=cat&amp;offset=48"';
  expect(await serve(48).get('/?q=cat')).not.toContain(href);
  const { get } = serve(49);
  expect(await get('/?q=cat')).toContain(href);
  const last = await get('/?q=cat&offset=48');
  expect(last).toContain('49 GIFs');
  expect(last).not.toContain('id="more"');
});

test('a list that does not fill the smallest screens is followed by popular GIFs that are not in it', async () => {
  const short = await serve(5).get('/?q=cat');
  expect([short.split(GIF.id).length > 5, short.includes(POPULAR.id)]).toEqual([true, true]);
  const [, others = ''] = short.split('aria-label="Popular here"');
  expect([others.includes(GIF.id), others.includes(POPULAR.id)]).toEqual([false, true]);
  expect(await serve(6).get('/?q=cat')).not.toContain(POPULAR.id);
  // The last page of a long list can be short, too.
  expect(await serve(49).get('/?q=cat&offset=48')).not.toContain(POPULAR.id);
});

test('a page that fails ends its turn', async () => {
  const { get, turns, begin } = serve(1);
  begin.mockImplementation(() => {
    throw new Error('the index is damaged');
  });
  expect(await get('/?q=cat')).toContain('the index is damaged');
  const taken = new Promise((resolve) => setImmediate(resolve, 'somebody else has the turn'));
  await expect(Promise.race([turns.take().then(() => 'free'), taken])).resolves.toBe('free');
});

test('a page is made again soon only if a part of the service was down', async () => {
  const { get, wait, begin, embed } = serve(1);
  embed.mockImplementation(away);
  await get('/?q=cat');
  embed.mockImplementation(async () => null);
  wait(31);
  await get('/?q=cat');
  expect(begin).toHaveBeenCalledTimes(2);
  wait(3_600);
  await get('/?q=cat');
  expect(begin).toHaveBeenCalledTimes(2);
});

test('a refused page tells people and programs when to try again', async () => {
  const { app, context } = serve(1);
  Object.assign(context, { limitPages: () => ({ allowed: false, retryAfterSeconds: 17 }) });
  const { statusCode, headers, body } = await app.inject('/?q=cat');
  expect([statusCode, headers['retry-after']]).toEqual([429, '17']);
  expect(body).toContain('17 seconds');
});

test('a page without search by meaning, for a visitor with many searches, is not shown to others', async () => {
  const { context, get, begin, embed } = serve(1);
  Object.assign(context, { limitPages: () => ({ allowed: true, isWordsOnly: true }) });
  await get('/?q=cat');
  expect(embed).not.toHaveBeenCalled();
  Object.assign(context, { limitPages: () => undefined });
  await get('/?q=cat');
  await get('/?q=cat');
  expect([begin.mock.calls.length, embed.mock.calls.length]).toEqual([2, 1]);
});
