import { QueryError } from '@zoetrope/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Client, Use } from '../admission/index.ts';
import { systemClock } from '../base/clock.ts';
import { ServiceError } from '../base/errors.ts';
import type { Counted, OperationName } from '../base/metrics.ts';
import { applyLimit, type Verdict } from '../limits/index.ts';
import {
  type Answer,
  type AnswerCache,
  type Audience,
  type Nature,
  sendCompressed,
  toAnswer,
  toBody,
} from './answer.ts';
import type { HttpContext, Lease } from './context.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Rate limit headers for any response, as alternating names and values. */
    budget: readonly string[] | null;
    /** Whether the caller has used up its allowance of semantic searches. */
    isWordsOnly: boolean;
  }
}

/** A route whose responses can be cached, because they depend only on its parameters and the index. */
export interface CachedRoute<Wanted> {
  name: OperationName;
  /** Path of the route, with `:id` for a path parameter. */
  path: string;
  /** Parses the request. Throws QueryError or ServiceError if it is invalid. */
  read(query: RawQuery, params: Readonly<Record<string, string>>, caller: RouteCaller): Wanted;
  /** Whether the response is only for this caller and must not be cached. */
  isPrivate?(wanted: Wanted): boolean;
  /** Returns the cache key. The keys of equal requests are equal. The keys of different routes are different. */
  key(wanted: Wanted): string;
  /** Makes the response. A ServiceError `not_found` is cached like any other response. */
  answer(wanted: Wanted, lease: Lease): RouteResponse | Promise<RouteResponse>;
  /** Returns the id of the GIF to which "not found" refers. */
  gif?(wanted: Wanted): string;
  /** Returns the body of "not found" if the body differs from that of the API. */
  problem?(error: ServiceError): object;
}

/** The caller of a route. */
export interface RouteCaller {
  client: Client;
  /** Whether this caller has used up its allowance of semantic searches. */
  isWordsOnly: boolean;
}

/** The response of a route. */
export interface RouteResponse {
  body: Buffer;
  /** Whether the response is worse than usual because a part of the service is down. */
  isDegraded: boolean;
  /**
   * Number of seconds for which the response is valid if the index does not change. If undefined, the time is
   * unlimited.
   */
  seconds?: number | undefined;
}

/** The objects that all routes of a listener share. All routes use one cache. Its size is a setting. */
export interface Answers {
  cache: AnswerCache;
  audience: Audience;
}

/** Serves a route through the cache. */
export function registerCached<Wanted>(
  app: FastifyInstance,
  context: HttpContext,
  { cache, audience }: Answers,
  route: CachedRoute<Wanted>,
): void {
  const answer = (request: FastifyRequest, reply: FastifyReply, count: Count) => {
    const lease = context.lease();
    const address = request.raw.url!;
    const known = cache.getByAddress(lease.epoch, address);
    if (known) {
      count('kept');
      return send(request, reply, known);
    }
    const wanted = readCounted(route, request, count);
    const key = route.key(wanted);
    const isPrivate = route.isPrivate?.(wanted) ?? false;
    if (!isPrivate) cache.noteAddress(address, key);
    const kept = isPrivate ? undefined : cache.get(lease.epoch, key);
    if (kept) {
      count('kept');
      return send(request, reply, kept);
    }
    return makeAnswer(route, wanted, lease).then(
      ({ status, body, ...of }) => {
        const { isDegraded } = of;
        const nature: Nature = { ...of, isPrivate, build: lease.index.buildId };
        const answer = toAnswer({ operation: route.name, route: route.path, status }, body, audience.tell(nature));
        count(isDegraded ? 'degraded' : 'made');
        const seconds = isDegraded ? audience.degradedSeconds : of.seconds;
        if (!isPrivate && seconds !== 0) cache.set(lease.epoch, key, answer, seconds);
        return send(request, reply, answer);
      },
      (error) => {
        count(isOwnFault(error) ? 'failed' : 'refused', error);
        throw error;
      },
    );
  };
  app.get(route.path, (request, reply) => {
    request.operation = route.path;
    const count = startCounting(context, route.name, request);
    const verdict = context.limit(request.client!, route.name);
    // If limits are counted in this process, the verdict is available immediately, without a turn of the event loop.
    if (!(verdict instanceof Promise)) {
      holdToLimit(request, verdict, { audience, count });
      return answer(request, reply, count);
    }
    return verdict.then((known) => {
      holdToLimit(request, known, { audience, count });
      return answer(request, reply, count);
    });
  });
}

