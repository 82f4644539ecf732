import Fastify from 'fastify';
import { expect, test } from 'vitest';
import type { EmbedderReport, HttpContext, SearchState } from '../context.ts';
import { registerHealth } from './health.ts';

interface State {
  embedder?: EmbedderReport['state'];
  hasMeaning?: boolean;
  search?: SearchState;
  documents?: number;
  isGrowing?: boolean;
}

function serve(state: State) {
  const { search = 'ok', documents = 3, isGrowing = false, embedder = 'none', hasMeaning = false } = state;
  const app = Fastify();
  registerHealth(app, {
    lease: () => ({ gen: 1, index: { buildId: 'b', documents, hasMeaning, hasLooks: true } }),
    health: async () => ({ embedder: { state: embedder, since: null }, search, isGrowing, hasLanguages: true }),
    rating: 'off',
  } as unknown as HttpContext);
  return app;
}

/** Returns the status of /readyz, and the reason why the service is not ready. */
async function readiness(state: State) {
  const { statusCode, body } = await serve(state).inject('/readyz');
  return [statusCode, (JSON.parse(body) as { reason?: string }).reason];
}

test('a service is ready while its search cluster is away, because it still sends images', async () => {
  expect(await readiness({})).toEqual([200, undefined]);
  expect(await readiness({ search: 'away' })).toEqual([200, undefined]);
  expect(await readiness({ search: 'gone' })).toEqual([503, 'the index in the search cluster is missing']);
});

test('a new service is ready when it has its first GIFs, and an empty service that gets no GIFs is ready immediately', async () => {
  expect(await readiness({ documents: 0, isGrowing: true })).toEqual([503, 'the first GIFs are being added']);
  expect(await readiness({ documents: 36, isGrowing: true })).toEqual([200, undefined]);
  expect(await readiness({ documents: 0 })).toEqual([200, undefined]);
});

test.each<[State, string]>([
  [{ embedder: 'ready', hasMeaning: true }, 'ok words meaning looks'],
  [{ embedder: 'degraded', hasMeaning: true }, 'ok words meaning looks'],
  [{ embedder: 'starting', hasMeaning: true }, 'ok words looks'],
  [{ embedder: 'ready' }, 'ok words looks'],
  [{ embedder: 'ready', hasMeaning: true, search: 'away' }, 'degraded'],
])('the health of %j is %s', async (state, expected) => {
  const { status, legs } = (await serve(state).inject('/healthz')).json();
  const working = Object.keys(legs).filter((leg) => legs[leg]);
  expect([status, ...working].join(' ')).toBe(expected);
});
