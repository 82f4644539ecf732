import { ERRORS, LIMITS } from '@zoetrope/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { withBasePath } from '../../base/base-path.ts';
import { normaliseQuery, type SearchEngine } from '../../index/index.ts';
import type { PageVerdict } from '../../limits/index.ts';
import { addressOf } from '../address.ts';
import { type Answer, type AnswerCache, DEGRADED_S } from '../answer.ts';
import { type RawQuery, readQueryString } from '../cached-route.ts';
import type { HttpContext } from '../context.ts';
import { registerFile } from '../page/files.ts';
import { sendBytes, sendPage } from '../page/frame.ts';
import { renderHome } from '../page/home.ts';
import { findGifs, toGif } from '../results.ts';
import type { Turns } from '../turns.ts';

const PAGE = 48;

/**
 * Registers the service's own search page and its files. The page is rendered here from the index instead of using the
 * API, because a browser sends no Origin header to the page's own origin. Pages are cached like API responses, and each
 * IP address has a rate limit.
 */
export function registerHome(app: FastifyInstance, context: HttpContext, cache: AnswerCache, turns: Turns): void {
  app.get('/', async (request, reply) => {
    const { q, offset } = readHome(readQueryString(request.raw.url!));
    const verdict = context.limitPages(addressOf(request.raw, context.trustedProxies));
    if (verdict?.allowed === false) return refuse(reply, q, verdict, context);
    const lease = context.lease();
    const key = `home ${offset} ${q}`;
    const kept = cache.get(lease.epoch, key);
    if (kept) return sendBytes(reply, kept.body);
    const wanted = { q, offset, mode: verdict?.isWordsOnly ? 'text' : 'auto' } as const;
    const end = await turns.take();
    const { html, isDegraded } = await render(wanted, lease.index.forRequest(), context).finally(end);
    const body = Buffer.from(withBasePath(html, context.publicUrl));
    if (wanted.mode === 'auto') cache.set(lease.epoch, key, toKept(body), isDegraded ? DEGRADED_S : undefined);
    return sendBytes(reply, body);
  });
  for (const name of ['base.css', 'home.css', 'home.js'] as const) {
    registerFile(app, `/${name}`, new URL(`../page/${name}`, import.meta.url));
  }
}

interface Wanted {
  q: string;
  offset: number;
  mode: 'auto' | 'text';
}

async function render({ q, offset, mode }: Wanted, index: SearchEngine, context: HttpContext) {
  const { ranked, corrected, isDegraded } =
    q === ''
      ? { ranked: await index.popular(LIMITS.rankedListMax), corrected: undefined, isDegraded: false }
      : await findGifs({ q: normaliseQuery(q), mode, rank: 'anonymous' }, index, context);
  const { count } = ranked;
  const page = await ranked.gifs(offset, offset + PAGE);
  const next = offset + PAGE < count ? offset + PAGE : null;
  const items = page.map((gif) => toGif(gif, context));
  const { operator } = context;
  return {
    html: renderHome({ q, corrected, items, count, next, problem: '', operator }),
    isDegraded,
  };
}

function refuse(reply: FastifyReply, q: string, { retryAfterSeconds }: PageVerdict, context: HttpContext) {
  reply.code(ERRORS.rate_limited.status).header('retry-after', retryAfterSeconds);
  const problem = `Too many searches from your network. Try again in ${retryAfterSeconds} seconds.`;
  const { operator, publicUrl } = context;
  const page = renderHome({ q, corrected: undefined, items: [], count: 0, next: null, problem, operator });
  return sendPage(reply, page, publicUrl);
}

/** Wraps a page for the response cache, which needs only its bytes. */
function toKept(body: Buffer): Answer {
  return { operation: 'search', route: '/', status: 200, told: [], compressed: {}, body, etag: '', headers: [] };
}

/**
 * Reads the page's parameters. The page does not report invalid parameters to people. Instead, invalid parameters are
 * shortened or ignored.
 */
function readHome(query: RawQuery): { q: string; offset: number } {
  const { q, offset } = query;
  const start = typeof offset === 'string' && /^\d{1,3}$/.test(offset) ? Number(offset) : 0;
  return { q: typeof q === 'string' ? q.slice(0, LIMITS.queryMaxLength).trim() : '', offset: start };
}