/** Takes over the reply from the framework. */
function send(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply | Promise<FastifyReply> {
  const sent = sendCompressed(request.raw, reply.hijack().raw, answer, request.budget ?? []);
  if (sent instanceof Promise) return sent.then((bytes) => noteSent(request, reply, bytes));
  return noteSent(request, reply, sent);
}

function noteSent(request: FastifyRequest, reply: FastifyReply, bytes: number): FastifyReply {
  request.sentBytes = bytes;
  return reply;
}

type Count = (outcome: Counted['outcome'], error?: unknown) => void;

function startCounting(context: HttpContext, operation: OperationName, request: FastifyRequest): Count {
  const start = performance.now();
  const client = request.client!;
  return (outcome, error) => {
    request.outcome = outcome;
    const [milliseconds, now] = [performance.now() - start, systemClock.now()];
    const use = outcome === 'kept' ? 'kept' : useOf(error);
    countAnswer(context, { operation, client, outcome, milliseconds, use, now });
  };
}

/** Returns the outcome with which an uncached response is counted for its client. */
function useOf(error: unknown): Use {
  if (error === undefined || isOwnFault(error)) return 'made';
  return error instanceof ServiceError && error.code === 'rate_limited' ? 'limited' : 'refused';
}

/** Whether the response to an error is a 5xx. */
function isOwnFault(error: unknown): boolean {
  if (error instanceof QueryError) return false;
  return !(error instanceof ServiceError) || error.status >= 500;
}

function readCounted<Wanted>(route: CachedRoute<Wanted>, request: FastifyRequest, count: Count): Wanted {
  try {
    const { client, isWordsOnly } = request;
    const caller = { client: client!, isWordsOnly };
    return route.read(readQueryString(request.raw.url!), request.params as Record<string, string>, caller);
  } catch (error) {
    count('refused', error);
    throw error;
  }
}

/**
 * Adds rate limit headers. Edges get no such headers, because they would send them to other callers, too. @throws
 * ServiceError `rate_limited`
 */
function holdToLimit(
  request: FastifyRequest,
  verdict: Verdict | undefined,
  { audience, count }: { audience: Audience; count: Count },
): void {
  const { headers, refusal } = applyLimit(verdict);
  if (audience.hearsOfBudgets || refusal !== undefined) request.budget = headers;
  if (refusal === undefined) return;
  count('refused', refusal);
  throw refusal;
}

interface MadeResponse extends Pick<Nature, 'isDegraded' | 'missing'>, RouteResponse {
  status: number;
}

async function makeAnswer<Wanted>(route: CachedRoute<Wanted>, wanted: Wanted, lease: Lease): Promise<MadeResponse> {
  try {
    const index = lease.index.forRequest();
    return { status: 200, missing: undefined, ...(await route.answer(wanted, { ...lease, index })) };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error;
    const { code, message, status } = error;
    const body = toBody(route.problem?.(error) ?? { error: { code, message } });
    return { status, body, isDegraded: false, missing: route.gif?.(wanted) };
  }
}

interface CountedAnswer extends Pick<Counted, 'operation' | 'outcome' | 'milliseconds'> {
  client: Client;
  /** The outcome that is counted for the client. */
  use: Use;
  /** Milliseconds since the Unix epoch. */
  now: number;
}

/** Counts a response for the operator and for its client. */
export function countAnswer(
  { metrics, countUse }: Pick<HttpContext, 'metrics' | 'countUse'>,
  { operation, client, outcome, milliseconds, use, now }: CountedAnswer,
): void {
  const { isDevelopment } = client;
  metrics.count({ operation, client: isDevelopment ? 'development' : 'registered', outcome, milliseconds });
  if (!isDevelopment) countUse(client, operation, use, now);
}

/** Raw parameters: a string, or a list of strings if the parameter is repeated. */
export type RawQuery = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Maximum number of parameters. No search needs more, but a URL of 16 KiB, which is Node's limit, could contain many
 * more.
 */
const MAX_PARAMETERS = 100;

/** Replaces the framework's parser, which would parse the parameters of every request. */
export function leaveUnread(): Record<string, never> {
  return {};
}

/**
 * Parses the query string. The framework's own parsing is turned off, because cached responses need none.
 * @throws QueryError that names the parameter with invalid escapes, or if there are too many parameters
 */
export function readQueryString(address: string): RawQuery {
  const query: Record<string, string | string[]> = Object.create(null);
  const start = address.indexOf('?');
  const pairs = start < 0 ? [] : address.slice(start + 1).split('&', MAX_PARAMETERS + 1);
  if (pairs.length > MAX_PARAMETERS) throw new QueryError(`more than ${MAX_PARAMETERS} parameters`);
  for (const pair of pairs) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals), 'a name');
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1), name);
    const known = query[name];
    query[name] = known === undefined ? value : [known, value].flat();
  }
  return query;
}

function decode(text: string, name: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new QueryError(
      `${name.slice(0, 100)} has a % that does not start a UTF-8 escape; write %25 for the character %`,
    );
  }
}
