import { OPERATIONS } from '@zoetrope/contract';
import Fastify, { type FastifyInstance } from 'fastify';
import { ServiceError } from '../base/errors.ts';
import type { MediaSource } from '../media/index.ts';
import { AnswerCache, type Audience, callers } from './answer.ts';
import { leaveUnread } from './cached-route.ts';
import { checkInterval, limitConnections } from './connections.ts';
import type { HttpContext } from './context.ts';
import { edge } from './edge.ts';
import { FrameworkLog } from './framework-log.ts';
import { registerAdmitted } from './hooks/admitted.ts';
import { registerMediaCount } from './hooks/media-count.ts';
import { registerMediaLimit } from './hooks/media-limit.ts';
import { answerFirst, checkRequests, createFastPath, registerAdmission } from './on-request.ts';
import { createReplyError, refuseConnection } from './reply-error.ts';
import { createRequestNotes, type RequestNotes, requestIds } from './request-log.ts';
import { registerAdmit } from './routes/admit.ts';
import { registerHealth } from './routes/health.ts';
import { registerHome } from './routes/home.ts';
import { registerMedia } from './routes/media.ts';
import { registerOpenApi } from './routes/openapi.ts';
import { registerPreflight } from './routes/preflight.ts';
import { registerReport } from './routes/report.ts';
import { registerSearch } from './routes/search.ts';
import { registerSimilar } from './routes/similar.ts';
import { registerSite } from './routes/site.ts';
import { registerSuggest } from './routes/suggest.ts';
import { registerTry } from './routes/try.ts';

/** What the media room needs to know of a GIF that can be found. */
function findSource(context: HttpContext, id: string): MediaSource | null {
  const gif = context.lease().index.find(id);
  if (!gif) return null;
  return gif.url === null ? gif : { ...gif, sha256: null, expectedSha256: gif.sha256 };
}

/** The whole HTTP face of one thread, ready to listen or to be handed requests by a test. */
export function createApp(context: HttpContext): FastifyInstance {
  return create(context, {
    audience: callers,
    isDirect: true,
    admit: (api) => registerAdmission(api, context.admission),
  });
}

/** The same for an edge: a cache in front that asks once who a caller is, and then brings requests without saying so. */
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
  /** Whether callers come here themselves, so that kept answers can go out at once. */
  isDirect: boolean;
  /** Says of each request to the API who its client is, or refuses it. */
  admit(api: FastifyInstance): void;
}

function create(context: HttpContext, { audience, isDirect, admit }: Door): FastifyInstance {
  const notes = createRequestNotes(context.requestLog);
  const replyError = createReplyError(context.log);
  const nextId = requestIds();
  const app = createFramework(context, { notes, replyError, nextId });
  app.setErrorHandler(replyError);
  app.setNotFoundHandler((request) => {
    const path = request.url.split('?')[0]!;
    const known = Object.values(OPERATIONS).map((operation) => operation.path);
    throw new ServiceError('not_found', `There is nothing at ${path.slice(0, 200)}; the API is at ${known.join(', ')}`);
  });
  decorate(app);
  // Whoever brings a body where none is taken is answered without it, and then the connection is closed, so that it is
  // never taken for a request.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_, __, done) => done(null));
  checkRequests(app, context, notes);
  app.addHook('onClose', () => notes.settled());
  const answers = { cache: new AnswerCache(context.answerCacheBytes), audience };
  registerOpen(app, context, answers.cache);
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
  registerTry(app, context, answers);
  // The three operations share one door.
  app.register((api, _, done) => {
    admit(api);
    registerPreflight(api);
    registerSearch(api, context, answers);
    registerSuggest(api, context, answers);
    registerSimilar(api, context, answers);
    done();
  });
  return app;
}

interface FrameworkParts {
  notes: RequestNotes;
  replyError: ReturnType<typeof createReplyError>;
  nextId(): string;
}

/** The framework as this service wants it, without any route. */
function createFramework(context: HttpContext, { notes, replyError, nextId }: FrameworkParts): FastifyInstance {
  const app = Fastify({
    // With a logger the framework makes one for each request, and waits for its end: as much as all of admission. Our
    // lines name the request themselves.
    logController: new FrameworkLog(context.log),
    genReqId: nextId,
    // Routes read the address themselves, and only where they have to: see `readQueryString`.
    routerOptions: { maxParamLength: 300, querystringParser: leaveUnread },
    frameworkErrors(error, request, reply) {
      notes.note(request, reply);
      return replyError(error, request, reply);
    },
    clientErrorHandler: refuseConnection,
    requestTimeout: context.requestTimeoutMs,
    // Requests that arrive while the server closes are answered with `Connection: close`.
    return503OnClosing: false,
    http: {
      // Node would refuse a request without Host itself, by an answer without a body.
      requireHostHeader: false,
      headersTimeout: context.requestTimeoutMs,
      connectionsCheckingInterval: checkInterval(context.requestTimeoutMs),
    },
  });
  // And likewise one that expects what it does not know. For 100-continue it would let a body come, which nothing here
  // takes, and on a connection with several requests it puts that line between the head of an answer and its body.
  for (const event of ['checkContinue', 'checkExpectation'] as const) {
    app.server.on(event, (request, response) => app.server.emit('request', request, response));
  }
  return app;
}

/** What is learnt of a request on its way. */
function decorate(app: FastifyInstance): void {
  app.decorateRequest('operation', null);
  app.decorateRequest('outcome', null);
  app.decorateRequest('sentBytes', null);
  app.decorateRequest('budget', null);
  app.decorateRequest('isWordsOnly', false);
  app.decorateRequest('isReadable', false);
  app.decorateRequest('start', 0);
}

/** What is for everybody, admitted or not. */
function registerOpen(app: FastifyInstance, context: HttpContext, cache: AnswerCache): void {
  registerHome(app, context, cache);
  registerHealth(app, context);
  registerOpenApi(app, context);
  registerSite(app, context);
  app.register((report, _, done) => {
    registerReport(report, context);
    done();
  });
}

function registerImages(app: FastifyInstance, context: HttpContext, audience: Audience): void {
  registerMediaCount(app, context);
  registerMediaLimit(app, context);
  registerMedia(app, {
    ...context,
    find: (id) => findSource(context, id),
    isWithheld: (sha256) => context.lease().takenOut.originals.has(sha256),
    tell: audience.tellOfImage,
    epoch: () => context.lease().epoch,
  });
}
