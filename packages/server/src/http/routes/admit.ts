import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../base/errors.ts';
import type { Admission } from '../../registry/index.ts';
import { CLASS_HEADER, CLIENT_HEADER } from '../hooks/admitted.ts';

/**
 * `GET /_admit`, for edges alone: who a request says it comes from, by its own headers sent on. 204 names the client; 403
 * and 503 are what the caller hears. The first two may be kept as long as the registry's answer holds.
 */
export function registerAdmit(app: FastifyInstance, admission: Admission): void {
  app.get('/_admit', async (request, reply) => {
    const keep = () => reply.header('cache-control', keptFor(admission.secondsLeft(request.headers)));
    try {
      const { id, isDevelopment } = await admission.identify(request.headers);
      reply.header(CLIENT_HEADER, id).header(CLASS_HEADER, isDevelopment ? 'development' : 'registered');
      return keep().code(204).send();
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'client_not_registered') keep();
      throw error;
    }
  });
}

function keptFor(seconds: number): string {
  return seconds > 0 ? `max-age=${seconds}` : 'no-store';
}
