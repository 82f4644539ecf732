import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { Fetcher } from '../../platform/fetch/index.ts';
import { type FetchedSources, type FetchOptions, fetchSources } from './fetch-sources.ts';

const MAX_BYTES = 1_000;
const fetcher = new Fetcher({ allowPrivate: true });
const files: Record<string, Buffer> = {
  '/one/happy%20cat.gif': Buffer.from('GIF89a of one'),
  '/two/happy%20cat.gif': Buffer.from('GIF89a of two'),
  // The size in these files contains the bytes of line breaks.
  '/picture': Buffer.from('RIFF\n\r\0\0WEBPVP8 ', 'latin1'),
  '/large.gif': Buffer.from('GIF89a'.padEnd(MAX_BYTES + 1)),
  '/page': Buffer.from('<!doctype html>'),
};
let folder: string;
let server: http.Server;
let base: string;

beforeAll(async () => {
  server = http.createServer(({ url }, response) => {
    response.setHeader('content-type', 'image/gif').end(files[url!] ?? Buffer.from('GIF89a'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await fetcher.close();
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-'));
});

afterEach(() => fs.rmSync(folder, { recursive: true }));

function download(...paths: string[]): Promise<FetchedSources> {
  return fetchWith({}, ...paths);
}

function fetchWith(options: Partial<FetchOptions>, ...paths: string[]): Promise<FetchedSources> {
  const { signal } = new AbortController();
  const urls = paths.map((name) => base + name);
  return fetchSources(urls, { folder, isLinked: false, maxBytes: MAX_BYTES, fetcher, signal, ...options });
}

test('files whose URLs end in the same name do not replace each other', async () => {
  const { paths, remove } = await download('/one/happy%20cat.gif', '/two/happy%20cat.gif');
  expect(paths.map((file) => path.basename(file))).toEqual(['happy cat.gif', 'happy cat.gif']);
  expect(paths.map((file) => fs.readFileSync(file, 'utf8'))).toEqual(['GIF89a of one', 'GIF89a of two']);
  await remove();
  expect(fs.readdirSync(folder)).toEqual([]);
});

test('a WebP is recognised by its first bytes, whatever its size and its name', async () => {
  const { paths } = await download('/picture');
  expect(paths.map((file) => path.basename(file))).toEqual(['picture.webp']);
});

test('a file keeps its place in the folder, whatever its URL ends in', async () => {
  const { paths } = await download('/..%2F..%2Fup.gif', '/a%00b%0A.gif', '/', '/%F0%9F%90%88%2e%2e%2F');
  for (const file of paths) expect(path.relative(folder, path.dirname(file))).toMatch(/^[^/]+\/\d$/);
  expect(paths.map((file) => path.basename(file))).toEqual(['.. .. up.gif', 'a b .gif', 'untitled.gif', ' .. .gif']);
});

test('a name that is too long for a file is cut', async () => {
  const { paths } = await download(...['%E7%8C%AB', '%E9', 'a'].map((part) => `/${part.repeat(150)}.gif`));
  const names = paths.map((file) => path.basename(file, '.gif'));
  expect(names[0]).toMatch(/^猫{50,}$/);
  expect(names[1]).toMatch(/^(?:%E9){20,}/);
  expect(names[2]).toMatch(/^a{50,}$/);
  for (const file of paths) expect(fs.existsSync(file)).toBe(true);
});

test('a file that is too large is refused with its URL and the maximum size', async () => {
  await expect(download('/large.gif')).rejects.toThrow(`${base}/large.gif: the response is larger than 1000 bytes`);
});

test('a URL in a private network is refused with the setting that allows it', async () => {
  const careful = new Fetcher({ allowPrivate: false });
  onTestFinished(() => careful.close());
  await expect(fetchWith({ fetcher: careful }, '/picture')).rejects.toThrow(
    /not on the public internet \(ZOETROPE_FETCH_ALLOW_PRIVATE allows it\)$/,
  );
});

test('a cancelled download rejects with the reason for the cancellation', async () => {
  const signal = AbortSignal.abort(new Error('the command was cancelled'));
  await expect(fetchWith({ signal }, '/picture')).rejects.toThrow(/^the command was cancelled$/);
});

test('linked GIFs are not downloaded, but listed with the words in their URLs', async () => {
  const { paths, remove } = await fetchWith({ isLinked: true }, '/happy%20cat.gif?s=1', '/large.gif');
  const lines = paths.flatMap((file) => fs.readFileSync(file, 'utf8').split('\n'));
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { url: `${base}/happy%20cat.gif?s=1`, title: 'happy cat' },
    { url: `${base}/large.gif`, title: 'large' },
  ]);
  await remove();
  expect(fs.readdirSync(folder)).toEqual([]);
});

test('without URLs, nothing is written', async () => {
  expect((await download()).paths).toEqual([]);
  expect(fs.readdirSync(folder)).toEqual([]);
});

test('nothing is left of a download that fails', async () => {
  await expect(download('/one/happy%20cat.gif', '/page')).rejects.toThrow('/page');
  expect(fs.readdirSync(folder)).toEqual([]);
});
