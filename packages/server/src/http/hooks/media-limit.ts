import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../base/errors.ts';
import type { Verdict } from '../../limits/index.ts';
import { addressOf } from '../address.ts';
import type { HttpContext } from '../context.ts';

type Limited = Pick<HttpContext, 'mediaLimits' | 'trustedProxies'>;

/** Applies the media rate limit per IP address, if configured. The address is not stored. */
export function registerMediaLimit(app: FastifyInstance, { mediaLimits, trustedProxies }: Limited): void {
  const { requests } = mediaLimits;
  if (requests === undefined) return;
  app.addHook('onRequest', async (request, reply) => {
    holdTo(await requests(addressOf(request.raw, trustedProxies)), reply, 'images');
  });
}

/** Charges the bytes that are about to be sent, if bytes are limited. @throws ServiceError `rate_limited` */
export async function spendBytes(
  { mediaLimits, trustedProxies }: Limited,
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: number,
): Promise<void> {
  if (mediaLimits.bytes === undefined || bytes === 0) return;
  holdTo(await mediaLimits.bytes(addressOf(request.raw, trustedProxies), bytes), reply, 'bytes of images');
}

function holdTo({ rule, allowed, retryAfterSeconds: retryAfter }: Verdict, reply: FastifyReply, what: string): void {
  if (allowed) return;
  // Any page can show images, so any page is also allowed to read why an image is missing.
  reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', 'Retry-After');
  const message = `More than ${rule.quota} ${what} in ${rule.windowSeconds} s; try again in ${retryAfter} s`;
  throw new ServiceError('rate_limited', message, { retryAfter });
}
