import {
  type CategoriesResponse,
  DISCOVERY,
  DISCOVERY_LIMITS,
  type Gif,
  type GifResponse,
  type GifsResponse,
  ID_PATTERN,
  LIMITS,
  QueryError,
  readQuery,
  type TermsResponse,
  type TrendingResponse,
} from '@zoetrope/contract';
import type { FastifyInstance } from 'fastify';
import { systemClock } from '../../base/clock.ts';
import { ServiceError } from '../../base/errors.ts';
import { normaliseQuery } from '../../index/index.ts';
import { toBody } from '../answer.ts';
import { type Answers, type RawQuery, registerCached } from '../cached-route.ts';
import type { HttpContext, Lease } from '../context.ts';
import { registerPreflights } from '../routes/preflight.ts';
import { listGifs, type Page, type Selection, trendingNow } from './lists.ts';
import { findCategories, findTerms } from './topics.ts';

const ID = new RegExp(ID_PATTERN);

/**
 * Registers the operations of discovery. Each operation counts against the limit of the operation that it resembles:
 * lists count as searches, terms as completions, and GIFs by id as similar GIFs.
 */
export function registerDiscovery(app: FastifyInstance, context: HttpContext, answers: Answers): void {
  registerPreflights(
    app,
    Object.values(DISCOVERY).map(({ path }) => path),
  );
  registerGifs(app, context, answers);
  registerCached<Page & { selection: Selection }>(app, context, answers, {
    name: 'search',
    path: DISCOVERY.trending.path,
    read: (raw) => {
      const { limit, offset } = readSafe(DISCOVERY.trending.query, raw) as unknown as Page;
      return { limit, offset, selection: trendingNow(systemClock.now()) };
    },
    key: ({ limit, offset, selection }) => `trending ${JSON.stringify(selection)} ${limit} ${offset}`,
    answer: async ({ limit, offset, selection }, lease) => {
      const list = await listGifs(selection, { limit, offset }, { ...lease, now: systemClock.now() }, context);
      const { items, count, seconds } = list;
      const body = toBody<TrendingResponse>({ ...stateOf(lease), count, offset, limit, items });
      return { body, isDegraded: false, seconds };
    },
  });
  registerCached<{ limit: number }>(app, context, answers, {
    name: 'suggest',
    path: DISCOVERY.terms.path,
    read: (raw) => readSafe(DISCOVERY.terms.query, raw) as unknown as { limit: number },
    key: ({ limit }) => `terms ${limit}`,
    answer: async ({ limit }, lease) => {
      const terms = await findTerms(lease.index, limit, context);
      return { body: toBody<TermsResponse>({ ...stateOf(lease), terms }), isDegraded: false };
    },
  });
  registerCached(app, context, answers, {
    name: 'search',
    path: DISCOVERY.categories.path,
    read: (raw) => readSafe(DISCOVERY.categories.query, raw),
    key: () => 'categories',
    answer: async (_, lease) => {
      const categories = await findCategories(lease.index, context);
      return { body: toBody<CategoriesResponse>({ ...stateOf(lease), categories }), isDegraded: false };
    },
  });
}

function registerGifs(app: FastifyInstance, context: HttpContext, answers: Answers): void {
  registerCached<{ id: string }>(app, context, answers, {
    name: 'similar',
    path: DISCOVERY.gif.path.replace('{id}', ':id'),
    read: (raw, { id }) => {
      readSafe(DISCOVERY.gif.query, raw);
      if (!ID.test(id!)) throw new QueryError(`id must match ${ID_PATTERN}`);
      return { id: id! };
    },
    key: ({ id }) => `gif-by-id ${id}`,
    answer: async ({ id }, lease) => {
      const one = { offset: 0, limit: 1 };
      const { items } = await listGifs({ of: 'ids', ids: [id] }, one, { ...lease, now: systemClock.now() }, context);
      return { body: toOneBody(lease, items[0]), isDegraded: false };
    },
    gif: ({ id }) => id,
  });
  registerCached<{ ids: string[] }>(app, context, answers, {
    name: 'similar',
    path: DISCOVERY.gifs.path,
    read: (raw) => ({ ids: readIds(readSafe(DISCOVERY.gifs.query, raw)['ids'] as string) }),
    key: ({ ids }) => `gifs-by-id ${ids.join(',')}`,
    answer: async ({ ids }, lease) => {
      const page = { offset: 0, limit: ids.length };
      const { items } = await listGifs({ of: 'ids', ids }, page, { ...lease, now: systemClock.now() }, context);
      return { body: toBody<GifsResponse>({ ...stateOf(lease), items }), isDegraded: false };
    },
  });
  registerCached<{ q: string; isWordsOnly: boolean }>(app, context, answers, {
    name: 'search',
    path: DISCOVERY.random.path,
    read: (raw, _, { isWordsOnly }) => {
      const { q } = readSafe(DISCOVERY.random.query, raw) as { q: string };
      return { q: normaliseQuery(q), isWordsOnly };
    },
    isPrivate: () => true,
    key: ({ q }) => `random ${q}`,
    answer: async ({ q, isWordsOnly }, lease) => {
      const now = systemClock.now();
      const whole = { offset: 0, limit: LIMITS.rankedListMax };
      const { items, isDegraded } = await listGifs(chooseFrom(q, isWordsOnly), whole, { ...lease, now }, context);
      return { body: toOneBody(lease, items[Math.floor(Math.random() * items.length)]), isDegraded };
    },
  });
}

/** Returns the list from which a random GIF is chosen. */
export function chooseFrom(q: string, isWordsOnly: boolean): Selection {
  if (q === '') return trendingNow(systemClock.now());
  return { of: 'search', q, language: undefined, isWordsOnly, rank: 'anonymous' };
}

/** @throws ServiceError `not_found` if there is no item */
function toOneBody(lease: Lease, item: Gif | undefined): Buffer {
  if (item === undefined) throw new ServiceError('not_found', 'No GIF was found');
  return toBody<GifResponse>({ ...stateOf(lease), item });
}

function stateOf({ index, gen }: Lease): { build: string; gen: number } {
  return { build: index.buildId, gen };
}

function readSafe(schema: Parameters<typeof readQuery>[0], raw: RawQuery): ReturnType<typeof readQuery> {
  const query = readQuery(schema, raw);
  if (query['safe'] === '0') throw new ServiceError('adult_not_allowed', 'safe must be 1: adult GIFs are not served');
  return query;
}

function readIds(text: string): string[] {
  const ids = text.split(',');
  const { ids: most } = DISCOVERY_LIMITS;
  if (ids.length > most) throw new QueryError(`ids must have at most ${most} ids`);
  const wrong = ids.find((id) => !ID.test(id));
  if (wrong !== undefined) throw new QueryError(`each of ids must match ${ID_PATTERN}`);
  return [...new Set(ids)];
}
