import Fastify from 'fastify';
import { type EventTemplate, finalizeEvent, generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import { expect, test, vi } from 'vitest';
import { createLog } from '../../base/log.ts';
import type { HttpContext } from '../context.ts';
import { createReplyError } from '../reply-error.ts';
import { registerReport } from './report.ts';

const [A, B] = ['a'.repeat(64), 'b'.repeat(64)];
const key = generateSecretKey();

/** Serves a service that has the GIF with the hash A. */
function serve() {
  const report = vi.fn<HttpContext['report']>(async ({ gif }) => (gif === `${A}.gif` ? 'taken' : 'unknown'));
  const limitReports = { look: vi.fn(), take: vi.fn() };
  const log = { error: vi.fn() };
  const app = Fastify();
  app.setErrorHandler(createReplyError(createLog('silent')));
  registerReport(app, {
    lease: () => ({ index: { forRequest: () => ({ find: (id: string) => (id === `${A}.gif` ? {} : undefined) }) } }),
    publicUrl: 'http://localhost',
    trustedProxies: 0,
    ...{ report, limitReports, log },
  } as unknown as HttpContext);
  const send = async (event: unknown) => {
    const headers = { 'content-type': 'application/json' };
    const payload = typeof event === 'string' ? event : JSON.stringify(event);
    const { statusCode, headers: sent } = await app.inject({ method: 'PUT', url: '/report', headers, payload });
    return { status: statusCode, reason: sent['x-reason'], sent };
  };
  return { app, report, limitReports, log, send };
}

function sign(changes: Partial<EventTemplate> = {}) {
  const tags = [
    ['x', A, 'nudity'],
    ['p', 'c'.repeat(64)],
  ];
  return finalizeEvent({ kind: 1984, created_at: 1_800_000_000, content: ' Not for work. ', tags, ...changes }, key);
}

test('a signed report goes to the queue, without the public key of the reporter', async () => {
  const { report, limitReports, send } = serve();
  expect(await send(sign())).toMatchObject({ status: 204, sent: { 'access-control-allow-origin': '*' } });
  expect(report.mock.calls).toEqual([[{ gif: `${A}.gif`, reason: 'adult', message: 'Not for work.', contact: '' }]]);
  expect(JSON.stringify(report.mock.calls)).not.toContain(getPublicKey(key));
  expect(limitReports.take).toHaveBeenCalledTimes(1);
});

test.each([
  ['nudity', 'words', 'adult', 'words'],
  ['illegal', '', 'illegal', 'illegal'],
  ['spam', '', 'other', 'spam'],
  ['toString', 'a\u001b[2Jb', 'other', 'a [2Jb'],
  ['', 'words', 'other', 'words'],
])('the type %j with the text %j is a report of the kind %s', async (type, content, reason, message) => {
  const { report, send } = serve();
  expect((await send(sign({ content, tags: [['x', A, type]] }))).status).toBe(204);
  expect(report).toHaveBeenCalledWith({ gif: `${A}.gif`, reason, message, contact: '' });
});

test('a report about several files counts once for each file that the service has', async () => {
  const { report, limitReports, send } = serve();
  expect(
    (
      await send(
        sign({
          tags: [
            ['x', B],
            ['x', A],
            ['x', A],
          ],
        }),
      )
    ).status,
  ).toBe(204);
  expect(report.mock.calls.map(([{ gif }]) => gif)).toEqual([`${B}.gif`, `${A}.gif`]);
  expect(limitReports.take).toHaveBeenCalledTimes(1);
});

test('a report can have ten files and a text of 2,000 characters', async () => {
  const { send } = serve();
  const tags = Array.from({ length: 10 }, (_, n) => ['x', `${n}`.padStart(64, '0')]);
  const { status } = await send(sign({ tags: [...tags.slice(1), ['x', A]], content: 'a'.repeat(2_000) }));
  expect(status).toBe(204);
});

test.each([
  ['no JSON', '{', 'as JSON'],
  ['null', 'null', 'as JSON'],
  ['tags of another type', { ...sign(), tags: [[1]] }, 'as JSON'],
  ['another kind', sign({ kind: 1 }), 'kind'],
  ['no file', sign({ tags: [['e', A]] }), 'x tag'],
  ['a hash that is none', sign({ tags: [['x', '../a']] }), 'x tag'],
  [
    'too many files',
    sign({ tags: Array.from({ length: 11 }, (_, n) => ['x', `${n}`.padStart(64, '0')]) }),
    'at most 10',
  ],
  ['a long text', sign({ content: 'a'.repeat(2_001) }), 'at most 2000'],
  ['another content than the signed one', { ...sign(), content: 'other' }, 'sig'],
  ['a wrong signature', { ...JSON.parse(JSON.stringify(sign())), sig: '0'.repeat(128) }, 'sig'],
  ['no public key', { ...JSON.parse(JSON.stringify(sign())), pubkey: 5 }, 'sig'],
])('a report with %s is refused with the reason', async (_, event, reason) => {
  const { report, send } = serve();
  expect(await send(event)).toMatchObject({ status: 400, reason: expect.stringContaining(reason) });
  expect(report).not.toHaveBeenCalled();
});

test('an unknown file, a full queue and a failure are distinguished', async () => {
  const { report, log, send } = serve();
  expect(await send(sign({ tags: [['x', B]] }))).toMatchObject({
    status: 404,
    reason: expect.stringContaining('no GIF'),
  });
  report.mockResolvedValue('full');
  const full = { status: 503, reason: expect.stringContaining('waiting'), sent: { 'retry-after': '3600' } };
  expect(await send(sign())).toMatchObject(full);
  report.mockRejectedValue(new Error('the disk is full'));
  const unsaved = { status: 503, reason: expect.stringContaining('right now'), sent: { 'retry-after': '60' } };
  expect(await send(sign())).toMatchObject(unsaved);
  expect(log.error).toHaveBeenCalledOnce();
});

test('a caller who has no reports left is refused before the signature is checked', async () => {
  const { report, limitReports, send } = serve();
  limitReports.look.mockReturnValue({ allowed: false, retryAfterSeconds: 60 });
  const refused = await send('{');
  expect(refused).toMatchObject({
    status: 429,
    reason: expect.stringContaining('IP address'),
    sent: { 'retry-after': '60' },
  });
  limitReports.look.mockReturnValue(undefined);
  limitReports.take.mockReturnValue({ allowed: false, retryAfterSeconds: 60 });
  expect((await send(sign())).status).toBe(429);
  expect(report).not.toHaveBeenCalled();
});

test('pages of all origins can send reports', async () => {
  const { app } = serve();
  const { statusCode, headers } = await app.inject({ method: 'OPTIONS', url: '/report' });
  expect([statusCode, headers['access-control-allow-methods']]).toEqual([204, 'PUT']);
});
