import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer } from './answer-cache.ts';

export function toAnswer(response: object): Answer {
  const body = Buffer.from(JSON.stringify(response));
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}

/** Sends an answer, or 304 to a caller who has it. */
export function sendAnswer(request: FastifyRequest, reply: FastifyReply, { body, etag }: Answer): FastifyReply {
  reply
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'private, max-age=60')
    .header('vary', 'Origin, Authorization, User-Agent')
    .header('etag', etag);
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  return reply.send(body);
}
