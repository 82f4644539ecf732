import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../base/errors.ts';

/** By these an edge hears whom it may admit, and says it again with each request of theirs. */
export const CLIENT_HEADER = 'zoetrope-client';
export const CLASS_HEADER = 'zoetrope-client-class';

/** Takes an edge's word for who is calling: it has asked `GET /_admit`. What says no client's name has not been admitted. */
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
