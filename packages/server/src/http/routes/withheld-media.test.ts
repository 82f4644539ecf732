import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { ServiceError } from '../../base/errors.ts';
import { originalPath } from '../../media/index.ts';
import { registerMedia } from './media.ts';

const FILE = Buffer.from('GIF89a, says the file');
const SHA = createHash('sha256').update(FILE).digest('hex');

/** Serves one original from a slow store. */
function serve() {
  const state = { epoch: 'before', isWithheld: false };
  const asked = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const app = Fastify();
  app.setErrorHandler((error, _, reply) => reply.code((error as ServiceError).status).send());
  registerMedia(app, {
    find: () => null,
    ensure: () => Promise.reject(new ServiceError('not_found', 'no preview')),
    tell: () => ({}),
    isWithheld: () => state.isWithheld,
    blobs: {
      head: () => Promise.resolve({ bytes: FILE.length }),
      async get() {
        asked.resolve();
        await arrived.promise;
        return Readable.from([FILE]);
      },
    },
    epoch: () => state.epoch,
    mediaCacheBytes: 1_000_000,
    mediaLimits: { requests: undefined, bytes: undefined },
    trustedProxies: 0,
  });
  const get = async (path: string) => (await app.inject(path)).statusCode;
  return { state, asked: asked.promise, arrive: arrived.resolve, get };
}

test.each([
  ['by its hash', `/${SHA}`],
  ['by its path', originalPath(SHA, 'gif')],
])('an original that is withheld while another request reads it is not served after that (%s)', async (_, path) => {
  const { state, asked, arrive, get } = serve();
  const first = get(path);
  await asked;
  Object.assign(state, { isWithheld: true, epoch: 'after' });
  const meanwhile = await get(path);
  arrive();
  await first;
  expect([meanwhile, await get(path)]).toEqual([404, 404]);
});

test('an original that is withheld between two updates is not served after the second', async () => {
  const { state, asked, arrive, get } = serve();
  const first = get(`/${SHA}`);
  await asked;
  // The generation changes before the thread has the new list of withheld files.
  state.epoch = 'between';
  const second = get(`/${SHA}`);
  Object.assign(state, { isWithheld: true, epoch: 'after' });
  arrive();
  expect(await Promise.all([first, second])).toContain(200);
  expect(await get(`/${SHA}`)).toBe(404);
});
