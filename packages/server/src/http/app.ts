import { OPERATIONS } from '@zoetrope/contract';
import Fastify, { type FastifyInstance } from 'fastify';
import { ServiceError } from '../base/errors.ts';
import { parseJsonBytes } from '../builds/index.ts';
import type { MediaSource } from '../media/index.ts';
import { AnswerCache, type Audience, callers } from './answer.ts';
import { leaveUnread } from './cached-route.ts';
import { registerCatalogue } from './catalogue/routes.ts';
import { checkInterval, limitConnections } from './connections.ts';
import type { HttpContext } from './context.ts';
import { registerDiscovery } from './discovery/routes.ts';
import { edge } from './edge.ts';
import { registerFaces } from './faces/faces.ts';
import { takeKey } from './faces/key.ts';
import { FrameworkLog } from './framework-log.ts';
import { registerAdmitted } from './hooks/admitted.ts';
import { registerCompression } from './hooks/compress.ts';
import { registerMediaCount } from './hooks/media-count.ts';
import { registerMediaLimit } from './hooks/media-limit.ts';
import { answerFirst, checkRequests, createFastPath, registerAdmission } from './on-request.ts';
import { createReplyError, refuseConnection } from './reply-error.ts';
import { createRequestNotes, type RequestNotes, requestIds } from './request-log.ts';
import { registerAdmit } from './routes/admit.ts';
import { registerGif } from './routes/gif.ts';
import { registerHealth } from './routes/health.ts';
import { registerHome } from './routes/home.ts';
import { registerLanguage } from './routes/language.ts';
import { registerMedia } from './routes/media.ts';
import { registerOpenApi } from './routes/openapi.ts';
import { registerPreflights } from './routes/preflight.ts';
import { registerReport } from './routes/report.ts';
import { registerSearch } from './routes/search.ts';
import { registerSimilar } from './routes/similar.ts';
import { registerSite } from './routes/site.ts';
import { registerSuggest } from './routes/suggest.ts';
import { registerTry } from './routes/try.ts';
import { Turns } from './turns.ts';

/** Returns the facts that the media room needs about a GIF that can be found. */
async function findSource(context: HttpContext, id: string): Promise<MediaSource | null> {
  const gif = await context.lease().index.forRequest().find(id);
  if (!gif) return null;
  if (gif.url === null) return { ...gif, url: null };
  return { ...gif, url: parseJsonBytes(gif.url) as string, sha256: null, expectedSha256: gif.sha256 };
}

/** Creates the whole HTTP server of one thread, ready to listen or to be used by tests. */
export function createApp(context: HttpContext): FastifyInstance {
  return create(context, {
    audience: callers,
    isDirect: true,
    admit: (api) => registerAdmission(api, context.admission),
  });
}

/**
 * Creates the HTTP server for an edge. The edge asks this service to identify each caller, and then sends requests on
 * behalf of the caller.
 */
export function createEdgeApp(context: HttpContext): FastifyInstance {
  const app = create(
    { ...context, dashboard: undefined },
    { audience: edge, isDirect: false, admit: registerAdmitted },
  );
  registerAdmit(app, context.admission);
  return app;
}

interface Door {
  audience: Audience;
  /** Whether callers connect directly. The fast path can be used only for direct connections. */
  isDirect: boolean;
  /** Registers the hook that identifies the client of each API request, or rejects it. */
  admit(api: FastifyInstance): void;
}

function create(context: HttpContext, { audience, isDirect, admit }: Door): FastifyInstance {
  const notes = createRequestNotes(context.requestLog);
  const replyError = createReplyError(context.log, context);
  const nextId = requestIds();
  const app = createFramework(context, { notes, replyError, nextId });
  app.setErrorHandler(replyError);
  app.setNotFoundHandler((request) => {
    const path = request.url.split('?')[0]!;
    const known = Object.values(OPERATIONS).map((operation) => operation.path);
    throw new ServiceError('not_found', `Not found: ${path.slice(0, 200)}. The API is at ${known.join(', ')}`);
  });
  decorate(app);
  // A request with an unexpected body gets a response, and then the connection is closed. This way, the body is never
  // parsed as another request.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_, __, done) => done(null));
  checkRequests(app, context, notes);
  app.addHook('onClose', () => notes.settled());
  if (isDirect) registerCompression(app);
  const answers = { cache: new AnswerCache(context.answerCacheBytes), audience };
  const turns = new Turns();
  registerOpen(app, context, { cache: answers.cache, turns });
  app.register((dashboard, _, done) => {
    context.dashboard?.(dashboard);
    done();
  });
  app.register((media, _, done) => {
    registerImages(media, context, audience);
    done();
  });
  if (isDirect && context.trustedProxies === 0) {
    limitConnections(app.server, context.connectionsPerAddress, context.log);
  }
  if (isDirect) answerFirst(app.server, createFastPath(context, { cache: answers.cache, notes, nextId }));
  registerTry(app, context, answers, turns);
  if (isDirect) registerFaces(app, context, { answers, turns, admit });
  if (isDirect && context.faces.has('relay')) app.register(relayOf(context, turns));
  // All operations share their hooks.
  app.register((api, _, done) => {
    admit(api);
    registerPreflights(
      api,
      Object.values(OPERATIONS).map(({ path }) => path),
    );
    registerSearch(api, context, answers);
    registerSuggest(api, context, answers);
    registerSimilar(api, context, answers);
    registerDiscovery(api, context, answers);
    done();
  });
  return app;
}

