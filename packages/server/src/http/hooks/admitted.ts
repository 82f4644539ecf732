import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../base/errors.ts';

/** Header by which an edge learns the client, and sends it with each of its requests. */
export const CLIENT_HEADER = 'zoetrope-client';
export const CLASS_HEADER = 'zoetrope-client-class';

/**
 * Trusts an edge to identify the caller, as it learned from `GET /_admit`. Requests without a client were not admitted.
 */
export function registerAdmitted(app: FastifyInstance): void {
  app.decorateRequest('client', null);
  app.addHook('onRequest', (request, _, done) => {
    const id = request.headers[CLIENT_HEADER];
    if (typeof id !== 'string' || id === '') {
      throw new ServiceError('client_not_registered', `The request was not admitted: it has no ${CLIENT_HEADER}`);
    }
    request.client = { id, name: id, isDevelopment: request.headers[CLASS_HEADER] === 'development' };
    done();
  });
}
