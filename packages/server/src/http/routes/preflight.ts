import { OPERATIONS } from '@zoetrope/contract';
import type { FastifyInstance } from 'fastify';
import { READABLE } from '../answer.ts';

/** Browsers forget after two hours at the latest. */
const MAX_AGE_S = 7_200;

/**
 * What a page may send that a browser asks about first: nothing. The answer allows the methods that need no asking and
 * no header, so a page that would send `Authorization` fails before it has.
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
