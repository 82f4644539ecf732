import type { FastifyInstance } from 'fastify';
import type { Admission } from '../../admission/index.ts';
import { ServiceError } from '../../base/errors.ts';
import { CLASS_HEADER, CLIENT_HEADER, LIMIT_HEADER, WAY_HEADER } from '../hooks/admitted.ts';

/**
 * Registers `GET /_admit`, which is only for edges. The route identifies a caller by the headers that the edge
 * forwards. A 204 response names the client. The edge must pass 403 and 503 responses on to the caller. 204 and 403 can
 * be cached for as long as the registry's result is valid.
 */
export function registerAdmit(app: FastifyInstance, admission: Admission): void {
  app.get('/_admit', async (request, reply) => {
    const keep = () => reply.header('cache-control', keptFor(admission.secondsLeft(request.headers)));
    try {
      const { id, isDevelopment, wayId, searchesPerMinute } = await admission.identify(request.headers);
      reply.header(CLIENT_HEADER, id).header(CLASS_HEADER, isDevelopment ? 'development' : 'registered');
      if (wayId !== undefined) reply.header(WAY_HEADER, wayId);
      if (searchesPerMinute !== undefined) reply.header(LIMIT_HEADER, searchesPerMinute);
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
