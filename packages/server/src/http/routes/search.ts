import {
  type Explanation,
  OPERATIONS,
  QueryError,
  readQuery,
  type SearchRequest,
  type SearchResponse,
} from '@zoetrope/contract';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../base/errors.ts';
import type { StoredGif } from '../../builds/index.ts';
import { languageOf, normaliseQuery, type Search } from '../../index/index.ts';
import { toListBody } from '../answer.ts';
import { type Answers, type RawQuery, type RouteCaller, type RouteResponse, registerCached } from '../cached-route.ts';
import type { HttpContext, Lease, Rank } from '../context.ts';
import { findGifs, writeItems } from '../results.ts';

interface RankedRequest extends Omit<SearchRequest, 'lang'> {
  language: number | undefined;
  isWordsOnly: boolean;
  rank: Rank;
}

/** Seconds until an IP address can use semantic search again, with the default of pages in ZOETROPE_RATES. */
const MEANING_AGAIN_S = 1;

/** Registers `GET /api/v1/search`. */
export function registerSearch(app: FastifyInstance, context: HttpContext, answers: Answers): void {
  registerCached<RankedRequest>(app, context, answers, {
    name: 'search',
    path: OPERATIONS.search.path,
    read: (raw, _, caller) => readSearch(raw, caller),
    isPrivate: ({ explain, isWordsOnly }) => explain || isWordsOnly,
    key: ({ q, limit, offset, mode, language = '' }) => `search ${mode} ${limit} ${offset} ${language} ${q}`,
    answer: (wanted, lease) => search(wanted, lease, context),
  });
}

function readSearch(raw: RawQuery, { client, isWordsOnly }: RouteCaller): RankedRequest {
  const query = readQuery(OPERATIONS.search.query, raw);
  if (query['safe'] === '0') throw new ServiceError('adult_not_allowed', 'safe must be 1: adult GIFs are not served');
  const explain = query['explain'] === '1';
  if (explain && !client.isDevelopment) throw new QueryError('explain must be 0 for all but the development client');
  const { q, limit, offset, mode, lang } = query as unknown as SearchRequest;
  if (isWordsOnly && mode === 'semantic') {
    throw new ServiceError('rate_limited', 'Too many semantic searches; use mode=text or mode=auto', {
      retryAfter: MEANING_AGAIN_S,
    });
  }
  const rank = client.isDevelopment ? 'anonymous' : 'registered';
  const language = languageOf(lang ?? '');
  return {
    q: normaliseQuery(q),
    limit,
    offset,
    mode: isWordsOnly ? 'text' : mode,
    language,
    explain,
    isWordsOnly,
    rank,
  };
}

/** Returns one page of the ranked list. */
async function search(
  { q, limit, offset, mode, language, explain, rank }: RankedRequest,
  lease: Lease,
  context: HttpContext,
): Promise<RouteResponse> {
  const { gen } = lease;
  const index = lease.index.in(language);
  const { ranked, corrected, semantic, vector, isDegraded } = await findGifs({ q, mode, rank }, index, context);
  if (offset === 0) context.compare?.({ q, mode, language, vector, ranked });
  const page = await ranked.gifs(offset, offset + limit);
  const explained = explain ? await explainPage(corrected ?? q, { vector, page, index }, context) : undefined;
  const head = {
    build: index.buildId,
    gen,
    q,
    ...(corrected === undefined ? {} : { corrected }),
    semantic,
    count: ranked.count,
    offset,
    limit,
    ...(explained && { explain: explained }),
  };
  const body = toListBody<SearchResponse>(head, writeItems(page, context));
  return { body, isDegraded: isDegraded && context.hasEmbedder };
}

/** Returns how each GIF of a page was found. */
async function explainPage(
  q: string,
  { vector, page, index }: { vector: Float32Array | null | undefined; page: readonly StoredGif[]; index: Search },
  { encoderOf }: Pick<HttpContext, 'encoderOf'>,
): Promise<Explanation[]> {
  const encoder = vector ? encoderOf({ isShort: await index.isShort(q) }) : '';
  const explained = await index.explain(q, vector, page.map(idOf));
  return explained.map((own) => ({ ...own, meaning: own.meaning && { ...own.meaning, encoder } }));
}

function idOf({ id }: { id: string }): string {
  return id;
}
