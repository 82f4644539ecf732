import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { ServiceError } from '../base/errors.ts';
import { createReplyError } from './reply-error.ts';

/** Returns an app that responds with errors, and the app's log. */
function createApp() {
  const app = Fastify();
  const logged: unknown[] = [];
  app.decorateRequest('budget', null);
  app.setErrorHandler(createReplyError({ error: (line: unknown) => void logged.push(line) }));
  return { app, logged };
}

test.each([
  { what: 'too large', type: 'text/plain', length: 17_000, status: 400, reason: 'at most 16 kB' },
  { what: 'of no media type', type: 'x', length: 1, status: 415, reason: 'Content-Type must be a media type' },
])('a body that is $what is refused, and not logged as a failure', async ({ type, length, status, reason }) => {
  const { app, logged } = createApp();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 16_384 }, (_, body, done) => done(null, body));
  app.post('/', () => ({}));
  const [headers, payload] = [{ 'content-type': type }, 'x'.repeat(length)];
  const { statusCode, body } = await app.inject({ method: 'POST', url: '/', headers, payload });
  expect([statusCode, body, logged]).toEqual([status, expect.stringContaining(reason), []]);
});

test.each([
  ['SQLITE_BUSY', 'Another process is writing'],
  ['SQLITE_FULL', 'The disk of this service is full'],
  ['SQLITE_CONSTRAINT_TRIGGER', 'moving to another database'],
  ['ZFRZN', 'moving to another database'],
  ['57014', 'The database took too long'],
  ['40P01', 'The database took too long'],
])(
  'the problem %s of the database is reported as temporary, and only the log has the details',
  async (code, reason) => {
    const { app, logged } = createApp();
    const err = Object.assign(new Error('insert into "gifs"'), { code });
    app.get('/', () => Promise.reject(err));
    const { statusCode, headers, body } = await app.inject('/');
    expect([statusCode, headers['retry-after']]).toEqual([503, '10']);
    expect(JSON.parse(body)).toEqual({
      error: { code: 'upstream_unavailable', message: expect.stringContaining(reason) },
    });
    expect(body).not.toContain('insert');
    expect(logged).toEqual([expect.objectContaining({ err })]);
  },
);

test('if a file cannot be read, the error response has none of its headers', async () => {
  const { app } = createApp();
  app.get('/', (_, reply) => {
    reply.headers({ etag: '"a"', 'cache-control': 'public, immutable', 'content-length': 9, 'accept-ranges': 'bytes' });
    throw new ServiceError('upstream_unavailable', 'the store is away');
  });
  const { headers, body } = await app.inject('/');
  expect(headers['cache-control']).toBe('no-store');
  for (const name of ['etag', 'accept-ranges']) expect(headers).not.toHaveProperty(name);
  expect(headers['content-length']).toBe(String(body.length));
});

test.each([
  [new ServiceError('not_found', 'No GIF'), 'de', 404, 'Hier ist nichts'],
  [new ServiceError('rate_limited', 'x', { retryAfter: 7 }), 'en', 429, 'Try again in 7 seconds'],
  [new ServiceError('upstream_unavailable', 'The <b>disk</b> is full'), 'en', 503, '#60;b&#62;disk'],
  [new Error('secret'), 'en', 500, 'Give the operator the request id'],
])('people get a page in their language for %s, and programs get JSON', async (error, language, status, text) => {
  const app = Fastify();
  app.decorateRequest('budget', null);
  const site = { operator: { name: 'Ada', url: 'https://ada.example' }, publicUrl: 'https://gifs.example' };
  app.setErrorHandler(createReplyError({ error: () => {} }, site));
  app.get('*', () => Promise.reject(error));
  const get = (url: string, accept: string) =>
    app.inject({ url, headers: { accept, 'accept-language': language }, method: 'GET' });
  const page = await get('/g/a', 'text/html,*/*;q=0.8');
  expect([page.statusCode, page.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
  expect(page.body).toContain(text);
  expect(page.body).not.toContain('secret');
  expect(page.headers['retry-after']).toBe(status === 429 ? '7' : undefined);
  for (const [url, accept] of [
    ['/g/a', '*/*'],
    ['/api/v1/x', 'text/html'],
    ['/p/r1/small/a.png', 'text/html'],
  ] as const) {
    const answer = await get(url, accept);
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([status, ['error']]);
  }
});
