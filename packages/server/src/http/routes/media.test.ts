import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ServiceError } from '../../base/errors.ts';
import { createLog } from '../../base/log.ts';
import {
  derivativeFile,
  derivativePath,
  type MediaSource,
  originalKey,
  originalPath,
  RECIPE,
  type StoredDerivative,
  VIDEOS,
} from '../../media/index.ts';
import { FolderBlobs } from '../../platform/blobs/index.ts';
import { createReplyError } from '../reply-error.ts';
import { registerMedia } from './media.ts';

const ORIGINAL = Buffer.from('GIF89a, says the file'.repeat(200_000));
const SHA = createHash('sha256').update(ORIGINAL).digest('hex');
const LOCAL: MediaSource = {
  id: `${SHA}.gif`,
  format: 'gif',
  width: 300,
  height: 200,
  frames: 2,
  durationMs: 200,
  sha256: SHA,
  url: null,
};
const LINKED: MediaSource = { ...LOCAL, id: 'some.linked-1', sha256: null, url: 'http://example.com/a.gif' };
const HUGE: MediaSource = { ...LOCAL, id: 'huge.gif', frames: 5000 };
const PREVIEW = Buffer.from('a preview');
const W240 = { fit: 'w240', kind: 'animated' } as const;

const withheld = new Set<string>();
const UNLIMITED = {
  mediaLimits: { requests: undefined, bytes: undefined },
  trustedProxies: 0,
  isWithheld: (sha256: string) => withheld.has(sha256),
  tell: () => ({}),
};

const ensure = vi.fn<(source: MediaSource) => Promise<StoredDerivative>>();
let app: FastifyInstance;
let epoch = '';
let folder: string;
let port: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-'));
  const blobs = new FolderBlobs(folder);
  await blobs.put(originalKey(SHA, 'gif'), ORIGINAL);
  await blobs.put(derivativeFile(LOCAL, W240)!.key, PREVIEW);
  app = Fastify();
  app.setErrorHandler((error, _, reply) => {
    const { code, status, message } = error as ServiceError;
    return reply.code(status ?? 400).send({ error: { code, message } });
  });
  const sources = [LOCAL, LINKED, HUGE];
  const find = (id: string) => sources.find((source) => source.id === id) ?? null;
  registerMedia(app, { find, ensure, blobs, epoch: () => epoch, mediaCacheBytes: 1_000_000, ...UNLIMITED });
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.server.address() as AddressInfo).port;
});

beforeEach(() => {
  ensure.mockReset();
  epoch = randomUUID();
});

afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

/** Requests a path without normalising the path first. */
function get(path: string, headers: http.OutgoingHttpHeaders = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    request.on('error', reject).end();
  });
}

const original = originalPath(SHA, 'gif');
const preview = derivativePath(LOCAL.id, W240);

describe('an original by its hash, as in Blossom', () => {
  test.each(['', '.gif', '.webp', '.mp4'])('is at the root, with the ending "%s"', async (ending) => {
    const { status, headers, body } = await get(`/${SHA}${ending}`);
    expect(status).toBe(200);
    expect(body.equals(ORIGINAL)).toBe(true);
    expect(headers).toMatchObject({
      'content-type': 'image/gif',
      'access-control-allow-origin': '*',
      etag: `"${SHA}"`,
    });
  });

  test('has a head and ranges', async () => {
    const head = await get(`/${SHA}`, {}, 'HEAD');
    expect(head).toMatchObject({ status: 200, headers: { 'content-length': String(ORIGINAL.length) } });
    const part = await get(`/${SHA}`, { range: 'bytes=3-5' });
    expect([part.status, part.body.toString()]).toEqual([206, '89a']);
  });

  test('is found in each format', async () => {
    const webp = '5'.repeat(64);
    await new FolderBlobs(folder).put(originalKey(webp, 'webp'), PREVIEW);
    expect((await get(`/${webp}.gif`)).headers['content-type']).toBe('image/webp');
  });

  test('is missing with a reason if it was removed or is unknown', async () => {
    withheld.add(SHA);
    const { status, headers } = await get(`/${SHA}.gif`);
    withheld.clear();
    expect([status, headers['x-reason']]).toEqual([404, 'this image was removed']);
    const unknown = await get(`/${'0'.repeat(64)}`);
    expect([unknown.status, unknown.headers['x-reason']]).toEqual([404, 'no original has this URL']);
    expect(unknown.headers['access-control-allow-origin']).toBe('*');
  });

  test('can be requested with any header, by pages of any origin', async () => {
    const { status, headers } = await get(`/${SHA}`, {}, 'OPTIONS');
    expect(status).toBe(204);
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'Authorization, *',
      'access-control-allow-methods': 'GET, HEAD, PUT, DELETE',
    });
  });

  test.each([SHA.slice(1), SHA.toUpperCase(), `${SHA}.`, `${SHA}.gif.gif`, `${SHA}/a`])(
    'has no URL %s',
    async (name) => {
      expect((await get(`/${name}`)).status).toBe(404);
    },
  );
});

