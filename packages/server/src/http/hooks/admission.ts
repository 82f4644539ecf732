import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Client, identify } from '../../registry/index.ts';
import { EXPOSED_HEADERS } from '../cors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    client: Client | null;
  }
}

/** Lets only registered callers pass, before anything else is looked at; who passed is `request.client`. */
export function registerAdmission(app: FastifyInstance): void {
  app.decorateRequest('client', null);
  app.addHook('onRequest', (request: FastifyRequest, reply, done) => {
    request.client = identify(request.headers);
    // Added only now: a browser that is not admitted must see no status and no body.
    reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', EXPOSED_HEADERS);
    done();
  });
}
