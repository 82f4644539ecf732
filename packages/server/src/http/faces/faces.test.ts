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

/** Returns a GIF of 640 x 402 pixels whose file the service has, with these changes. */
function gif(changes: Partial<GifRecord> = {}) {
  const facts = { format: 'gif', width: 640, height: 402, frames: 2, durationMs: 200, bytes: 1_234, lqip: null };
  const words = { title: 'happy cat', tags: ['cat'], verified: 'file', url: null, sha256: HASH };
  const record = { id: `${HASH}.gif`, ...facts, ...words, transparent: false, blankStill: false, ...changes };
  return decodeStored(encodeStored(record as unknown as GifRecord));
}

const HASH = 'a'.repeat(64);

/** Serves a face with these popular GIFs. @returns a function that reads a path */
function serve(face: string, gifs: ReturnType<typeof gif>[]) {
  const app = Fastify();
  const popular = async () => ({ count: gifs.length, gifs: (start: number, end: number) => gifs.slice(start, end) });
  const index: object = { buildId: 'b', popular, forRequest: () => index };
  const context = {
    ...{ publicUrl: 'https://gifs.example', mediaUrl: 'https://media.example', hasVideo: true, hasOwnUrls: false },
    faces: new Map([[face, 'admitted']]),
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
  const gifs = Array.from({ length: 9 }, (_, n) =>
    gif({ id: `${n}.gif`, url: `https://gifs.example/${n}.gif`, sha256: null, transparent: n % 2 === 1 }),
  );
  const get = serve('giphy', gifs);
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

test('each face describes a GIF, and a linked GIF of which less is known, with the files that its apps expect', async () => {
  const unknown = { frames: null, durationMs: null, bytes: null };
  const linked = gif({ id: 'linked.gif', url: 'https://elsewhere.example/a.gif', sha256: null, ...unknown });
  const known = gif({ lqip: 'data:image/webp;base64,AAAA' });
  const shown: string[] = [];
  for (const [face, path] of [
    ['tenor', '/tenor/v2/featured'],
    ['tenor', '/tenor/v1/trending'],
    ['giphy', '/giphy/v1/gifs/trending'],
    ['klipy', '/klipy/api/v1/gifs/trending'],
    ['gifbox', '/gifbox/trending'],
    ['gifverse', '/gifverse/api/v1/trending'],
  ] as const) {
    // The order of popular GIFs changes every day, so each is asked for alone.
    for (const one of [known, linked]) {
      const { results, data } = await serve(face, [one])(path);
      for (const item of results ?? data.data ?? data) shown.push([path, ...linesOf(item)].join('\n'));
    }
  }
  await expect(`${shown.join('\n\n')}\n`).toMatchFileSnapshot('golden/items.txt');
});

/** Returns a line for each field, and for each file. */
function linesOf(value: object, before = ''): string[] {
  return Object.entries(value).flatMap(([name, field]) =>
    field !== null && typeof field === 'object' && !('url' in field) && !isPlain(field)
      ? linesOf(field, `${before}${name}.`)
      : `${before}${name} ${JSON.stringify(field)}`,
  );
}

function isPlain(list: object): boolean {
  return Array.isArray(list) && list.every((entry) => typeof entry !== 'object');
}
