import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Answer, AnswerCache } from './answer-cache.ts';
import type { HttpContext, Lease } from './context.ts';
import { type RawQuery, readQueryString } from './query-string.ts';

/** A route whose answers depend on its parameters and the index alone, so that they can be kept. */
export interface CachedRoute<Wanted> {
  path: string;
  /** What the caller wants. Throws QueryError or ServiceError for what cannot be wanted. */
  read(query: RawQuery): Wanted;
  /** The same for all that want the same, and another for each other route. */
  key(wanted: Wanted): string;
  answer(wanted: Wanted, lease: Lease): object;
}

/** Serves a route from the cache, and fills that. */
export function registerCached<Wanted>(
  app: FastifyInstance,
  { lease: takeLease }: HttpContext,
  cache: AnswerCache,
  route: CachedRoute<Wanted>,
): void {
  app.get(route.path, (request, reply) => {
    const lease = takeLease();
    const address = request.raw.url!;
    const known = cache.getByAddress(lease.epoch, address);
    if (known) return send(request, reply, known);
    const wanted = route.read(readQueryString(address));
    const key = route.key(wanted);
    cache.noteAddress(address, key);
    let answer = cache.get(lease.epoch, key);
    if (!answer) {
      answer = toAnswer(route.answer(wanted, lease));
      cache.set(lease.epoch, key, answer);
    }
    return send(request, reply, answer);
  });
}

function toAnswer(response: object): Answer {
  const body = Buffer.from(JSON.stringify(response));
  const headers = {
    'access-control-allow-origin': '*',
    'cache-control': 'private, max-age=60',
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    vary: 'Origin, Authorization, User-Agent',
  };
  return { body, headers };
}

/** Straight to the socket: what the framework does for each header costs more than sending the bytes. */
function send(request: FastifyRequest, reply: FastifyReply, { body, headers }: Answer): FastifyReply {
  reply.hijack();
  if (request.headers['if-none-match'] === headers.etag) {
    const { 'content-length': _, 'content-type': __, ...kept } = headers;
    reply.raw.writeHead(304, kept).end();
  } else {
    reply.raw.writeHead(200, headers).end(body);
  }
  return reply;
}
