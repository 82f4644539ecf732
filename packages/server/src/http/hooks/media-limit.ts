import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../errors.ts';
import { addressOf } from '../address.ts';
import type { HttpContext } from '../context.ts';

/** Holds each address to its budget of images, where there is one. The address is forgotten at once. */
export function registerMediaLimit(
  app: FastifyInstance,
  { limitMedia, trustedProxies }: Pick<HttpContext, 'limitMedia' | 'trustedProxies'>,
): void {
  if (limitMedia === undefined) return;
  app.addHook('onRequest', (request, reply, done) => {
    const { rule, allowed, retryAfterSeconds: retryAfter } = limitMedia(addressOf(request.raw, trustedProxies));
    if (allowed) return done();
    // Images are for every page, and so is word of why there is none.
    reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', 'Retry-After');
    const message = `More than ${rule.quota} images in ${rule.windowSeconds} s; try again in ${retryAfter} s`;
    throw new ServiceError('rate_limited', message, { retryAfter });
  });
}
