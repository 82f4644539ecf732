import Fastify from 'fastify';
import { expect, test, vi } from 'vitest';
import { createLog } from '../../base/log.ts';
import { decodeStored, encodeStored } from '../../builds/index.ts';
import type { GifRecord } from '../../records/index.ts';
import { AnswerCache } from '../answer.ts';
import type { HttpContext } from '../context.ts';
import { createReplyError } from '../reply-error.ts';
import { Turns } from '../turns.ts';
import { registerGif } from './gif.ts';

const NAME = 'a'.repeat(64);
const GIF = decodeStored(
  encodeStored({
    ...{ id: `${NAME}.gif`, format: 'gif', width: 20, height: 10, frames: 2, durationMs: 200, bytes: 100 },
    ...{ title: '', tags: ['cat'], lqip: null, url: null, sha256: null, verified: 'file' },
  } as unknown as GifRecord),
);
const URL = 'https://gifs.example';

/** Serves the pages of one GIF. */
function serve(limitPages: HttpContext['limitPages'] = () => undefined) {
  const app = Fastify();
  app.setErrorHandler(createReplyError(createLog('silent')));
  const find = vi.fn(async (id: string) => (id === GIF.id ? GIF : undefined));
  const similar = vi.fn(async () => undefined);
  const index = { find, similar };
  const turns = new Turns();
  const context = {
    ...{ publicUrl: URL, mediaUrl: URL, hasVideo: false, hasOwnUrls: false, robots: 'index', trustedProxies: 0 },
    operator: { name: 'Somebody', url: URL },
    lease: () => ({ epoch: 'e', index: { forRequest: () => index } }),
    limitPages,
  } as unknown as HttpContext;
  registerGif(app, context, new AnswerCache(1_000_000), turns);
  return { app, find, similar, turns };
}

test('a page is made once for each language', async () => {
  const { app, find } = serve();
  for (const language of ['de', 'en', 'de', 'en']) {
    const { body } = await app.inject({ url: `/g/${NAME}`, headers: { 'accept-language': language } });
    expect(body).toContain(`<html lang="${language}"`);
  }
  expect(find).toHaveBeenCalledTimes(2);
});

test.each(['is made', 'fails'])('a page ends its turn when it %s', async (how) => {
  const { app, similar, turns } = serve();
  if (how === 'fails') similar.mockRejectedValue(new Error('the index is damaged'));
  await app.inject(`/g/${NAME}`);
  expect(similar).toHaveBeenCalledTimes(1);
  const taken = new Promise((resolve) => setImmediate(resolve, 'somebody else has the turn'));
  await expect(Promise.race([turns.take().then(() => 'free'), taken])).resolves.toBe('free');
});

test.each([`/g/${NAME}`, `/oembed?url=${URL}/g/${NAME}`])('%s reports when to try again', async (url) => {
  const { app, find } = serve(
    () => ({ allowed: false, retryAfterSeconds: 17 }) as ReturnType<HttpContext['limitPages']>,
  );
  const { statusCode, headers } = await app.inject(url);
  expect([statusCode, headers['retry-after']]).toEqual([429, '17']);
  expect(find).not.toHaveBeenCalled();
});

test.each([
  [`${URL}/g/${NAME}`, 200],
  [`${URL}/g/${NAME}.gif`, 200],
  [`${URL}/g/${NAME}?from=note`, 200],
  [`${URL}/g/${NAME}#more`, 200],
  [`https://other.example/g/${NAME}`, 404],
  [`${URL}/h/${NAME}`, 404],
])('the description of %s has the status %i', async (url, status) => {
  expect((await serve().app.inject({ url: '/oembed', query: { url } })).statusCode).toBe(status);
});

test.each([
  ['1', 200],
  ['999999', 200],
  ['1000000', 400],
  ['0', 400],
  ['1.5', 400],
])('a description with sides of at most %s pixels has the status %i', async (side, status) => {
  for (const name of ['maxwidth', 'maxheight']) {
    const query = { url: `${URL}/g/${NAME}`, [name]: side };
    expect((await serve().app.inject({ url: '/oembed', query })).statusCode, name).toBe(status);
  }
});
