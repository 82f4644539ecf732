import Fastify from 'fastify';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Client } from '../../admission/index.ts';
import { ServiceError } from '../../base/errors.ts';
import { createLog } from '../../base/log.ts';
import { Metrics, memoryForMetrics } from '../../base/metrics.ts';
import type { Ranked, Search } from '../../index/index.ts';
import { AnswerCache, callers } from '../answer.ts';
import type { HttpContext } from '../context.ts';
import { createReplyError } from '../reply-error.ts';
import { registerSearch } from './search.ts';

const REGISTERED: Client = { id: 'wisp', name: 'Wisp', isDevelopment: false };
const DEVELOPMENT: Client = { id: 'development', name: 'Development', isDevelopment: true };
const NOTHING: Ranked = { count: 0, gifs: () => [] };
const WORDS = { rank: 1, score: 1, terms: ['cat'] };
const EXPLAINED = [
  { id: 'a.gif', words: WORDS, meaning: null },
  { id: 'b.gif', words: WORDS, meaning: { rank: 1, score: 0.5 } },
];

/** Creates a replacement for the index, because these tests only check the decisions of the route. */
function makeIndex() {
  const index = {
    buildId: 'build-1',
    hasMeaning: true,
    forRequest: () => index,
    in: () => index,
    correct: () => undefined,
    begin: (meant: string) => ({
      ...{ meant, isShort: true, isEnough: false },
      endWithWords: () => NOTHING,
      endWithMeaning: () => NOTHING,
    }),
    isShort: (query: string) => !query.includes(' '),
    searchMeaning: () => NOTHING,
    explain: () => EXPLAINED,
  };
  return index as unknown as Search;
}

const embed = vi.fn<HttpContext['embed']>(async () => Float32Array.of(1, 0));

beforeEach(() => void embed.mockClear());

/** Creates a service whose callers share one cache. The argument of each call is the sender of the request. */
function makeService(metrics = new Metrics(memoryForMetrics(1), 0)) {
  const app = Fastify();
  app.setErrorHandler(createReplyError(createLog('silent')));
  let caller = { client: DEVELOPMENT, isWordsOnly: false };
  app.decorateRequest('client', null);
  app.decorateRequest('isWordsOnly', false);
  app.addHook('onRequest', async (request) => void Object.assign(request, caller));
  const index = makeIndex();
  const context = {
    lease: () => ({ index, gen: 1, epoch: 'build 1' }),
    metrics,
    countUse: () => {},
    limit: () => undefined,
    embed,
    encoderOf: ({ isShort }: { isShort: boolean }) => (isShort ? 'queries.bin' : 'use-lite-en'),
    hasEmbedder: true,
    compare: undefined,
    mediaUrl: 'https://gifs.example',
    hasVideo: false,
    hasOwnUrls: false,
  };
  registerSearch(app, context as unknown as HttpContext, { cache: new AnswerCache(1_000_000), audience: callers });
  return async (client: Client, query: string, isWordsOnly = false) => {
    caller = { client, isWordsOnly };
    const response = await app.inject({ url: `/api/v1/search?${query}` });
    return { status: response.statusCode, body: response.json() };
  };
}

describe('an explanation of a search', () => {
  test('is given to the development client, and refused to registered clients', async () => {
    const get = makeService();
    const refused = {
      status: 400,
      body: { error: { code: 'validation', message: expect.stringContaining('explain') } },
    };
    expect(await get(REGISTERED, 'q=cat&explain=1')).toMatchObject(refused);
    const explained = { status: 200, body: { explain: [EXPLAINED[0], { id: 'b.gif', words: WORDS }] } };
    expect(await get(DEVELOPMENT, 'q=cat&explain=1')).toMatchObject(explained);
    expect(await get(REGISTERED, 'q=cat&explain=1')).toMatchObject(refused);
  });

  test('names the encoder of the query vector', async () => {
    const get = makeService();
    const encoders = async (query: string) =>
      (await get(DEVELOPMENT, `${query}&explain=1`)).body.explain.map(
        ({ meaning }: { meaning: { encoder: string } | null }) => meaning?.encoder,
      );
    expect(await encoders('q=cat')).toEqual([undefined, 'queries.bin']);
    expect(await encoders('q=cat on a mat')).toEqual([undefined, 'use-lite-en']);
  });

  test('is not cached, and is also given if the search without it is cached', async () => {
    const get = makeService();
    const hasExplanation = async (client: Client, query: string) => 'explain' in (await get(client, query)).body;
    expect(await hasExplanation(DEVELOPMENT, 'q=cat&explain=1')).toBe(true);
    for (const client of [REGISTERED, DEVELOPMENT]) {
      expect(await hasExplanation(client, 'q=cat')).toBe(false);
      expect(await hasExplanation(client, 'q=cat&explain=0')).toBe(false);
    }
    expect(await hasExplanation(DEVELOPMENT, 'q=cat&explain=1')).toBe(true);
  });
});

describe('a caller without semantic searches', () => {
  test('gets a response from text search, which others do not get', async () => {
    const get = makeService();
    expect(await get(DEVELOPMENT, 'q=cat', true)).toMatchObject({ status: 200, body: { semantic: false } });
    expect(embed).not.toHaveBeenCalled();
    expect(await get(DEVELOPMENT, 'q=cat')).toMatchObject({ status: 200, body: { semantic: true } });
  });

  test('cannot search by meaning only', async () => {
    const refused = { status: 429, body: { error: { code: 'rate_limited' } } };
    expect(await makeService()(DEVELOPMENT, 'q=cat&mode=semantic', true)).toMatchObject(refused);
  });
});

test('an error caused by the request counts as refused, and an error caused by this service as failed', async () => {
  const metrics = new Metrics(memoryForMetrics(1), 0);
  const get = makeService(metrics);
  embed.mockRejectedValueOnce(new ServiceError('embedder_unavailable', 'the embedder is down'));
  expect(await get(REGISTERED, 'q=cat&mode=semantic')).toMatchObject({ status: 503 });
  expect(await get(REGISTERED, 'q=cat&mode=wrong')).toMatchObject({ status: 400 });
  const counted = (outcome: string) =>
    `zoetrope_answers_total{operation="search",client="registered",outcome="${outcome}"} 1\n`;
  expect(metrics.text()).toContain(counted('failed'));
  expect(metrics.text()).toContain(counted('refused'));
});

test.each(['auto', 'semantic'])(
  'mode=%s: searches of registered clients have priority over anonymous ones',
  async (mode) => {
    const get = makeService();
    await get(DEVELOPMENT, `q=cat&mode=${mode}`);
    await get(REGISTERED, `q=dog&mode=${mode}`);
    expect(embed.mock.calls.map(([{ text }, , rank]) => [text, rank])).toEqual([
      ['cat', 'anonymous'],
      ['dog', 'registered'],
    ]);
  },
);
