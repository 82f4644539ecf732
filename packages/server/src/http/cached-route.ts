import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.ts';
import { limitHeaders, type Verdict } from '../limits/index.ts';
import type { Counted, Metrics, OperationName } from '../metrics.ts';
import type { Client } from '../registry/index.ts';
import { type Answer, prepareCompressed, sendAnswer, toAnswer } from './answer.ts';
import type { AnswerCache } from './answer-cache.ts';
import type { HttpContext, Lease } from './context.ts';
import { type RawQuery, readQueryString } from './query-string.ts';

/** A route whose answers depend on its parameters and the index alone, so that they can be kept. */
export interface CachedRoute<Wanted, Response extends object> {
  name: OperationName;
  /** With `:id` where a parameter stands. */
  path: string;
  /** What the caller wants. Throws QueryError or ServiceError for what cannot be wanted. */
  read(query: RawQuery, params: Readonly<Record<string, string>>, client: Client): Wanted;
  /** Whether the answer is for this caller alone, and must not be kept. */
  isPrivate?(wanted: Wanted): boolean;
  /** The same for all that want the same, and another for each other route. */
  key(wanted: Wanted): string;
  /** A ServiceError `not_found` is an answer like any other, and kept. */
  answer(wanted: Wanted, lease: Lease): Response | Promise<Response>;
  /** Whether the answer would be better if a part of the service were not down. */
  isDegraded?(wanted: Wanted, response: Response): boolean;
}

/** Seconds that callers may keep an answer. */
const MAX_AGE_S = 60;
/** For a degraded one a minute in all: half with us, and half with the caller who comes at the end of that. */
const DEGRADED_S = 30;

/** Serves a route from the cache, and fills that. */
export function registerCached<Wanted, Response extends object>(
  app: FastifyInstance,
  context: HttpContext,
  cache: AnswerCache,
  route: CachedRoute<Wanted, Response>,
): void {
  app.get(route.path, (request, reply) => {
    const count = startCounting(context.metrics, route.name, request.client!);
    holdToLimit(reply, context.limit(request.client!, route.name), count);
    const lease = context.lease();
    const address = request.raw.url!;
    const known = cache.getByAddress(lease.epoch, address);
    if (known) {
      count('kept');
      return sendKept(request, reply, known);
    }
    const wanted = readCounted(route, request, count);
    const key = route.key(wanted);
    const isPrivate = route.isPrivate?.(wanted) ?? false;
    if (!isPrivate) cache.noteAddress(address, key);
    const kept = isPrivate ? undefined : cache.get(lease.epoch, key);
    if (kept) {
      count('kept');
      return sendKept(request, reply, kept);
    }
    return makeAnswer(route, wanted, lease).then(
      ({ answer, seconds }) => {
        count(seconds === undefined ? 'made' : 'degraded');
        if (!isPrivate) cache.set(lease.epoch, key, answer, seconds);
        return sendAnswer(request, reply, answer);
      },
      (error) => {
        count('refused');
        throw error;
      },
    );
  });
}

type Count = (outcome: Counted['outcome']) => void;

function startCounting(metrics: Metrics, operation: OperationName, { isDevelopment }: Client): Count {
  const start = performance.now();
  const client = isDevelopment ? 'development' : 'registered';
  return (outcome) => metrics.count({ operation, client, outcome, milliseconds: performance.now() - start });
}

function readCounted<Wanted, Response extends object>(
  route: CachedRoute<Wanted, Response>,
  request: FastifyRequest,
  count: Count,
): Wanted {
  try {
    return route.read(readQueryString(request.raw.url!), request.params as Record<string, string>, request.client!);
  } catch (error) {
    count('refused');
    throw error;
  }
}

function sendKept(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  prepareCompressed(request, answer);
  return sendAnswer(request, reply, answer);
}

/** Says what is left of the caller's budget, in whatever is answered. @throws ServiceError `rate_limited` */
function holdToLimit(reply: FastifyReply, verdict: Verdict | undefined, count: Count): void {
  if (verdict === undefined) return;
  const { policy, state } = limitHeaders(verdict);
  reply.raw.setHeader('ratelimit-policy', policy);
  reply.raw.setHeader('ratelimit', state);
  if (verdict.allowed) return;
  count('refused');
  const { rule, retryAfterSeconds: retryAfter } = verdict;
  const message = `More than ${rule.quota} requests to ${rule.name} in ${rule.windowSeconds} s; try again in ${retryAfter} s`;
  throw new ServiceError('rate_limited', message, { retryAfter });
}

/** @returns the answer, and how many seconds it may be kept; undefined: as long as its epoch lasts */
async function makeAnswer<Wanted, Response extends object>(
  route: CachedRoute<Wanted, Response>,
  wanted: Wanted,
  lease: Lease,
): Promise<{ answer: Answer; seconds: number | undefined }> {
  try {
    const response = await route.answer(wanted, lease);
    const degraded = route.isDegraded?.(wanted, response) ?? false;
    const answer = toAnswer(200, response, degraded ? DEGRADED_S : MAX_AGE_S);
    return { answer, seconds: degraded ? DEGRADED_S : undefined };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error;
    const { code, message, status } = error;
    return { answer: toAnswer(status, { error: { code, message } }, MAX_AGE_S), seconds: undefined };
  }
}
