import { OPENAPI_PATH } from '@zoetrope/contract';
import type { FastifyInstance } from 'fastify';
import type { HttpContext } from '../context.ts';

/**
 * Registers `GET /healthz` for monitoring, and `GET /readyz` for load balancers. Both are public, because they reveal
 * nothing about callers. A service without semantic search still works, so it counts as healthy, with a note in the
 * body.
 */
export function registerHealth(app: FastifyInstance, context: HttpContext): void {
  app.get('/healthz', async (_, reply) => reply.header('cache-control', 'no-store').send(await report(context)));
  app.get('/readyz', async (_, reply) => {
    const health = await report(context);
    return reply.header('cache-control', 'no-store').send({ ready: true, build: health.build });
  });
  app.get('/.well-known/gif-search.json', (_, reply) =>
    reply
      .header('access-control-allow-origin', '*')
      .header('cache-control', 'public, max-age=3600')
      .send(describe(context)),
  );
}

async function report(context: HttpContext) {
  const { index, gen } = context.lease();
  const { state, since } = await context.embedderState();
  const { buildId: build, documents, hasMeaning, hasLooks } = index;
  const meaning = hasMeaning && (state === 'ready' || state === 'degraded');
  const embedder = { state, since: since === null ? null : new Date(since).toISOString() };
  const legs = { words: true, meaning, looks: hasLooks };
  return { status: 'ok', build, gen, documents, legs, embedder, rating: context.rating };
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