/**
 * Time in which a caller must read part of a response, as a multiple of the time limit for requests. It is more than 1,
 * because making a response also takes time.
 */
const READ_REQUESTS = 2;

interface FrameworkParts {
  notes: RequestNotes;
  replyError: ReturnType<typeof createReplyError>;
  nextId(): string;
}

/** Creates the configured framework, without routes. */
function createFramework(context: HttpContext, { notes, replyError, nextId }: FrameworkParts): FastifyInstance {
  const app = Fastify({
    // With a logger, the framework would create a child logger for each request. That would take as long as the whole
    // admission. Our log lines themselves contain the request id.
    logController: new FrameworkLog(context.log),
    genReqId: nextId,
    // Routes parse the URL themselves, and only if they need the parameters. See `readQueryString`.
    routerOptions: { maxParamLength: 300, querystringParser: leaveUnread },
    ...(context.faces.size === 0 ? {} : { rewriteUrl: takeKey }),
    frameworkErrors(error, request, reply) {
      notes.note(request, reply);
      return replyError(error, request, reply);
    },
    clientErrorHandler: refuseConnection,
    requestTimeout: context.requestTimeoutMs,
    // Closes connections whose caller does not read its response.
    connectionTimeout: READ_REQUESTS * context.requestTimeoutMs,
    // Requests that arrive during shutdown get a response with `Connection: close`.
    return503OnClosing: false,
    http: {
      // Node would reject a request without Host with a response that has no body.
      requireHostHeader: false,
      headersTimeout: context.requestTimeoutMs,
      connectionsCheckingInterval: checkInterval(context.requestTimeoutMs),
    },
  });
  // Expect headers are ignored. Node would reject unknown Expect headers with a response that has no body. For
  // 100-continue, Node would let the caller send a body that this service does not read. With pipelined requests, Node
  // would even write the 100 response between the headers and the body of another response.
  for (const event of ['checkContinue', 'checkExpectation'] as const) {
    app.server.on(event, (request, response) => app.server.emit('request', request, response));
  }
  return app;
}

/** Facts about a request that become known while it is processed. */
function decorate(app: FastifyInstance): void {
  app.decorateRequest('operation', null);
  app.decorateRequest('outcome', null);
  app.decorateRequest('sentBytes', null);
  app.decorateRequest('budget', null);
  app.decorateRequest('isWordsOnly', false);
  app.decorateRequest('isReadable', false);
  app.decorateRequest('start', 0);
}

/** Registers the routes for all callers, admitted or not. */
function registerOpen(
  app: FastifyInstance,
  context: HttpContext,
  { cache, turns }: { cache: AnswerCache; turns: Turns },
): void {
  registerHome(app, context, cache, turns);
  registerGif(app, context, cache, turns);
  registerLanguage(app, context);
  registerHealth(app, context);
  registerOpenApi(app, context);
  registerSite(app, context);
  registerCatalogue(app, context);
  app.register((report, _, done) => {
    registerReport(report, context);
    done();
  });
}

/** Returns a plugin. The code of the relay is loaded only for services that have a relay. */
function relayOf(context: HttpContext, turns: Turns): (app: FastifyInstance) => Promise<void> {
  const register = async (app: FastifyInstance) => {
    const { registerRelay } = await import('./relay/relay.ts');
    await registerRelay(app, context, turns);
  };
  // The plugin has no scope of its own, so that the relay also gets requests for the page, which has the same address.
  return Object.assign(register, { [Symbol.for('skip-override')]: true });
}

function registerImages(app: FastifyInstance, context: HttpContext, audience: Audience): void {
  registerMediaCount(app, context);
  registerMediaLimit(app, context);
  registerMedia(app, {
    ...context,
    find: (id) => findSource(context, id),
    isWithheld: (sha256) => context.lease().withheld.originals.has(sha256),
    tell: audience.tellOfImage,
    epoch: () => context.lease().epoch,
  });
}
