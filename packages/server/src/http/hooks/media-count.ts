import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { HttpContext } from '../context.ts';
import { wasCut } from '../request-log.ts';

type Outcome = Parameters<HttpContext['metrics']['countImage']>[0];

/** Counts the outcome of each request for an image or video. */
export function registerMediaCount(app: FastifyInstance, { metrics }: Pick<HttpContext, 'metrics'>): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => metrics.countImage(outcomeOf(request, reply)));
    done();
  });
}

function outcomeOf({ outcome }: FastifyRequest, { raw }: FastifyReply): Outcome {
  const { statusCode: status } = raw;
  if (wasCut(raw)) return 'cut';
  if (status >= 500) return 'unavailable';
  if (status >= 400) return status === 404 ? 'missing' : 'refused';
  if (status >= 300) return status === 304 ? 'unchanged' : 'redirected';
  return outcome === 'made' ? 'made' : 'kept';
}
