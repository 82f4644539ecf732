import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { ServiceError } from '../base/errors.ts';
import { createReplyError } from './reply-error.ts';

test.each([
  { what: 'too large', type: 'text/plain', length: 17_000, status: 400, reason: 'at most 16 kB' },
  { what: 'of no media type', type: 'x', length: 1, status: 415, reason: 'Content-Type must be a media type' },
])('a body that is $what is refused, and not logged as a failure', async ({ type, length, status, reason }) => {
  const app = Fastify();
  const logged: unknown[] = [];
  app.decorateRequest('budget', null);
  app.setErrorHandler(createReplyError({ error: (line: unknown) => void logged.push(line) }));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 16_384 }, (_, body, done) => done(null, body));
  app.post('/', () => ({}));
  const [headers, payload] = [{ 'content-type': type }, 'x'.repeat(length)];
  const { statusCode, body } = await app.inject({ method: 'POST', url: '/', headers, payload });
  expect([statusCode, body, logged]).toEqual([status, expect.stringContaining(reason), []]);
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
