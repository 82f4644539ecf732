import { OPERATIONS, readQuery, type SuggestResponse } from '@zoetrope/contract';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../base/errors.ts';
import { normaliseQuery } from '../../index/index.ts';
import { toBody } from '../answer.ts';
import { type Answers, type RawQuery, registerCached } from '../cached-route.ts';
import type { HttpContext, Lease } from '../context.ts';

interface SuggestRequest {
  q: string;
  limit: number;
}

/** Registers `GET /api/v1/suggest`. */
export function registerSuggest(app: FastifyInstance, context: HttpContext, answers: Answers): void {
  registerCached<SuggestRequest>(app, context, answers, {
    name: 'suggest',
    path: OPERATIONS.suggest.path,
    read: readSuggest,
    key: ({ q, limit }) => `suggest ${limit} ${q}`,
    answer: async (wanted, lease) => ({ body: toBody(await suggest(wanted, lease)), isDegraded: false }),
  });
}

function readSuggest(raw: RawQuery): SuggestRequest {
  const query = readQuery(OPERATIONS.suggest.query, raw);
  if (query['safe'] === '0') throw new ServiceError('adult_not_allowed', 'safe must be 1: adult GIFs are not served');
  const { q, limit } = query as unknown as SuggestRequest;
  return { q: normaliseQuery(q), limit };
}

async function suggest({ q, limit }: SuggestRequest, lease: Lease): Promise<SuggestResponse> {
  const terms = await lease.index.suggest(q, limit, lease.withheld.terms);
  return {
    build: lease.index.buildId,
    gen: lease.gen,
    q,
    terms: terms.map(({ term, kind, n, fuzzy }) => (fuzzy ? { term, kind, n, fuzzy } : { term, kind, n })),
  };
}
