import { OPERATIONS, readQuery } from '@zoetrope/contract';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../errors.ts';

/** Suggest and similar: admitted and checked as the contract says, but there is nothing behind them yet. */
export function registerPending(app: FastifyInstance): void {
  for (const { path, query } of [OPERATIONS.suggest, OPERATIONS.similar]) {
    app.get(path.replace('{id}', ':id'), (request) => {
      const { safe } = readQuery(query, request.query as Record<string, string | string[]>);
      if (safe === '0') throw new ServiceError('adult_not_allowed', 'safe must be 1: adult GIFs are not served');
      throw new ServiceError('upstream_unavailable', 'This operation is not available yet');
    });
  }
}
