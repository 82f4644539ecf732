import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { ERRORS } from '@zoetrope/contract';
import { ACCOUNT_BASE } from '@zoetrope/contract/account';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Admission, Client } from '../admission/index.ts';
import { systemClock } from '../base/clock.ts';
import { ServiceError } from '../base/errors.ts';
import { applyLimit } from '../limits/index.ts';
import { type AnswerCache, prepareCompressed, sendAnswer } from './answer.ts';
import { countAnswer } from './cached-route.ts';
import type { HttpContext } from './context.ts';
import { takeKey } from './faces/key.ts';
import { MCP_PATH } from './faces/mcp.ts';
import type { RequestNotes } from './request-log.ts';
import { REPORT_PATH } from './routes/report.ts';

declare module 'fastify' {
  interface FastifyRequest {
    client: Client | null;
  }
}

/** Paths whose responses can be cached: the operations, discovery and the faces. */
const CACHED = /^\/(?:api\/(?:discover\/)?v1|gifbox|gifverse|tenor|giphy|klipy)\//;

interface FastPathParts {
  cache: AnswerCache;
  notes: RequestNotes;
  /** Creates an id for each request. */
  nextId(): string;
}

/**
 * Sends cached responses without the framework, because the framework would take as long as all other steps together.
 * Applies the same rules as the routes, in the same order. Leaves unusual requests to the routes.
 * @returns whether the request was handled
 */
export function createFastPath(
  context: HttpContext,
  { cache, notes, nextId }: FastPathParts,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const { limitHere, admission } = context;
  const hasFaces = context.faces.size > 0;
  if (limitHere === undefined) return () => false;
  return (request, response) => {
    if (hasFaces) takeKey(request);
    if (!isPlain(request)) return false;
    const start = performance.now();
    const answer = cache.getByAddress(context.lease().epoch, request.url!);
    // If the response must first be compressed, the route sends it.
    if (answer === undefined || prepareCompressed(request, answer) !== undefined) return false;
    const now = systemClock.now();
    const client = admission.known(request.headers, now);
    if (client === undefined) return false;
    const { operation, route } = answer;
    const budget = applyLimit(limitHere(client, operation));
    // A request over the limit is not counted, so the route's own check has the same result.
    if (budget.refusal !== undefined) return false;
    const milliseconds = performance.now() - start;
    countAnswer(context, { operation, client, outcome: 'kept', milliseconds, use: 'kept', now });
    const bytes = sendAnswer(request, response, answer, budget.headers);
    const facts = { id: nextId(), now, milliseconds, route, outcome: 'kept', client, bytes, isCut: false } as const;
    notes.noteSent(facts, request, response);
    return true;
  };
}

/** Returns whether a request is a GET of the API without a body and with one Host header. */
function isPlain({ method, url, headers, rawHeaders }: IncomingMessage): boolean {
  if (method !== 'GET' || !CACHED.test(url!) || countHosts(rawHeaders) !== 1) return false;
  return headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
}

/** Tries the fast path before the framework. */
export function answerFirst(server: Server, answer: ReturnType<typeof createFastPath>): void {
  const [framework] = server.listeners('request') as [RequestListener];
  server.removeListener('request', framework);
  server.on('request', (request, response) => {
    if (!server.listening || !answer(request, response)) framework(request, response);
  });
}

/** The allowed methods: those that browsers send without a preflight, and the method of the preflight itself. */
const METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** KLIPY's apps report a shared GIF with a POST. The body of this request is not read. */
const SHARE = /^\/klipy\/api\/v1\/gifs\/share\//;

/** Checks every request before its route is chosen. */
export function checkRequests(app: FastifyInstance, context: HttpContext, notes: RequestNotes): void {
  const warnOnce = once(context.warnForwarded);
  app.addHook('onRequest', (request, reply, done) => {
    notes.note(request, reply);
    if (context.trustedProxies === 0 && request.headers['x-forwarded-for'] !== undefined) warnOnce();
    if (takesBody(request, context)) return done();
    const { headers } = request;
    // The framework would reject content types that it does not know.
    if (headers['content-type'] !== undefined) delete headers['content-type'];
    if ((headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined) {
      reply.raw.setHeader('connection', 'close');
    }
    if (!isServed(request, context)) {
      throw new ServiceError('method_not_allowed', ERRORS.method_not_allowed.summary);
    }
    done();
  });
  app.addHook('onRequest', (request, _, done) => {
    const hosts = countHosts(request.raw.rawHeaders);
    if (hosts > 1 || (hosts === 0 && request.raw.httpVersion === '1.1')) {
      throw new ServiceError('validation', 'An HTTP/1.1 request must have exactly one Host header');
    }
    done();
  });
}

/** Path of a file that its member can delete. */
const BLOB = /^\/[0-9a-f]{64}$/;

function isServed({ url, method }: FastifyRequest, { hasMembers }: HttpContext): boolean {
  if (METHODS.has(method)) return true;
  if (method === 'DELETE') return hasMembers && BLOB.test(url);
  return method === 'POST' && SHARE.test(url);
}

/**
 * Returns whether the route of a request accepts a body. Only routes of the dashboard's API, of reports, of uploads and
 * of MCP accept a body.
 */
function takesBody({ url, method }: FastifyRequest, { faces, hasMembers }: HttpContext): boolean {
  if (url.startsWith(`${ACCOUNT_BASE}/`)) return true;
  if (url === REPORT_PATH) return method === 'POST' || method === 'PUT';
  if (hasMembers && method === 'PUT' && (url === '/upload' || url === '/mirror')) return true;
  return method === 'POST' && url === MCP_PATH && faces.has('mcp');
}

/** Returns the number of Host headers. If there are two Host headers, a proxy may have used one and Node the other. */
function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts;
}

function once(call: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    call();
  };
}

/** Admits only registered callers, before anything else is read. Sets `request.client`. */
export function registerAdmission(app: FastifyInstance, admission: Admission): void {
  app.decorateRequest('client', null);
  app.addHook('onRequest', (request, _, done) => {
    const client = admission.identify(request.headers);
    // A cached client is available immediately, without a turn of the event loop.
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
  // `isReadable` is set only now, because a page that is not admitted must not see the status or the body.
  request.isReadable = true;
}
