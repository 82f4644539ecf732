import { OPENAPI_PATH } from '@zoetrope/contract';
import type { FastifyInstance } from 'fastify';
import type { HttpContext } from '../context.ts';

/**
 * Registers `GET /healthz` for monitoring, and `GET /readyz` for load balancers. Both are public, because they reveal
 * nothing about callers. A service without semantic search still works, so it counts as healthy, with a note in the
 * body. A service stays ready while the search cluster is unavailable, because no other machine could search either,
 * and this machine still sends media and cached responses. A service is not ready if the index is gone. A new service
 * is ready when it has its first GIFs.
 */
export function registerHealth(app: FastifyInstance, context: HttpContext): void {
  app.get('/healthz', async (_, reply) => reply.header('cache-control', 'no-store').send(await report(context)));
  app.get('/readyz', async (_, reply) => {
    const { build, ...state } = await report(context);
    reply.header('cache-control', 'no-store');
    const reason = whyNotReady(state);
    if (reason === undefined) return reply.send({ ready: true, build });
    return reply.code(503).send({ ready: false, build, reason });
  });
  app.get('/.well-known/gif-search.json', (_, reply) =>
    reply
      .header('access-control-allow-origin', '*')
      .header('cache-control', 'public, max-age=3600')
      .send(describe(context)),
  );
}

function whyNotReady({ search, documents, growing }: Omit<Awaited<ReturnType<typeof report>>, 'build'>) {
  if (search === 'gone') return 'the index in the search cluster is missing';
  return documents === 0 && growing ? 'the first GIFs are being added' : undefined;
}

async function report(context: HttpContext) {
  const { index, gen } = context.lease();
  const { search, isGrowing: growing, hasLanguages: languages, embedder: of } = await context.health();
  const { state, since } = of;
  const { buildId: build, documents, hasMeaning, hasLooks } = index;
  const meaning = hasMeaning && (state === 'ready' || state === 'degraded');
  const embedder = { state, since: since === null ? null : new Date(since).toISOString() };
  const isReached = search === 'ok';
  const legs = { words: isReached, meaning: isReached && meaning, looks: isReached && hasLooks };
  const status = isReached ? 'ok' : 'degraded';
  return { status, build, gen, documents, growing, languages, search, legs, embedder, rating: context.rating };
}

/** Returns the facts that a client needs to use this service and to show its attribution. */
function describe({ publicUrl, operator }: HttpContext) {
  return {
    api: `${publicUrl}/api/v1`,
    openapi: `${publicUrl}${OPENAPI_PATH}`,
    registration: `${publicUrl}/dashboard`,
    attribution: { text: `GIFs from ${operator.name}`, name: operator.name, url: operator.url },
  };
}
