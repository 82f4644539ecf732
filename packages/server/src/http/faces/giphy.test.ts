import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { createLog } from '../../base/log.ts';
import { Metrics, memoryForMetrics } from '../../base/metrics.ts';
import { decodeStored, encodeStored } from '../../builds/index.ts';
import type { GifRecord } from '../../records/index.ts';
import { AnswerCache, callers } from '../answer.ts';
import type { HttpContext } from '../context.ts';
import { Turns } from '../turns.ts';
import { registerFaces } from './faces.ts';

/** Nine GIFs. Every second GIF is transparent. */
const GIFS = Array.from({ length: 9 }, (_, n) =>
  decodeStored(
    encodeStored({
      ...{ id: `${n}.gif`, format: 'gif', width: 20, height: 10, frames: 2, durationMs: 200, bytes: 100 },
      ...{ title: 'cat', tags: [], lqip: null, url: `https://gifs.example/${n}.gif`, sha256: null },
      ...{ verified: 'file', transparent: n % 2 === 1, blankStill: false },
    } as unknown as GifRecord),
  ),
);

function serve() {
  const app = Fastify();
  const popular = async () => ({ count: GIFS.length, gifs: (start: number, end: number) => GIFS.slice(start, end) });
  const index: object = { buildId: 'b', popular, forRequest: () => index };
  const context = {
    ...{ publicUrl: 'https://gifs.example', mediaUrl: 'https://gifs.example', hasVideo: false, hasOwnUrls: false },
    faces: new Map([['giphy', 'admitted']]),
    lease: () => ({ epoch: 'e', index }),
    log: createLog('silent'),
    metrics: new Metrics(memoryForMetrics(1), 0),
    countUse: () => {},
    limit: () => undefined,
  } as unknown as HttpContext;
  const answers = { cache: new AnswerCache(1_000_000), audience: callers };
  const admit: Parameters<typeof registerFaces>[2]['admit'] = (api) => {
    api.decorateRequest('client', null);
    api.addHook('onRequest', async (request) => {
      request.client = { id: 'a', name: 'A', isDevelopment: false };
    });
  };
  registerFaces(app, context, { answers, turns: new Turns(), admit });
  return async (path: string) => (await app.inject(path)).json();
}

test('stickers are the transparent GIFs, page by page, each once', async () => {
  const get = serve();
  const found: string[] = [];
  for (const [offset, count] of [
    [0, 3],
    [3, 1],
    [6, 0],
  ]) {
    const { data, pagination } = await get(`/giphy/v1/stickers/trending?limit=3&offset=${offset}`);
    expect(pagination).toEqual({ total_count: 4, count, offset });
    for (const { id, is_sticker } of data) found.push(`${id} ${is_sticker}`);
  }
  expect(found.toSorted()).toEqual(['1.gif 1', '3.gif 1', '5.gif 1', '7.gif 1']);
  expect((await get('/giphy/v1/gifs/trending?limit=9')).pagination).toMatchObject({ total_count: 9, count: 9 });
});
