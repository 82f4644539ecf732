import { ERRORS } from '@zoetrope/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { basePathOf } from '../../base/base-path.ts';
import { ServiceError } from '../../base/errors.ts';
import { gifIdIn } from '../../base/gif-id.ts';
import { problemOfText } from '../../base/plain-text.ts';
import { addressOf } from '../address.ts';
import { readQueryString } from '../cached-route.ts';
import type { HttpContext } from '../context.ts';
import { sendPage } from '../page/frame.ts';
import {
  MAX_CONTACT,
  MAX_MESSAGE,
  REASONS,
  type Reason,
  type ReportForm,
  renderReport,
  renderThanks,
} from '../page/report.ts';
import { fill, type Texts, textsFor } from '../page/words/words.ts';
import { toGif } from '../results.ts';
import { registerReportEvent } from './report-event.ts';

export const REPORT_PATH = '/report';

const BODY_BYTES = 16 * 1024;

type Deps = Pick<
  HttpContext,
  | 'lease'
  | 'log'
  | 'publicUrl'
  | 'report'
  | 'limitReports'
  | 'trustedProxies'
  | 'operator'
  | 'mediaUrl'
  | 'hasVideo'
  | 'hasOwnUrls'
>;

/**
 * Registers the page for reporting a GIF, and reports as signed events. The reporter's IP address is not stored. It is only kept in memory for an
 * hour, to count reports.
 */
export function registerReport(app: FastifyInstance, deps: Deps): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_BYTES }, (_, body, done) => done(null, body));

  app.get(REPORT_PATH, (request, reply) => {
    const { gif, sent } = readQueryString(request.raw.url!);
    const texts = textsFor(request.raw);
    if (sent === '1') return sendPage(reply, renderThanks({ operator: deps.operator, texts }), deps.publicUrl);
    const form = { ...EMPTY, gif: typeof gif === 'string' ? gif.slice(0, MAX_MESSAGE) : '' };
    return sendForm(deps, { reply, form, texts, problem: '' });
  });

  app.post(REPORT_PATH, async (request, reply) => {
    if (request.headers['sec-fetch-site'] === 'cross-site') {
      throw new ServiceError('forbidden', 'Reports can only be sent from the form of this service');
    }
    const form = readForm(request);
    const texts = textsFor(request.raw);
    const problem = problemOf(form, texts) ?? (await take(deps, { request, reply, form, texts }));
    if (problem === null) return reply.redirect(`${basePathOf(deps.publicUrl)}${REPORT_PATH}?sent=1`, 303);
    if (reply.statusCode === 200) reply.code(ERRORS.validation.status);
    return sendForm(deps, { reply, form, texts, problem });
  });

  registerReportEvent(app, REPORT_PATH, deps);
}

const EMPTY: ReportForm = { gif: '', reason: '', message: '', contact: '' };

function readForm({ body }: FastifyRequest): ReportForm {
  const fields = new URLSearchParams(typeof body === 'string' ? body : '');
  const field = (name: string) => (fields.get(name) ?? '').replaceAll('\r\n', '\n').trim();
  return { gif: field('gif'), reason: field('reason'), message: field('message'), contact: field('contact') };
}

function problemOf({ gif, reason, message, contact }: ReportForm, { words }: Texts): string | null {
  if (gif === '') return words.missingGif;
  if (!Object.hasOwn(REASONS, reason)) return words.missingReason;
  if (message.length > MAX_MESSAGE) return fill(words.longDetails, { n: MAX_MESSAGE });
  if (contact.length > MAX_CONTACT) return fill(words.longContact, { n: MAX_CONTACT });
  if (problemOfText(message, 'lines') !== undefined) return words.badDetails;
  if (problemOfText(contact, 'line') !== undefined) return words.badContact;
  const isUnclear = message === '' && (reason === 'copyright' || reason === 'other');
  return isUnclear ? words.unclear : null;
}

interface Sent {
  request: FastifyRequest;
  reply: FastifyReply;
  form: ReportForm;
  texts: Texts;
}

/** Saves a report. @returns the reason why the report was rejected, or null */
async function take(deps: Deps, { request, reply, form, texts }: Sent): Promise<string | null> {
  const { words } = texts;
  const address = addressOf(request.raw, deps.trustedProxies);
  const gif = gifIdIn(form.gif);
  // Only reports of existing GIFs count towards the limit. A mistyped URL is not an attack, and does no harm.
  const isShown = (await deps.lease().index.forRequest().find(gif)) !== undefined;
  const verdict = isShown ? deps.limitReports.take(address) : deps.limitReports.look(address);
  if (verdict?.allowed === false) {
    reply.code(ERRORS.rate_limited.status).header('retry-after', verdict.retryAfterSeconds);
    return texts.count(words.tooManyReports, Math.ceil(verdict.retryAfterSeconds / 60));
  }
  const { reason, message, contact } = form;
  const report = { gif, reason: reason as Reason, message, contact };
  const taken = await deps.report(report).catch((error: unknown) => {
    deps.log.error({ err: error }, 'could not save a report');
    return 'unsaved' as const;
  });
  // A GIF that no search finds exists after all, so its report is counted now.
  if (taken === 'taken' && !isShown) deps.limitReports.take(address);
  if (taken === 'taken') return null;
  if (taken === 'unknown') return words.unknownGif;
  reply.code(ERRORS.upstream_unavailable.status);
  return taken === 'unsaved' ? words.unsaved : words.full;
}

async function sendForm(
  deps: Deps,
  { reply, form, texts, problem }: Pick<Sent, 'reply' | 'form' | 'texts'> & { problem: string },
): Promise<FastifyReply> {
  const gif = await deps.lease().index.forRequest().find(gifIdIn(form.gif));
  const shown = gif === undefined ? null : toGif(gif, deps);
  return sendPage(reply, renderReport({ form, shown, problem, operator: deps.operator, texts }), deps.publicUrl);
}
