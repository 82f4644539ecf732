import { OPERATIONS, readQuery, type SuggestResponse } from '@zoetrope/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors.ts';
import { normaliseQuery } from '../../index/index.ts';
import { sendAnswer, toAnswer } from '../answer.ts';
import type { AnswerCache } from '../answer-cache.ts';
import type { HttpContext, Lease } from '../context.ts';

interface Wanted {
  q: string;
  limit: number;
}

/** `GET /api/v1/suggest` */
export function registerSuggest(app: FastifyInstance, context: HttpContext, cache: AnswerCache): void {
  app.get(OPERATIONS.suggest.path, (request, reply) => {
    const wanted = readSuggest(request);
    const lease = context.lease();
    const key = `suggest ${wanted.limit} ${wanted.q}`;
    let answer = cache.get(lease.epoch, key);
    if (!answer) {
      answer = toAnswer(suggest(wanted, lease));
      cache.set(lease.epoch, key, answer);
    }
    return sendAnswer(request, reply, answer);
  });
}

function readSuggest(request: FastifyRequest): Wanted {
  const query = readQuery(OPERATIONS.suggest.query, request.query as Record<string, string | string[]>);
  if (query['safe'] === '0') throw new ServiceError('adult_not_allowed', 'safe must be 1: adult GIFs are not served');
  const { q, limit } = query as unknown as Wanted;
  return { q: normaliseQuery(q), limit };
}

function suggest({ q, limit }: Wanted, lease: Lease): SuggestResponse {
  const terms = lease.index.suggest(q, limit);
  return {
    build: lease.index.buildId,
    gen: lease.gen,
    q,
    terms: terms.map(({ term, kind, n, fuzzy }) => (fuzzy ? { term, kind, n, fuzzy } : { term, kind, n })),
  };
}
