import { Readable } from 'node:stream';
import Fastify from 'fastify';
import { expect, test, vi } from 'vitest';
import type { Log } from '../base/log.ts';
import { FrameworkLog } from './framework-log.ts';

test('an interrupted body is logged with its request id', async () => {
  const warn = vi.fn<(about: object, message: string) => void>();
  const app = Fastify({ logController: new FrameworkLog({ warn } as unknown as Log), genReqId: () => 'one' });
  const error = new Error('the disk is gone');
  async function* half() {
    yield 'the first half';
    throw error;
  }
  app.get('/', (_, reply) => reply.send(Readable.from(half())));
  await using _ = { [Symbol.asyncDispose]: () => app.close() };
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  await expect(fetch(url).then((response) => response.text())).rejects.toThrow();
  expect(warn.mock.calls).toEqual([[{ err: error, reqId: 'one' }, 'a response was interrupted']]);
});

test('a caller that hung up is not logged', async () => {
  const warn = vi.fn<() => void>();
  const app = Fastify({ logController: new FrameworkLog({ warn } as unknown as Log) });
  const closed = Promise.withResolvers<void>();
  async function* endless() {
    for (;;) yield 'more'.repeat(10_000);
  }
  app.get('/', (_, reply) => {
    reply.raw.once('close', () => setImmediate(closed.resolve));
    return reply.send(Readable.from(endless()));
  });
  await using _ = { [Symbol.asyncDispose]: () => app.close() };
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const stop = new AbortController();
  await fetch(url, { signal: stop.signal });
  stop.abort();
  await closed.promise;
  expect(warn).not.toHaveBeenCalled();
});
