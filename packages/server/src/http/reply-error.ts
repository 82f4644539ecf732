import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ERRORS, type ErrorCode, QueryError } from '@zoetrope/contract';
import type { ConnectionError, FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { READABLE } from './answer.ts';
import type { HttpContext } from './context.ts';
import { sendPage } from './page/frame.ts';
import { renderProblem } from './page/problem.ts';
import { textsFor } from './page/words/words.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether a page is allowed to read the response, because its origin was admitted. */
    isReadable: boolean;
  }
}

type ReplyError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** This API's codes for Fastify's own errors about requests. */
const FASTIFY_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_BAD_URL: 'validation',
  FST_ERR_MAX_PARAM_LENGTH: 'uri_too_long',
  FST_ERR_CTP_BODY_TOO_LARGE: 'validation',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'validation',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
};

/**
 * Messages for some of Fastify's errors. They are needed where the summary of the API's code does not describe the
 * error.
 */
const FASTIFY_MESSAGES: Readonly<Record<string, string>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'The request body is too large: at most 16 kB',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'Content-Type must be a media type, such as application/x-www-form-urlencoded',
};

const MOVING = 'This service is moving to another database; try again soon';
/**
 * Codes of temporary problems of the database: another process is writing, the disk is full, or the catalogue was moved
 * (see platform/db/freeze.ts). In PostgreSQL, 57014 is a statement that took too long, and 40P01 is a deadlock.
 */
const STORE_CODES: Readonly<Record<string, string>> = {
  SQLITE_CONSTRAINT_TRIGGER: MOVING,
  ZFRZN: MOVING,
  57014: 'The database took too long; try again soon',
  '40P01': 'The database took too long; try again soon',
  SQLITE_BUSY: 'Another process is writing to the data folder; try again soon',
  SQLITE_FULL: 'The disk of this service is full; its operator must free some space',
};
const STORE_RETRY_S = 10;

/** Errors of node:http about requests that it cannot parse. */
const PARSER_CODES: Readonly<Record<string, ErrorCode>> = { HPE_HEADER_OVERFLOW: 'headers_too_large' };

/** Headers that were set for a file. They are removed if the file cannot be read. */
const OF_A_FILE = ['cache-control', 'etag', 'accept-ranges', 'content-range', 'content-length'];

/**
 * Turns thrown values into responses: pages for people, and JSON for programs. No other code creates error responses.
 * Errors that are not meant for callers become `internal`. In this case, the caller gets the request id, under which
 * the log contains the cause.
 * @param site the data for pages. If it is missing, people get JSON, too
 * @param toErrorBody returns the body for programs, if it differs from that of the API
 */
export function createReplyError(
  log: Pick<Log, 'error'>,
  site?: Site,
  toErrorBody: (problem: ServiceError) => object = ({ code, message }) => ({ error: { code, message } }),
): ReplyError {
  return (error, request, reply) => {
    const known = toServiceError(error as FastifyError);
    if (!known || known.cause === error) log.error({ err: error, reqId: request.id }, 'a request failed');
    const problem = known ?? failure(request.id);
    if (site === undefined || !wantsPage(request)) return sendError(problem, toErrorBody(problem), request, reply);
    const { code, message, retryAfter } = problem;
    reply.code(ERRORS[code].status).header('x-request-id', request.id);
    if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
    const texts = textsFor(request.raw);
    const page = renderProblem({ code, message, retryAfter, operator: site.operator, texts });
    return sendPage(reply, page, site.publicUrl);
  };
}

/** The data that the pages for people need. */
type Site = Pick<HttpContext, 'operator' | 'publicUrl'>;

/** Paths that only programs request. Browsers can also open them, and then show the JSON. */
const FOR_PROGRAMS = /^\/(?:api|try|m|p|v)\//;

/** Whether the request is from a person who wants a page, and not from a program that wants JSON. */
function wantsPage({ url, headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') === true && !FOR_PROGRAMS.test(url);
}

function failure(requestId: string): ServiceError {
  return new ServiceError('internal', `Internal error. Give the operator the request id ${requestId}`);
}

function sendError(
  { code, retryAfter }: ServiceError,
  body: object,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status, browserReadable } = ERRORS[code];
  reply.code(status).header('content-type', 'application/json; charset=utf-8').header('x-request-id', request.id);
  if (request.isReadable && browserReadable) reply.headers(READABLE);
  const budget = request.budget ?? [];
  for (let n = 0; n < budget.length; n += 2) reply.header(budget[n]!, budget[n + 1]);
  if (status >= 500) for (const name of OF_A_FILE) reply.removeHeader(name);
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  return reply.send(JSON.stringify(body));
}

/**
 * Responds on a connection whose request could not be parsed. In this case there is no reply object, only the socket.
 */
export function refuseConnection(error: ConnectionError, socket: Socket): void {
  if (!socket.writable) return void socket.destroy();
  const code = PARSER_CODES[error.code] ?? 'validation';
  const { status, summary } = ERRORS[code];
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const unreadable = isLate ? 'The request did not arrive in time' : 'The request is not valid HTTP';
  const message = code === 'validation' ? unreadable : summary;
  const body = JSON.stringify({ error: { code, message } });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    'cache-control: no-store',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function toServiceError(error: FastifyError | QueryError | ServiceError): ServiceError | undefined {
  if (error instanceof ServiceError) return error;
  if (error instanceof QueryError) return new ServiceError('validation', error.message);
  if (!('code' in error)) return undefined;
  const message = STORE_CODES[error.code];
  if (message !== undefined) {
    return new ServiceError('upstream_unavailable', message, { cause: error, retryAfter: STORE_RETRY_S });
  }
  const code = FASTIFY_CODES[error.code];
  if (code === undefined) return undefined;
  return new ServiceError(code, FASTIFY_MESSAGES[error.code] ?? ERRORS[code].summary);
}
