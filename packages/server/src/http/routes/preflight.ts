import type { FastifyInstance } from 'fastify';
import { READABLE } from '../answer.ts';

/** Maximum time for which browsers cache a preflight, in seconds. It is two hours. */
const MAX_AGE_S = 7_200;

/**
 * Registers the preflights of paths that pages of admitted origins can read. The responses allow no additional headers
 * or methods. Therefore browsers do not let a page send `Authorization`.
 * @param paths with `{id}` for a path parameter
 */
export function registerPreflights(app: FastifyInstance, paths: readonly string[]): void {
  for (const path of paths) {
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
