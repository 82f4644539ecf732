import { LIMITS } from '@zoetrope/contract';
import type { FastifyInstance } from 'fastify';
import { normaliseQuery } from '../../index/index.ts';
import type { HttpContext } from '../context.ts';
import { registerFile } from '../page/files.ts';
import { sendPage } from '../page/frame.ts';
import { renderHome } from '../page/home.ts';
import { type RawQuery, readQueryString } from '../query-string.ts';
import { findGifs } from '../ranking.ts';
import { toGif } from '../views/gif.ts';

const PAGE = 48;

/**
 * The service's own search page and its files. It is rendered here, from the index: it is no client of the API,
 * which a browser would call without an Origin from this very origin.
 */
export function registerHome(app: FastifyInstance, context: HttpContext): void {
  app.get('/', async (request, reply) => {
    const { q, offset } = readHome(readQueryString(request.raw.url!));
    const { index } = context.lease();
    const { documents } =
      q === ''
        ? index.popular(LIMITS.rankedListMax)
        : await findGifs({ q: normaliseQuery(q), mode: 'auto' }, index, context);
    const page = documents.subarray(offset, offset + PAGE);
    const next = offset + PAGE < documents.length ? offset + PAGE : null;
    const items = Array.from(page, (document) => toGif(index.gif(document), context));
    return sendPage(reply, renderHome({ q, items, count: documents.length, next, operator: context.operator }));
  });
  for (const name of ['base.css', 'home.css', 'home.js'] as const) {
    registerFile(app, `/${name}`, new URL(`../page/${name}`, import.meta.url));
  }
}

/** A page for people does not argue about its parameters: what does not fit is cut or left out. */
function readHome(query: RawQuery): { q: string; offset: number } {
  const { q, offset } = query;
  const start = typeof offset === 'string' && /^\d{1,3}$/.test(offset) ? Number(offset) : 0;
  return { q: typeof q === 'string' ? q.slice(0, LIMITS.queryMaxLength).trim() : '', offset: start };
}
