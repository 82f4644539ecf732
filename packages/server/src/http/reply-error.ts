import { ERRORS, type ErrorCode, QueryError } from '@zoetrope/contract';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.ts';

/** Fastify's own complaints about a request, as codes of ours. */
const FASTIFY_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_BAD_URL: 'validation',
  FST_ERR_MAX_URL_LENGTH: 'uri_too_long',
};

/**
 * The only place where a thrown value becomes an answer. Whatever is not meant for callers becomes `internal`:
 * the log has the cause under the request id, the caller has the request id.
 */
export function replyError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = toServiceError(error as FastifyError);
  if (!known) request.log.error({ err: error }, 'a request failed');
  const { code, message, retryAfter } = known ?? {
    code: 'internal' as const,
    message: `The service failed; tell its operator the request id ${request.id}`,
    retryAfter: undefined,
  };
  const { status, browserReadable } = ERRORS[code];
  reply.code(status).header('content-type', 'application/json; charset=utf-8').header('x-request-id', request.id);
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  if (!browserReadable) reply.removeHeader('access-control-allow-origin');
  return reply.send(JSON.stringify({ error: { code, message } }));
}

function toServiceError(error: FastifyError | QueryError | ServiceError): ServiceError | undefined {
  if (error instanceof ServiceError) return error;
  if (error instanceof QueryError) return new ServiceError('validation', error.message);
  const code = 'code' in error ? FASTIFY_CODES[error.code] : undefined;
  return code && new ServiceError(code, ERRORS[code].summary);
}
