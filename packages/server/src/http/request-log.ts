import type { IncomingMessage, ServerResponse } from 'node:http';
import { LIMITS } from '@zoetrope/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Counted } from '../base/metrics.ts';
import { readQueryString } from './cached-route.ts';
import type { RequestLog } from './context.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Start time of the request, from `performance.now()`. */
    start: number;
    /** Path of the operation. Getting the path from the framework takes ten times as long. */
    operation: string | null;
    /** Outcome of the request. */
    outcome: Counted['outcome'] | null;
    /** Length of a body that was written directly to the socket. */
    sentBytes: number | null;
  }
}

export interface RequestNotes {
  /** Writes a line when a request has ended. */
  note(request: FastifyRequest, reply: FastifyReply): void;
  /** Writes a line for a response that has just been sent without the framework. */
  noteSent(facts: Facts, request: IncomingMessage, response: ServerResponse): void;
  /** Resolves when all noted requests are written. */
  settled(): Promise<void>;
}

/** Facts about a request, except for its end. */
interface Facts {
  id: string;
  /** Milliseconds since the Unix epoch. */
  now: number;
  /** Duration of the request, in milliseconds. */
  milliseconds: number;
  route: string | undefined;
  outcome: Counted['outcome'] | null;
  client: { id: string } | null;
  /** Length of the body. */
  bytes: number;
  /** Whether the response was not sent completely. */
  isCut: boolean;
}

/**
 * Writes one line per request, except for health checks that pass. The line identifies only the registered client, and
 * contains no IP address, headers or key. The line contains the query only if the operator has turned this on.
 */
export function createRequestNotes(requestLog: RequestLog | undefined): RequestNotes {
  if (requestLog === undefined) return { note() {}, noteSent() {}, settled: async () => {} };
  const { write, withQueries } = requestLog;
  const describe = createDescribe();
  const settled = Promise.withResolvers<void>();
  let open = 0;
  let isEnding = false;
  const end = (facts: Facts, { url }: IncomingMessage, status: number) => {
    if (!isPassedCheck(facts, status)) {
      const query = withQueries ? readQuery(url!) : undefined;
      const line = describe(facts, status, query);
      // Everything except the query is ASCII.
      write(line, query === undefined ? line.length : Buffer.byteLength(line));
    }
    open--;
    if (isEnding && open === 0) settled.resolve();
  };
  return {
    note(request, reply) {
      open++;
      request.start = performance.now();
      // Unlike `finish`, this event also fires if the caller closed the connection. It can fire after the server has
      // closed.
      reply.raw.on('close', () => end(factsOf(request, reply), request.raw, reply.raw.statusCode));
    },
    noteSent(facts, request, response) {
      open++;
      const { statusCode } = response;
      // Usually, the operating system has already accepted all data, so there is no need to wait for Node's event.
      if (response.writableLength === 0) return end(facts, request, statusCode);
      const sent = performance.now();
      response.on('close', () => {
        const milliseconds = facts.milliseconds + performance.now() - sent;
        end({ ...facts, now: Date.now(), milliseconds, isCut: wasCut(response) }, request, statusCode);
      });
    },
    settled() {
      isEnding = true;
      if (open === 0) settled.resolve();
      return settled.promise;
    },
  };
}

/** Containers and load balancers check a service every few seconds. Only failed checks are worth a line. */
function isPassedCheck({ route }: Facts, status: number): boolean {
  return status === 200 && (route === '/healthz' || route === '/readyz');
}

/**
 * Returns whether a caller closed the connection before the whole response was sent. Requests that this service sends
 * to itself have no connection: the framework marks their responses.
 */
export function wasCut(response: ServerResponse): boolean {
  return !response.writableFinished && !('_lightMyRequest' in response);
}

function factsOf(request: FastifyRequest, reply: FastifyReply): Facts {
  const { id, start, client } = request;
  const route = request.operation ?? request.routeOptions.url;
  const outcome = request.outcome ?? (reply.raw.statusCode < 400 ? null : 'refused');
  const [now, milliseconds] = [Date.now(), performance.now() - start];
  const isCut = wasCut(reply.raw);
  return { id, now, milliseconds, route, outcome, client, bytes: bodyBytes(request, reply), isCut };
}

/** The parts of a line that often equal those of the previous line. */
type Common = Pick<Facts, 'route' | 'outcome' | 'client'> & { status: number };

/**
 * Formats lines without the logger, because the logger's formatting took a twentieth of the time of a cached response.
 * Parts that equal the previous line are reused.
 */
function createDescribe(): (facts: Facts, status: number, query: string | undefined) => string {
  let now = 0;
  let head = '';
  let common: Common = { route: undefined, outcome: null, client: null, status: 0 };
  let middle = '';
  return (facts, status, query) => {
    const { id, route, outcome, client, milliseconds, bytes, isCut } = facts;
    if (facts.now !== now) {
      now = facts.now;
      head = `{"level":30,"time":${now},"id":"`;
    }
    if (!isCommon(common, facts, status)) {
      common = { route, outcome, client, status };
      middle = `","route":${text(route)},"status":${status},"outcome":${text(outcome)},"client":${text(client?.id)},"ms":`;
    }
    const aborted = isCut ? ',"aborted":true' : '';
    const q = query === undefined ? '' : `,"q":${JSON.stringify(query)}`;
    return `${head}${id}${middle}${toText(milliseconds)},"bytes":${bytes}${aborted}${q},"msg":"request"}\n`;
  };
}

function isCommon(common: Common, { route, outcome, client }: Facts, status: number): boolean {
  return common.client === client && common.route === route && common.outcome === outcome && common.status === status;
}

/** Formats microseconds as an integer, which is several times faster than formatting a fraction. */
function toText(milliseconds: number): string {
  const microseconds = Math.round(milliseconds * 1_000);
  const rest = microseconds % 1_000;
  return `${(microseconds - rest) / 1_000}.${rest < 10 ? '00' : rest < 100 ? '0' : ''}${rest}`;
}

/** Formats a name that needs no escaping. */
function text(name: string | null | undefined): string {
  return name == null ? 'null' : `"${name}"`;
}

function bodyBytes({ method, sentBytes }: FastifyRequest, reply: FastifyReply): number {
  if (method === 'HEAD') return 0;
  return sentBytes ?? Number(reply.getHeader('content-length') ?? 0);
}

/** Returns the query as it was entered. */
function readQuery(url: string): string | undefined {
  try {
    const { q } = readQueryString(url);
    return typeof q === 'string' ? q.slice(0, LIMITS.queryMaxLength) : undefined;
  } catch {
    return undefined; // The query string is invalid, so the request was rejected.
  }
}

/**
 * Returns a function that creates request ids. The ids are unique across threads and processes. They consist of a
 * random prefix and a number.
 */
export function requestIds(): () => string {
  const start = crypto.randomUUID().slice(0, 8);
  let n = 0;
  return () => `${start}-${++n}`;
}
