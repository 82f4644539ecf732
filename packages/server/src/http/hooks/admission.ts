import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Admission, Client } from '../../registry/index.ts';

declare module 'fastify' {
  interface FastifyRequest {
    client: Client | null;
  }
}

/** Lets only registered callers pass, before anything else is looked at; who passed is `request.client`. */
export function registerAdmission(app: FastifyInstance, admission: Admission): void {
  app.decorateRequest('client', null);
  app.addHook('onRequest', (request, _, done) => {
    const client = admission.identify(request.headers);
    // A caller that is known does not wait, not even for a turn of the event loop.
    if (!(client instanceof Promise)) {
      admit(request, client);
      return done();
    }
    client.then((found) => {
      admit(request, found);
      done();
    }, done);
  });
}

function admit(request: FastifyRequest, client: Client): void {
  request.client = client;
  // Only now: a browser that is not admitted must see no status and no body.
  request.isReadable = true;
}
