import { OPERATIONS } from '@zoetrope/contract';
import type { FastifyInstance } from 'fastify';
import { READABLE } from '../answer.ts';

/** Maximum time for which browsers cache a preflight, in seconds. It is two hours. */
const MAX_AGE_S = 7_200;

/**
 * Responses to preflights allow no additional headers or methods. Therefore browsers do not let a page send
 * `Authorization`.
 */
export function registerPreflight(app: FastifyInstance): void {
  for (const { path } of Object.values(OPERATIONS)) {
    app.options(path.replace('{id}', ':id'), (request, reply) =>
      reply
        .headers(request.isReadable ? READABLE : {})
        .code(204)
        .header('access-control-allow-methods', 'GET, HEAD')
        .header('access-control-max-age', MAX_AGE_S)
        .header('vary', 'Origin')
        .header('cache-control', 'no-store')
        .send(),
    );
  }
}