test('charges only the bytes that are sent', async () => {
  const spent: number[] = [];
  const rule = { name: 'media-bytes', table: 'media', quota: 1, windowSeconds: 60 } as const;
  const verdict = { rule, remaining: 0, resetSeconds: 0, retryAfterSeconds: 7 };
  const bytes = (_: string, sent: number) => ({ ...verdict, allowed: spent.push(sent) < 5 });
  const counting = Fastify();
  counting.setErrorHandler(createReplyError(createLog('silent')));
  const blobs = new FolderBlobs(folder);
  const find = () => LOCAL;
  const mediaLimits = { requests: undefined, bytes };
  registerMedia(counting, {
    find,
    ensure,
    blobs,
    isWithheld: () => false,
    tell: () => ({}),
    epoch: () => epoch,
    mediaCacheBytes: 1e6,
    mediaLimits,
    trustedProxies: 0,
  });
  const send = (url: string, headers = {}, method: 'GET' | 'HEAD' = 'GET') => counting.inject({ url, headers, method });
  await send(original);
  await send(original, { range: 'bytes=10-19' });
  await send(original, { 'if-none-match': `"${SHA}"` });
  await send(original, {}, 'HEAD');
  await send(`/m/${'0'.repeat(64)}.gif`);
  for (let n = 0; n < 2; n++) expect((await send(preview)).body).toBe('a preview');
  expect(spent).toEqual([ORIGINAL.length, 10, PREVIEW.length, PREVIEW.length]);
  const refused = await send(original);
  expect(refused.statusCode).toBe(429);
  expect(refused.headers).toMatchObject({ 'retry-after': '7', 'cache-control': 'no-store' });
});

test('the edge gets the id of the GIF with each image, even with a missing image', async () => {
  const told: string[] = [];
  const tell = (id: string) => {
    told.push(id);
    return { 'surrogate-key': id };
  };
  const behindEdge = Fastify();
  behindEdge.setErrorHandler(createReplyError(createLog('silent')));
  const [find, blobs] = [() => LOCAL, new FolderBlobs(folder)];
  const deps = { find, ensure, blobs, epoch: () => epoch, mediaCacheBytes: 1e6, ...UNLIMITED, tell };
  registerMedia(behindEdge, deps);
  // Ids end in .gif for all formats.
  for (const url of [original, originalPath(SHA, 'webp'), preview, preview]) {
    expect((await behindEdge.inject(url)).headers['surrogate-key']).toBe(LOCAL.id);
  }
  expect(told).toHaveLength(4);
  await behindEdge.inject('/m/unknown');
  expect(told).toHaveLength(4);
});

