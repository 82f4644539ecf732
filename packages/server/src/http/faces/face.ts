import type { Category } from '@zoetrope/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { systemClock } from '../../base/clock.ts';
import type { ServiceError } from '../../base/errors.ts';
import { normaliseQuery } from '../../index/index.ts';
import { READABLE, toBody } from '../answer.ts';
import { type Answers, type RawQuery, type RouteCaller, registerCached } from '../cached-route.ts';
import type { HttpContext, Lease } from '../context.ts';
import { type GifList, listGifs, type Page, type Selection, trendingNow } from '../discovery/lists.ts';
import { findCategories, findTerms } from '../discovery/topics.ts';
import { searchOf, textOf } from './read.ts';

/** What a face needs to register its routes. */
export interface FaceParts {
  app: FastifyInstance;
  context: HttpContext;
  answers: Answers;
}

/** The API of another service, over the same catalogue, ranking and admission. */
export interface Face {
  /** Registers the routes for admitted callers. */
  register(parts: FaceParts): void;
  /** Registers the routes for everybody: redirects to files. */
  registerOpen?(parts: Pick<FaceParts, 'app' | 'context'>): void;
  /** Returns the body of an error. */
  problem(error: Pick<ServiceError, 'code' | 'message' | 'status'>): object;
}

/** The list and the page that a request asks for. */
export interface ListRequest {
  selection: Selection;
  page: Page;
}

export interface ListRoute<Wanted extends ListRequest> {
  path: string;
  read(raw: RawQuery, caller: RouteCaller, params: Readonly<Record<string, string>>): Wanted;
  /** Returns the body of the response. Throws ServiceError `not_found` if the list must not be empty. */
  write(list: GifList, wanted: Wanted, build: string): object;
  /** Whether each response is chosen at random, and so never cached. */
  isRandom?: boolean;
  problem: Face['problem'];
}

/** Registers a route that returns GIFs. */
export function registerList<Wanted extends ListRequest>(
  { app, context, answers }: FaceParts,
  { path, read, write, problem, isRandom = false }: ListRoute<Wanted>,
): void {
  registerCached<Wanted & { isWordsOnly: boolean }>(app, context, answers, {
    name: 'search',
    path,
    read: (raw, params, caller) => ({ ...read(raw, caller, params), isWordsOnly: caller.isWordsOnly }),
    isPrivate: ({ isWordsOnly }) => isRandom || isWordsOnly,
    key: (wanted) => `${path} ${JSON.stringify(wanted)}`,
    answer: async (wanted, lease) => {
      const { index } = lease;
      const list = await listGifs(wanted.selection, wanted.page, { index, now: systemClock.now() }, context);
      const { isDegraded, seconds } = list;
      return { body: toBody(write(list, wanted, index.buildId)), isDegraded, seconds };
    },
    problem,
  });
}

/** Registers the two lists that every service has: a search, and the GIFs that users see first. */
export function registerLists(
  parts: FaceParts,
  {
    paths,
    names,
    readPage,
    ...route
  }: {
    paths: { search: string; trending: string };
    /** Names of the parameters that contain the query and the user's language. */
    names: { q: string; lang: string };
    readPage(raw: RawQuery): Page;
  } & Pick<ListRoute<ListRequest>, 'write' | 'problem'>,
): void {
  registerList(parts, {
    path: paths.search,
    read: (raw, caller) => ({
      selection: searchOf(textOf(raw, names.q), textOf(raw, names.lang), caller),
      page: readPage(raw),
    }),
    ...route,
  });
  registerList(parts, {
    path: paths.trending,
    read: (raw) => ({ selection: trending(), page: readPage(raw) }),
    ...route,
  });
}

/** Registers a route that returns something other than GIFs. The response depends only on the index and the request. */
export function registerOther<Wanted>(
  { app, context, answers }: FaceParts,
  route: {
    path: string;
    read(raw: RawQuery, params: Readonly<Record<string, string>>): Wanted;
    make(wanted: Wanted, lease: Lease): Promise<object>;
  },
): void {
  const { path, read, make } = route;
  registerCached<Wanted>(app, context, answers, {
    name: 'suggest',
    path,
    read,
    key: (wanted) => `${path} ${JSON.stringify(wanted)}`,
    answer: async (wanted, lease) => ({ body: toBody(await make(wanted, lease)), isDegraded: false }),
  });
}

/** Responds to an app that reports a shared GIF. For privacy, nothing is counted or stored. */
export function sendThanks(reply: FastifyReply, body: object): FastifyReply {
  return reply.headers(READABLE).header('cache-control', 'no-store').send(body);
}

/** Returns the selection of GIFs that users see first. */
export function trending(): Selection {
  return trendingNow(systemClock.now());
}

export function categoriesOf({ index }: Lease, context: HttpContext): Promise<Category[]> {
  return findCategories(index, context);
}

/** Returns the terms that complete a text, or popular terms if the text is empty. */
export async function termsFor(q: string, limit: number, lease: Lease, context: HttpContext): Promise<string[]> {
  if (q === '') return findTerms(lease.index, limit, context);
  const found = await lease.index.suggest(normaliseQuery(q), limit, lease.withheld.terms);
  return found.map(({ term }) => term);
}
