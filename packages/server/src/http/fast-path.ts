import type { IncomingMessage, ServerResponse } from 'node:http';
import { OPERATIONS } from '@zoetrope/contract';
import { systemClock } from '../base/clock.ts';
import { limitHeaders } from '../limits/index.ts';
import type { AnswerCache } from './answer-cache.ts';
import { sendKeptAnswer } from './audience.ts';
import type { HttpContext } from './context.ts';
import { countAnswer } from './count-answer.ts';
import { countHosts } from './hosts.ts';
import type { RequestNotes } from './request-log.ts';

/** What the addresses of all operations begin with. */
const API: string = OPERATIONS.search.path.replace(/[^/]+$/, '');

interface KeptParts {
  cache: AnswerCache;
  notes: RequestNotes;
  /** Gives each request an id. */
  nextId(): string;
}

/**
 * Answers what is kept, before the framework makes a request of it: that costs as much as all that is done here. The rules
 * are those of the routes, in their order; whatever is not plain by all of them is left to them.
 * @returns whether it was answered
 */
export function createKept(
  context: HttpContext,
  { cache, notes, nextId }: KeptParts,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const { limitHere, admission } = context;
  if (limitHere === undefined) return () => false;
  return (request, response) => {
    if (!isPlain(request)) return false;
    const start = performance.now();
    const answer = cache.getByAddress(context.lease().epoch, request.url!);
    if (answer === undefined) return false;
    const now = systemClock.now();
    const client = admission.known(request.headers, now);
    if (client === undefined) return false;
    const { operation, route } = answer;
    const verdict = limitHere(client, operation);
    // Nothing is taken from a budget that has not enough left: the route will hear the same.
    if (verdict?.allowed === false) return false;
    const milliseconds = performance.now() - start;
    countAnswer(context, { operation, client, outcome: 'kept', milliseconds, use: 'kept', now });
    const bytes = sendKeptAnswer(request, response, answer, verdict ? limitHeaders(verdict) : []);
    const facts = { id: nextId(), now, milliseconds, route, outcome: 'kept', client, bytes, isCut: false } as const;
    notes.noteSent(facts, request, response);
    return true;
  };
}

/** A GET of the API without a body, from one host. */
function isPlain({ method, url, headers, rawHeaders }: IncomingMessage): boolean {
  if (method !== 'GET' || !url!.startsWith(API) || countHosts(rawHeaders) !== 1) return false;
  return headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
}
