import Fastify from 'fastify';
import { expect, test } from 'vitest';
import type { HttpContext, SearchState } from '../context.ts';
import { registerHealth } from './health.ts';

interface State {
  search?: SearchState;
  documents?: number;
  isGrowing?: boolean;
}

/** Returns the status of /readyz, and the reason why the service is not ready. */
async function readiness({ search = 'ok', documents = 3, isGrowing = false }: State) {
  const app = Fastify();
  const embedder = { state: 'none', since: null };
  registerHealth(app, {
    lease: () => ({ gen: 1, index: { buildId: 'b', documents, hasMeaning: false, hasLooks: false } }),
    health: async () => ({ embedder, search, isGrowing, hasLanguages: true }),
    rating: 'off',
  } as unknown as HttpContext);
  const { statusCode, body } = await app.inject('/readyz');
  return [statusCode, (JSON.parse(body) as { reason?: string }).reason];
}

test('a service is ready while its search cluster is away, because it still sends images', async () => {
  expect(await readiness({})).toEqual([200, undefined]);
  expect(await readiness({ search: 'away' })).toEqual([200, undefined]);
  expect(await readiness({ search: 'gone' })).toEqual([503, 'the index in the search cluster is missing']);
});

test('a new service is ready when it has its first GIFs, and an empty one that gets none is ready', async () => {
  expect(await readiness({ documents: 0, isGrowing: true })).toEqual([503, 'the first GIFs are being added']);
  expect(await readiness({ documents: 36, isGrowing: true })).toEqual([200, undefined]);
  expect(await readiness({ documents: 0 })).toEqual([200, undefined]);
});
