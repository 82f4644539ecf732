import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import zlib from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { AnswerCache, chooseEncoding, compress, prepareCompressed, sendAnswer, toAnswer, toBody } from './answer.ts';

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['GZIP;q=0.5, br;q=0', 'gzip'],
  ['br;q=0.1', 'br'],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['br;q=0, *', 'gzip'],
  ['br;q=x', undefined],
  ['deflate', undefined],
])('a caller that accepts %s gets %s', (accepted, encoding) => {
  expect(chooseEncoding(accepted)).toBe(encoding);
});

test('a compressed response decompresses to the original', async () => {
  const body = Buffer.from('cat '.repeat(1000));
  expect(zlib.brotliDecompressSync(await compress('br', body))).toEqual(body);
  expect(zlib.gunzipSync(await compress('gzip', body))).toEqual(body);
});

test('a caller who has the current body gets none, and no bytes are counted', async () => {
  const answer = toAnswer({ operation: 'search', route: '/search', status: 200 }, toBody({ query: 'cat' }), {});
  const sent: number[] = [];
  const server = http.createServer((request, response) => void sent.push(sendAnswer(request, response, answer, [])));
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const first = await fetch(url);
  const body = await first.bytes();
  const again = await fetch(url, { headers: { 'if-none-match': first.headers.get('etag')! } });
  expect([again.status, (await again.bytes()).length]).toEqual([304, 0]);
  expect(sent).toEqual([body.length, 0]);
});

test('the cache takes no more memory than its size, however small its responses are', async () => {
  const size = 500_000;
  const cache = new AnswerCache(size);
  const accepts = { headers: { 'accept-encoding': 'br' } } as IncomingMessage;
  cache.get('build', '');
  for (let n = 0; n < 1_000; n++) {
    const body = toBody({ query: `cat ${n}`, words: 'cat '.repeat(n % 2 === 0 ? 100 : 500) });
    const answer = toAnswer({ operation: 'search', route: '/search', status: 200 }, body, {});
    cache.set('build', `${n}`, answer);
    // This other body uses the same blocks of memory.
    toBody({ other: 'x'.repeat(20_000) });
    await prepareCompressed(accepts, answer);
  }
  const kept = Array.from({ length: 1_000 }, (_, n) => cache.get('build', `${n}`)).filter((one) => one !== undefined);
  expect(kept.length).toBeGreaterThan(50);
  const bodies = kept.flatMap(({ body, compressed: { br } }) => [
    body,
    ...(br === undefined || br instanceof Promise ? [] : [br.body]),
  ]);
  expect(bodies.length).toBeGreaterThan(kept.length);
  const blocks = [...new Set(bodies.map(({ buffer }) => buffer))];
  expect(blocks.reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeLessThanOrEqual(size);
});
