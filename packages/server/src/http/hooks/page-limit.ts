import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../base/errors.ts';
import { addressOf } from '../address.ts';
import type { HttpContext } from '../context.ts';

/**
 * Counts a request against the limits that an IP address has on the service's own pages. Sets `request.isWordsOnly`.
 * Throws ServiceError `rate_limited`.
 */
export function limitLikePage(
  request: FastifyRequest,
  { limitPages, trustedProxies }: Pick<HttpContext, 'limitPages' | 'trustedProxies'>,
): void {
  const verdict = limitPages(addressOf(request.raw, trustedProxies));
  if (verdict?.allowed === false) {
    const { retryAfterSeconds: retryAfter } = verdict;
    throw new ServiceError('rate_limited', `Too many searches; try again in ${retryAfter} s`, { retryAfter });
  }
  request.isWordsOnly = verdict?.isWordsOnly ?? false;
}