describe('a file', () => {
  test.each([
    [original, ORIGINAL, 'image/gif', `"${SHA}"`],
    [preview, PREVIEW, 'image/webp', expect.stringMatching(new RegExp(`^"${RECIPE}-[\\w-]{22}"$`))],
  ])('is sent whole, and any page can load and cache it: %s', async (path, bytes, type, etag) => {
    const { status, headers, body } = await get(path);
    expect(status).toBe(200);
    expect(body.equals(bytes)).toBe(true);
    expect(headers).toMatchObject({
      etag,
      'content-type': type,
      'content-length': String(bytes.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'timing-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect(ensure).not.toHaveBeenCalled();
  });

  test('answers HEAD with the headers of GET and no body', async () => {
    const [got, head] = await Promise.all([get(original), get(original, {}, 'HEAD')]);
    expect(head.status).toBe(200);
    expect(head.body).toHaveLength(0);
    const undated = ({ date: _, ...rest }: http.IncomingHttpHeaders) => rest;
    expect(undated(head.headers)).toEqual(undated(got.headers));
  });

  test('is not sent again to a caller that has it, but its ETag is', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, body } = await get(
        original,
        { 'if-none-match': `"${SHA}"`, range: 'bytes=0-1' },
        method,
      );
      expect([status, body.length]).toEqual([304, 0]);
      expect(headers).toMatchObject({ etag: `"${SHA}"`, 'access-control-allow-origin': '*' });
    }
  });

  test.each([
    ['bytes=0-1', 0, 2],
    ['bytes=100-', 100, ORIGINAL.length],
    ['bytes=-7', ORIGINAL.length - 7, ORIGINAL.length],
    ['bytes=70000-3000000', 70_000, 3_000_001],
  ])('is sent in part: %s', async (range, start, end) => {
    const { status, headers, body } = await get(original, { range });
    expect(status).toBe(206);
    expect(headers['content-range']).toBe(`bytes ${start}-${end - 1}/${ORIGINAL.length}`);
    expect(headers['content-length']).toBe(String(end - start));
    expect(body.equals(ORIGINAL.subarray(start, end))).toBe(true);
  });

  test('has no range beyond its end, and HEAD ignores ranges', async () => {
    const beyond = await get(original, { range: `bytes=${ORIGINAL.length}-` });
    expect(beyond.status).toBe(416);
    expect(beyond.headers['content-range']).toBe(`bytes */${ORIGINAL.length}`);
    const head = await get(original, { range: 'bytes=0-1' }, 'HEAD');
    expect([head.status, head.headers['content-length']]).toEqual([200, String(ORIGINAL.length)]);
  });
});

test('a file is closed when its caller closes the connection', async () => {
  const opened = Promise.withResolvers<Readable>();
  const store = new FolderBlobs(folder);
  const get = async (key: string): Promise<Readable | null> => {
    const stream = await store.get(key);
    opened.resolve(stream!);
    return stream;
  };
  const slow = Fastify();
  const endless = { get, head: () => Promise.resolve({ bytes: 10 ** 9 }) };
  registerMedia(slow, {
    find: () => null,
    ensure,
    blobs: endless,
    epoch: () => epoch,
    mediaCacheBytes: 1_000_000,
    ...UNLIMITED,
  });
  const address = await slow.listen({ port: 0, host: '127.0.0.1' });
  const request = http.get(address + original);
  request.on('error', () => {}).on('response', (response) => response.destroy());
  const stream = await opened.promise;
  if (!stream.closed) await once(stream, 'close');
  expect(stream.destroyed).toBe(true);
  await slow.close();
});

describe('a preview that is not stored', () => {
  const path = derivativePath(LINKED.id, { fit: 'small', kind: 'still' });

  test('is made and sent', async () => {
    const { key, contentType } = derivativeFile(LINKED, { fit: 'small', kind: 'still' })!;
    ensure.mockImplementation(async () => {
      await new FolderBlobs(folder).put(key, PREVIEW);
      return { key, bytes: PREVIEW.length, contentType };
    });
    const { status, headers, body } = await get(path);
    expect([status, headers['content-type'], body.toString()]).toEqual([200, 'image/png', 'a preview']);
    expect(ensure).toHaveBeenCalledWith(LINKED, { fit: 'small', kind: 'still' });
    await new FolderBlobs(folder).delete(key);
  });

  test('and cannot be made is reported as missing for five minutes', async () => {
    ensure.mockRejectedValue(new ServiceError('not_found', 'broken'));
    const { status, headers, body } = await get(path);
    expect([status, headers['cache-control']]).toEqual([404, 'public, max-age=300']);
    expect(headers).not.toHaveProperty('etag');
    expect(JSON.parse(body.toString())).toEqual({ error: { code: 'not_found', message: 'broken' } });
  });

  test('and cannot be made now is not reported as missing', async () => {
    ensure.mockRejectedValue(new ServiceError('upstream_unavailable', 'busy', { retryAfter: 5 }));
    const { status, headers } = await get(path);
    expect(status).toBe(503);
    expect(headers['cache-control']).toBeUndefined();
  });

  test('because it is too large is not made', async () => {
    const { status, headers } = await get(derivativePath(HUGE.id, W240));
    expect([status, headers['cache-control']]).toEqual([404, 'public, max-age=300']);
    expect(ensure).not.toHaveBeenCalled();
  });
});

