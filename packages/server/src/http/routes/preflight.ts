import { OPERATIONS } from '@zoetrope/contract';
import type { FastifyInstance } from 'fastify';
import { READABLE } from '../answer.ts';

/** Browsers cache it for two hours at most. */
const MAX_AGE_S = 7_200;

/**
 * Preflights allow only what needs no preflight: no headers and no other methods. So a page that wants to send
 * `Authorization` fails before it does.
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
