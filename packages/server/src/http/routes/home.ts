import { ERRORS, LIMITS } from '@zoetrope/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { withBasePath } from '../../base/base-path.ts';
import { rememberFor } from '../../base/remember.ts';
import type { StoredGif } from '../../builds/index.ts';
import { normaliseQuery, type Search } from '../../index/index.ts';
import type { PageVerdict } from '../../limits/index.ts';
import { addressOf } from '../address.ts';
import { type Answer, type AnswerCache, DEGRADED_S } from '../answer.ts';
import { type RawQuery, readQueryString } from '../cached-route.ts';
import type { HttpContext, Lease } from '../context.ts';
import { registerFile } from '../page/files.ts';
import { sendBytes, sendPage } from '../page/frame.ts';
import { type Progress, renderHome } from '../page/home.ts';
import { type Texts, textsFor } from '../page/words/words.ts';
import { findGifs, toGif } from '../results.ts';
import type { Turns } from '../turns.ts';

const SCRIPTS = ['home', 'pictures', 'grid', 'viewer', 'card', 'complete', 'gif', 'theme'] as const;
/** The parts of the stylesheet of all pages. */
const STYLES = ['tokens', 'base', 'controls', 'frame', 'tiles', 'gif', 'text', 'live'] as const;
const PAGE = 48;
/** A list with fewer GIFs does not even fill the smallest screens, so popular GIFs follow. */
const FEW = 6;
/** Time for which the pages reuse the last check of how complete a new service is, in milliseconds. */
const HEALTH_MS = 1_000;
/**
 * The state that pages assume if the main thread does not respond: nothing is missing, so pages do not wait for
 * changes.
 */
const COMPLETE = { isGrowing: false, hasLanguages: true };
/** Maximum number of other searches that are offered if nothing was found. */
const OFFERS = 6;
/** Maximum number of texts for which other searches are looked up: the query and its first words. */
const OFFERED_WORDS = 5;

/**
 * Registers the service's own search page and its files. The page is rendered here, directly from the index. It does
 * not use the API, because a browser sends no Origin header to the page's own origin. Pages are cached like API
 * responses, and each IP address has a rate limit.
 */
export function registerHome(app: FastifyInstance, context: HttpContext, cache: AnswerCache, turns: Turns): void {
  // Only the main thread has this state. The cache protects it from a flood of requests for pages.
  const health = rememberFor(HEALTH_MS, () => context.health().catch(() => COMPLETE));
  app.get('/', async (request, reply) => {
    const { q, offset } = readHome(readQueryString(request.raw.url!));
    const verdict = context.limitPages(addressOf(request.raw, context.trustedProxies));
    const texts = textsFor(request.raw);
    if (verdict?.allowed === false) return refuse(reply, { q, texts }, verdict, context);
    const lease = context.lease();
    const key = `home ${texts.language} ${offset} ${q}`;
    const kept = cache.get(lease.epoch, key);
    if (kept) return sendBytes(reply, kept.body);
    const wanted = { q, offset, texts, mode: verdict?.isWordsOnly ? 'text' : 'auto' } as const;
    const end = await turns.take();
    const seen = { ...lease, index: lease.index.forRequest(), health };
    const { html, isDegraded } = await render(wanted, seen, context).finally(end);
    const body = Buffer.from(withBasePath(html, context.publicUrl));
    if (wanted.mode === 'auto') cache.set(lease.epoch, key, toKept(body), isDegraded ? DEGRADED_S : undefined);
    return sendBytes(reply, body);
  });
  for (const name of SCRIPTS) registerFile(app, `/${name}.js`, new URL(`../page/scripts/${name}.js`, import.meta.url));
  const parts = STYLES.map((name) => new URL(`../page/css/${name}.css`, import.meta.url));
  registerFile(app, '/zoetrope.css', parts);
  // The dashboard has its own stylesheet, with the same colours.
  registerFile(app, '/tokens.css', parts[0]!);
}

interface HomeRequest {
  q: string;
  offset: number;
  mode: 'auto' | 'text';
  texts: Texts;
}

interface HomeLease extends Lease {
  health(): Promise<Omit<Progress, 'documents'>>;
}

async function render(
  { q, offset, mode, texts }: HomeRequest,
  { index, withheld, health }: HomeLease,
  context: HttpContext,
) {
  const sought = normaliseQuery(q);
  const { ranked, corrected, isDegraded } =
    q === ''
      ? { ranked: await index.popular(LIMITS.rankedListMax), corrected: undefined, isDegraded: false }
      : await findGifs({ q: sought, mode, rank: 'anonymous' }, index, context);
  const { count } = ranked;
  const isMissing = q !== '' && count === 0;
  const page = isMissing ? await popular(index) : await ranked.gifs(offset, offset + PAGE);
  const next = offset + PAGE < count ? offset + PAGE : null;
  const items = page.map((gif) => toGif(gif, context));
  const isShort = q !== '' && count > 0 && count < FEW;
  const others = isShort ? await popularBeside(page, index) : [];
  const offers = isMissing ? await offersFor(sought, { index, withheld }) : [];
  const { operator, publicUrl, topics } = context;
  const { isGrowing, hasLanguages } = await health();
  return {
    html: renderHome({
      q,
      corrected,
      items,
      others: others.map((gif) => toGif(gif, context)),
      count,
      next,
      offers,
      progress: { documents: index.documents, isGrowing, hasLanguages },
      problem: '',
      topics,
      operator,
      publicUrl,
      texts,
    }),
    isDegraded,
  };
}

async function popular(index: Search): Promise<readonly StoredGif[]> {
  return (await index.popular(PAGE)).gifs(0, PAGE);
}

/** Returns one page of popular GIFs, without the GIFs that the page already shows. */
async function popularBeside(shown: readonly StoredGif[], index: Search): Promise<StoredGif[]> {
  const ids = new Set(shown.map(({ id }) => id));
  return (await popular(index)).filter(({ id }) => !ids.has(id));
}

/** Returns other searches that resemble a query or one of its words. Each search finds GIFs. */
async function offersFor(q: string, { index, withheld }: Pick<Lease, 'index' | 'withheld'>): Promise<string[]> {
  const texts = [...new Set([q, ...q.split(' ')])].slice(0, OFFERED_WORDS);
  const found = await Promise.all(texts.map((text) => index.suggest(text, OFFERS, withheld.terms)));
  return [...new Set(found.flat().map(({ term }) => term))].slice(0, OFFERS);
}

function refuse(
  reply: FastifyReply,
  { q, texts }: Pick<HomeRequest, 'q' | 'texts'>,
  { retryAfterSeconds }: PageVerdict,
  context: HttpContext,
) {
  reply.code(ERRORS.rate_limited.status).header('retry-after', retryAfterSeconds);
  const problem = texts.count(texts.words.tooManySearches, retryAfterSeconds);
  const { operator, publicUrl, topics } = context;
  const nothing = {
    corrected: undefined,
    items: [],
    others: [],
    count: 0,
    next: null,
    offers: [],
    progress: { documents: 0, ...COMPLETE },
  };
  const page = renderHome({ q, ...nothing, problem, topics, operator, publicUrl, texts });
  return sendPage(reply, page, publicUrl);
}

/** Wraps a page as a response for the response cache, which needs only the page's bytes. */
export function toKept(body: Buffer): Answer {
  return { operation: 'search', route: '/', status: 200, fields: [], compressed: {}, body, etag: '', headers: [] };
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
