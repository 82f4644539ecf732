import zlib from 'node:zlib';
import { expect, test } from 'vitest';
import { chooseEncoding, compress } from './answer.ts';

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
