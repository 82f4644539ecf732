import { ID_PATTERN, OPERATIONS, QueryError, readQuery } from '@zoetrope/contract';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../errors.ts';
import { readQueryString } from '../query-string.ts';

/** Similar: admitted and checked as the contract says, but there is nothing behind it yet. */
export function registerPending(app: FastifyInstance): void {
  const { path, query } = OPERATIONS.similar;
  app.get(path.replace('{id}', ':id'), (request) => {
    const { safe } = readQuery(query, readQueryString(request.raw.url!));
    const { id } = request.params as { id?: string };
    if (id !== undefined && !new RegExp(ID_PATTERN).test(id)) throw new QueryError(`id must match ${ID_PATTERN}`);
    if (safe === '0') throw new ServiceError('adult_not_allowed', 'safe must be 1: adult GIFs are not served');
    throw new ServiceError('upstream_unavailable', 'This operation is not available yet');
  });
}
