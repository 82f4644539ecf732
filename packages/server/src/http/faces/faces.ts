import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../base/errors.ts';
import { READABLE } from '../answer.ts';
import type { Answers } from '../cached-route.ts';
import type { HttpContext } from '../context.ts';
import { limitLikePage } from '../hooks/page-limit.ts';
import { createReplyError } from '../reply-error.ts';
import { registerTurns, type Turns } from '../turns.ts';
import type { Face } from './face.ts';
import { gifbox } from './gifbox.ts';
import { gifverse } from './gifverse.ts';
import { giphy } from './giphy.ts';
import { klipy } from './klipy.ts';
import { mcp } from './mcp.ts';
import type { FaceWithPath } from './setting.ts';
import { tenor } from './tenor.ts';

const FACES: Readonly<Record<FaceWithPath, Face>> = { gifbox, gifverse, tenor, giphy, klipy, mcp };

/** The client for requests to public faces. These requests count as requests of the development client. */
const EVERYBODY = { id: 'development', name: 'Everybody', isDevelopment: true };

/** Time for which browsers cache a preflight, in seconds. */
const PREFLIGHT_S = 7_200;

/**
 * Registers the faces that are turned on: imitations of other services' APIs, each below its own path. A face uses the
 * error format of its service, and admits the callers of the API, or everybody.
 * @param admit registers the hook that identifies the client of each request, or rejects it
 */
export function registerFaces(
  app: FastifyInstance,
  context: HttpContext,
  { answers, turns, admit }: { answers: Answers; turns: Turns; admit(api: FastifyInstance): void },
): void {
  for (const [name, callers] of context.faces) {
    if (name === 'relay') continue;
    const face = FACES[name];
    app.register((scope, _, done) => {
      scope.setErrorHandler(createReplyError(context.log, undefined, face.problem));
      face.registerOpen?.({ app: scope, context });
      scope.register((own, __, ready) => {
        const isPublic = callers === 'public';
        if (isPublic) admitEverybody(own, context, turns);
        else admit(own);
        registerPreflight(own, name);
        // A public face has only the limits of the service's own pages.
        const limited = isPublic ? { ...context, limit: () => undefined } : context;
        face.register({ app: own, context: limited, answers });
        own.route({ method: ['GET', 'POST'], url: `/${name}/*`, handler: refuse });
        ready();
      });
      done();
    });
  }
}

function refuse({ url }: { url: string }): never {
  throw new ServiceError('not_found', `Not found: ${url.split('?')[0]!.slice(0, 200)}`);
}

/** Admits every caller, with the limits of an IP address on the service's own pages. */
function admitEverybody(app: FastifyInstance, context: HttpContext, turns: Turns): void {
  app.decorateRequest('client', null);
  app.addHook('onRequest', (request, _, done) => {
    request.client = EVERYBODY;
    request.isReadable = true;
    if (request.method === 'OPTIONS') return done();
    limitLikePage(request, context);
    done();
  });
  registerTurns(app, turns);
}

/**
 * Allows pages to send the headers of the imitated service. This service ignores these headers, so every header is
 * allowed except Authorization, which `*` does not include.
 */
function registerPreflight(app: FastifyInstance, name: FaceWithPath): void {
  const allow = (request: FastifyRequest, reply: FastifyReply) =>
    reply
      .headers(request.isReadable ? READABLE : {})
      .code(204)
      .header('access-control-allow-methods', 'GET, HEAD, POST')
      .header('access-control-allow-headers', '*')
      .header('access-control-max-age', PREFLIGHT_S)
      .header('vary', 'Origin')
      .header('cache-control', 'no-store')
      .send();
  for (const url of [`/${name}`, `/${name}/*`]) app.options(url, allow);
}
