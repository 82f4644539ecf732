import { ID_PATTERN, OPERATIONS, QueryError, readQuery, type SimilarResponse } from '@zoetrope/contract';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../base/errors.ts';
import { toListBody } from '../answer.ts';
import { type Answers, type RawQuery, registerCached } from '../cached-route.ts';
import type { HttpContext, Lease } from '../context.ts';
import { type ShownMedia, writeItems } from '../results.ts';

const ID = new RegExp(ID_PATTERN);

interface SimilarRequest {
  id: string;
  limit: number;
}

/** Registers `GET /api/v1/gifs/{id}/similar`. */
export function registerSimilar(app: FastifyInstance, context: HttpContext, answers: Answers): void {
  registerCached<SimilarRequest>(app, context, answers, {
    name: 'similar',
    path: OPERATIONS.similar.path.replace('{id}', ':id'),
    read: (raw, { id }) => readSimilar(raw, id!),
    key: ({ id, limit }) => `similar ${limit} ${id}`,
    answer: async (wanted, lease) => ({ body: await similar(wanted, lease, context), isDegraded: false }),
    gif: ({ id }) => id,
  });
}

function readSimilar(raw: RawQuery, id: string): SimilarRequest {
  const { limit, safe } = readQuery(OPERATIONS.similar.query, raw);
  if (!ID.test(id)) throw new QueryError(`id must match ${ID_PATTERN}`);
  if (safe === '0') throw new ServiceError('adult_not_allowed', 'safe must be 1: adult GIFs are not served');
  return { id, limit: limit as number };
}

async function similar({ id, limit }: SimilarRequest, { index, gen }: Lease, media: ShownMedia): Promise<Buffer> {
  const found = await index.similar(id, limit);
  if (found === undefined) throw new ServiceError('not_found', `No GIF has the id ${id}`);
  const items = writeItems(await found.gifs(0, limit), media);
  return toListBody<SimilarResponse>({ build: index.buildId, gen }, items);
}