test('the URL of a preview of an older recipe redirects to the current one', async () => {
  const old = preview.replace(`/${RECIPE}/`, '/r0/');
  const { status, headers } = await get(old);
  // The redirect is not cached forever, because the recipe can change again.
  expect([status, headers['cache-control']]).toEqual([302, 'public, max-age=300']);
  expect(new URL(headers.location!, `http://host/prefix${old}`).pathname).toBe(`/prefix${preview}`);
});

test.each(VIDEOS)('the URL of a video of an older recipe redirects to the current one: %o', async (video) => {
  const path = derivativePath(LOCAL.id, video);
  const old = path.replace(`/${RECIPE}/`, '/r0/');
  const { status, headers } = await get(old);
  expect(status).toBe(302);
  expect(new URL(headers.location!, `http://host/prefix${old}`).pathname).toBe(`/prefix${path}`);
});

test('recent files are sent from memory until the epoch changes', async () => {
  const blobs = new FolderBlobs(folder);
  const { key } = derivativeFile(LOCAL, W240)!;
  await get(preview);
  await blobs.delete(key);
  const kept = await get(preview, { range: 'bytes=2-5' });
  expect([kept.status, kept.body.toString()]).toEqual([206, 'prev']);
  epoch = randomUUID();
  ensure.mockRejectedValue(new ServiceError('not_found', 'gone'));
  expect((await get(preview)).status).toBe(404);
  await blobs.put(key, PREVIEW);
});

test('a withheld original is missing, even if it was cached, until it is shown again', async () => {
  expect((await get(original)).status).toBe(200);
  withheld.add(SHA);
  epoch = randomUUID();
  expect((await get(original)).status).toBe(404);
  withheld.delete(SHA);
  epoch = randomUUID();
  expect((await get(original)).status).toBe(200);
});

test.each([
  originalPath('0'.repeat(64), 'gif'),
  originalPath(SHA, 'webp'),
  original.replace('.gif', '.GIF'),
  derivativePath('unknown.gif', W240),
  `/p/${RECIPE}/w999/${SHA}.gif`,
  `/p/${RECIPE}/constructor/${SHA}.gif`,
  `/p/${RECIPE}/w240/../../m/${SHA}.gif`,
  '/m/../../../../etc/passwd',
  '/m/..%2f..%2fetc%2fpasswd',
  '/m/%2e%2e/%2e%2e/etc/passwd',
  '/m/%00.gif',
  `/m/${SHA}.gif%00.png`,
  `/m/${'a'.repeat(10_000)}.gif`,
  '/m/',
  '/p/',
  `/m//${SHA}.gif`,
])('no file has the URL %s', async (path) => {
  const { status, body } = await get(path);
  expect([400, 404]).toContain(status);
  expect(JSON.parse(body.toString()).error).toHaveProperty('message');
});

test('an invalid escape in a path gets status 400', async () => {
  expect((await get('/m/%zz')).status).toBe(400);
});

test('an unknown file is cached as missing for a minute', async () => {
  const { status, headers } = await get(originalPath('0'.repeat(64), 'gif'));
  expect([status, headers['cache-control']]).toEqual([404, 'public, max-age=60']);
  expect(headers['access-control-allow-origin']).toBe('*');
});
