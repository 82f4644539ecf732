import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { NostrEvent } from 'nostr-tools/pure';
import { ServiceError } from '../../base/errors.ts';
import { REPORT_TYPES } from '../../base/nostr.ts';
import { cutTo, withoutControls } from '../../base/plain-text.ts';
import { addressOf } from '../address.ts';
import type { HttpContext, NewReport } from '../context.ts';
import { MAX_MESSAGE } from '../page/report.ts';

/** Event kind of reports (NIP-56). */
const REPORT = 1984;
/** Maximum number of files that one event can report. */
const MAX_FILES = 10;
const HASH = /^[0-9a-f]{64}$/;

/** Pages of all origins can send reports, because a report is signed. */
const OPEN_TO_ALL = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'X-Reason, Retry-After' };
const PREFLIGHT = {
  'access-control-allow-methods': 'PUT',
  'access-control-allow-headers': 'Authorization, *',
  'access-control-max-age': '86400',
};

type Deps = Pick<HttpContext, 'lease' | 'log' | 'report' | 'limitReports' | 'trustedProxies'>;

/**
 * Registers `PUT` of reports as signed events (BUD-09). The reporter's public key is not stored. The IP address is only
 * kept in memory for an hour, to count reports.
 * @param app must parse bodies as text
 */
export function registerReportEvent(app: FastifyInstance, path: string, deps: Deps): void {
  app.options(path, (_, reply) =>
    reply
      .headers({ ...OPEN_TO_ALL, ...PREFLIGHT })
      .code(204)
      .send(),
  );
  app.put(path, async (request, reply) => {
    reply.headers(OPEN_TO_ALL);
    // A caller who has used up the limit for reports must not make the service check signatures.
    checkLimit(deps.limitReports.look(addressOf(request.raw, deps.trustedProxies)), reply);
    const reports = await readReports(request, reply);
    const outcomes: Outcome[] = [];
    for (const report of reports) outcomes.push(await take(deps, { request, reply, report }));
    if (outcomes.includes('taken')) return reply.code(204).send();
    if (outcomes.includes('full')) refuse(reply, 'upstream_unavailable', 'too many reports are waiting', FULL_S);
    return refuse(reply, 'not_found', 'this service has no GIF with the hash of an x tag');
  });
}

/**
 * Seconds after which a client can send a report again: if the queue is full and waits for the operator, and if the
 * report could not be saved.
 */
const [FULL_S, UNSAVED_S] = [3_600, 60];

type Outcome = 'taken' | 'unknown' | 'full';

function refuse(
  reply: FastifyReply,
  code: ConstructorParameters<typeof ServiceError>[0],
  reason: string,
  retryAfter?: number,
): never {
  reply.header('x-reason', reason);
  throw new ServiceError(code, reason, { retryAfter });
}

function checkLimit(verdict: ReturnType<Deps['limitReports']['look']>, reply: FastifyReply): void {
  if (verdict?.allowed !== false) return;
  refuse(reply, 'rate_limited', 'too many reports from this IP address', verdict.retryAfterSeconds);
}

async function take(
  deps: Deps,
  { request, reply, report }: { request: FastifyRequest; reply: FastifyReply; report: NewReport },
): Promise<Outcome> {
  const address = addressOf(request.raw, deps.trustedProxies);
  // As with the form, only reports of existing GIFs count towards the limit.
  const isShown = (await deps.lease().index.forRequest().find(report.gif)) !== undefined;
  if (isShown) checkLimit(deps.limitReports.take(address), reply);
  const outcome = await deps.report(report).catch((error: unknown) => {
    deps.log.error({ err: error }, 'could not save a report');
    return refuse(reply, 'upstream_unavailable', 'the report cannot be saved right now', UNSAVED_S);
  });
  if (outcome === 'taken' && !isShown) deps.limitReports.take(address);
  return outcome;
}

/** Returns the reports in the event: one for each file. */
async function readReports({ body }: FastifyRequest, reply: FastifyReply): Promise<NewReport[]> {
  const event = parse(body);
  if (event === undefined) refuse(reply, 'validation', 'the body must be a Nostr event as JSON');
  if (event.kind !== REPORT) refuse(reply, 'validation', `kind must be ${REPORT}`);
  const files = event.tags.filter(([name, hash = '']) => name === 'x' && HASH.test(hash));
  const hashes = [...new Set(files.map(([, hash]) => hash!))];
  if (hashes.length === 0) refuse(reply, 'validation', 'tags must have an x tag with the SHA-256 of a file');
  if (hashes.length > MAX_FILES) refuse(reply, 'validation', `tags must have at most ${MAX_FILES} x tags`);
  if (event.content.length > MAX_MESSAGE)
    refuse(reply, 'validation', `content must have at most ${MAX_MESSAGE} characters`);
  if (!(await isSigned(event))) refuse(reply, 'validation', 'id or sig is not valid');
  const type = event.tags.find(([name, , type]) => /^[xep]$/.test(name ?? '') && type)?.[2] ?? '';
  const reason = Object.hasOwn(REPORT_TYPES, type) ? REPORT_TYPES[type]! : 'other';
  const message = cutTo(withoutControls(event.content.trim() || type), MAX_MESSAGE);
  return hashes.map((hash) => ({ gif: `${hash}.gif`, reason, message, contact: '' }));
}

function parse(body: unknown): NostrEvent | undefined {
  try {
    const event = JSON.parse(String(body)) as NostrEvent | null;
    const isTag = (tag: unknown) => Array.isArray(tag) && tag.every((part) => typeof part === 'string');
    const isEvent = Array.isArray(event?.tags) && event.tags.every(isTag) && typeof event.content === 'string';
    return isEvent ? event : undefined;
  } catch {
    return undefined; // not JSON
  }
}

async function isSigned(event: NostrEvent): Promise<boolean> {
  // The library is loaded on demand, because it takes 8 MB and threads that only serve searches do not need it.
  const { verifyEvent } = await import('nostr-tools/pure');
  try {
    return verifyEvent(event);
  } catch {
    return false; // the event has fields of other types
  }
}
