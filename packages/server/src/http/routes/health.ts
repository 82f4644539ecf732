import type { FastifyInstance } from 'fastify';
import type { HttpContext } from '../context.ts';

const STATES = ['starting', 'ready', 'degraded', 'down', 'none'] as const;

/**
 * `GET /healthz` for whoever watches over the service, `GET /metrics` for Prometheus. Both are open: they tell nothing of
 * callers. Without the meaning leg the service still answers, so that is health, said in the body.
 */
export function registerHealth(app: FastifyInstance, context: HttpContext): void {
  app.get('/healthz', async (_, reply) => {
    const { index, gen } = context.lease();
    const { state, since } = await context.embedderState();
    const embedder = { state, since: since === null ? null : new Date(since).toISOString() };
    const { buildId: build, documents, hasMeaning, hasLooks } = index;
    const meaning = hasMeaning && (state === 'ready' || state === 'degraded');
    return reply
      .header('cache-control', 'no-store')
      .send({ status: 'ok', build, gen, documents, legs: { words: true, meaning, looks: hasLooks }, embedder });
  });
  app.get('/metrics', async (_, reply) => {
    const { index } = context.lease();
    const { state } = await context.embedderState();
    const states = STATES.map((each) => `zoetrope_embedder_state{state="${each}"} ${each === state ? 1 : 0}\n`);
    const gauges = [
      '# HELP zoetrope_gifs GIFs that can be found\n# TYPE zoetrope_gifs gauge\n',
      `zoetrope_gifs ${index.documents}\n`,
      '# HELP zoetrope_embedder_state State of the embedder\n# TYPE zoetrope_embedder_state gauge\n',
      ...states,
    ];
    return reply
      .header('cache-control', 'no-store')
      .header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
      .send(context.metrics.text() + gauges.join(''));
  });
}
