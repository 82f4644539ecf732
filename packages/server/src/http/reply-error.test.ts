import Fastify from 'fastify';
import { expect, test } from 'vitest';
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
