import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Client } from '../../admission/index.ts';
import { ServiceError } from '../../base/errors.ts';

/** Header that names the client to an edge. The edge sends the header with each of the client's requests. */
export const CLIENT_HEADER = 'zoetrope-client';
export const CLASS_HEADER = 'zoetrope-client-class';
/** Header with the id of the origin, key or User-Agent that identified the caller. An edge can leave it out. */
export const WAY_HEADER = 'zoetrope-client-way';
/** Header with the client's own limit of searches per minute, if it has one. An edge can leave it out. */
export const LIMIT_HEADER = 'zoetrope-client-limit';

/**
 * Trusts the client that an edge names, because the edge knows the client from `GET /_admit`. A request that names no
 * client was not admitted.
 */
export function registerAdmitted(app: FastifyInstance): void {
  app.decorateRequest('client', null);
  app.addHook('onRequest', (request, _, done) => {
    const id = request.headers[CLIENT_HEADER];
    if (typeof id !== 'string' || id === '') {
      throw new ServiceError('client_not_registered', `The request was not admitted: it has no ${CLIENT_HEADER}`);
    }
    const isDevelopment = request.headers[CLASS_HEADER] === 'development';
    request.client = { id, name: id, isDevelopment, ...readFacts(request.headers) };
    done();
  });
}

/** Reads the optional facts, which edges of earlier versions do not send. */
function readFacts(headers: FastifyRequest['headers']): Pick<Client, 'wayId' | 'searchesPerMinute'> {
  const [way, limit] = [headers[WAY_HEADER], Number(headers[LIMIT_HEADER] ?? 0)];
  return {
    ...(typeof way === 'string' && way !== '' ? { wayId: way } : {}),
    ...(limit > 0 ? { searchesPerMinute: limit } : {}),
  };
}
