import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, prepareCompressed, sendAnswer } from './answer.ts';
import { READABLE } from './cors.ts';

/** What decides how long an answer may be kept, and by whom. */
export interface Nature {
  /** Made while a part of the service was down. */
  isDegraded: boolean;
  /** For this caller alone. */
  isPrivate: boolean;
  /** The build it was made from. */
  build: string;
  /** Of a "not found": the GIF that there is none of. */
  missing: string | undefined;
}

/** Those whom a listener answers: the callers themselves, or an edge that keeps answers for all of them. */
export interface Audience {
  /** What an answer tells of who may keep it, and how long. */
  tell(nature: Nature): Record<string, string>;
  /** The same of an image of a GIF. */
  tellOfImage(id: string): Record<string, string>;
  /** Seconds that a degraded answer is kept here; 0: not at all. */
  degradedSeconds: number;
  /** Whether an answer says what is left of its caller's budget. */
  hearsOfBudgets: boolean;
  sendMade: Send;
  sendKept: Send;
}

/** Sends an answer, with headers that say what is left of a budget. Gives the length of the body. */
type Send = (
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  budget: readonly string[],
) => number | Promise<number>;

/** Seconds that callers may keep an answer. */
const MAX_AGE_S = 60;
/** For a degraded one a minute in all: half with us, and half with the caller who comes at the end of that. */
const DEGRADED_S = 30;

/** Callers keep what was for them to themselves. */
export const callers: Audience = {
  tell: ({ isDegraded }) => ({
    ...READABLE,
    'cache-control': `private, max-age=${isDegraded ? DEGRADED_S : MAX_AGE_S}`,
    vary: 'Accept-Encoding, Origin, Authorization, User-Agent',
  }),
  tellOfImage: () => ({}),
  degradedSeconds: DEGRADED_S,
  hearsOfBudgets: true,
  sendMade: sendAnswer,
  sendKept: sendKeptAnswer,
};

/** Most answers are wanted once: only what is wanted again is worth compressing. */
export function sendKeptAnswer(...[request, response, answer, budget]: Parameters<typeof sendAnswer>): number {
  prepareCompressed(request, answer)?.catch(() => {}); // then it goes out as it is
  return sendAnswer(request, response, answer, budget);
}

/** Seconds that an edge keeps a whole answer: it hears of a new build. */
const EDGE_S = 3_600;
/** And one that cannot be told of it. */
const UNTOLD_EDGE_S = 300;
/** The whole minute: then neither we nor the caller may keep it too. */
const EDGE_DEGRADED_S = 60;

/**
 * An edge shares an answer among all whom it admits, so that it says nothing of who asked. What it is told it keeps from
 * callers: `Surrogate-Control`, or `X-Accel-Expires` where no word of a new build comes.
 */
export const edge: Audience = {
  tell({ isDegraded, isPrivate, build, missing }) {
    if (isPrivate) return { 'cache-control': 'private, no-store', vary: 'Accept-Encoding' };
    if (isDegraded) return { 'cache-control': 'private, no-cache', ...tellEdge(EDGE_DEGRADED_S), ...keys('degraded') };
    return {
      'cache-control': `private, max-age=${MAX_AGE_S}`,
      ...tellEdge(EDGE_S, `, stale-while-revalidate=${MAX_AGE_S}`),
      'x-accel-expires': String(UNTOLD_EDGE_S),
      ...keys(`build-${build}`, missing === undefined ? 'search' : `gif-${missing}`),
    };
  },
  tellOfImage: (id) => ({ 'surrogate-key': `gif-${id}` }),
  degradedSeconds: 0,
  hearsOfBudgets: false,
  sendMade: sendCompressed,
  sendKept: sendCompressed,
};

function tellEdge(seconds: number, more = ''): Record<string, string> {
  const control = `max-age=${seconds}${more}`;
  return { 'surrogate-control': control, 'cdn-cache-control': control, 'x-accel-expires': String(seconds) };
}

/** By these an edge finds what has become stale. */
function keys(...names: string[]): Record<string, string> {
  return { 'surrogate-key': names.join(' '), vary: 'Accept-Encoding' };
}

/** An edge asks once and sends that many times. */
async function sendCompressed(...[request, response, answer, budget]: Parameters<typeof sendAnswer>): Promise<number> {
  await prepareCompressed(request, answer);
  return sendAnswer(request, response, answer, budget);
}
