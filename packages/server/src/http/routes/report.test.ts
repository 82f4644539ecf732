import Fastify from 'fastify';
import { expect, test, vi } from 'vitest';
import type { HttpContext } from '../context.ts';
import { registerReport } from './report.ts';

const GIF = `${'a'.repeat(64)}.gif`;

/** Serves the form of a service that accepts reports about every GIF, although its search finds no GIF. */
function serve() {
  const report = vi.fn<HttpContext['report']>(async () => 'taken');
  const limitReports = { look: vi.fn(), take: vi.fn() };
  const log = { error: vi.fn() };
  const app = Fastify();
  registerReport(app, {
    lease: () => ({ index: { forRequest: () => ({ find: () => undefined }) } }),
    operator: { name: 'Somebody', url: 'https://somebody.example' },
    publicUrl: 'http://localhost',
    trustedProxies: 0,
    ...{ report, limitReports, log },
  } as unknown as HttpContext);
  const send = (fields: Record<string, string>) => {
    const payload = new URLSearchParams({ gif: GIF, reason: 'adult', ...fields }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return app.inject({ method: 'POST', url: '/report', headers, payload });
  };
  return { report, limitReports, log, send };
}

test('a report about a GIF that no search finds counts, but a report with a mistyped id does not', async () => {
  const { report, limitReports, send } = serve();
  const { statusCode, headers } = await send({});
  expect([statusCode, headers.location]).toEqual([303, '/report?sent=1']);
  expect(limitReports.take).toHaveBeenCalledOnce();
  report.mockResolvedValue('unknown');
  const mistyped = await send({});
  expect([mistyped.statusCode, mistyped.body]).toEqual([400, expect.stringContaining('no such GIF')]);
  expect(limitReports.take).toHaveBeenCalledOnce();
});

test.each([
  ['cannot be saved', () => Promise.reject(new Error('the disk is full')), 'cannot be saved right now'],
  ['finds too many others', async () => 'full' as const, 'Too many reports are waiting'],
])('a report that %s can be sent again', async (_, save, problem) => {
  const { report, limitReports, log, send } = serve();
  report.mockImplementation(save);
  const { statusCode, body } = await send({ message: 'She is my <sister>.', contact: 'ann@gifs.example' });
  expect(statusCode).toBe(503);
  for (const text of [problem, 'She is my &#60;sister&#62;.', 'ann@gifs.example']) expect(body).toContain(text);
  expect(body).toContain('value="adult" required checked');
  expect(body).not.toContain('disk');
  expect(limitReports.take).not.toHaveBeenCalled();
  expect(log.error).toHaveBeenCalledTimes(problem.startsWith('cannot') ? 1 : 0);
});
