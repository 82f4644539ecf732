import { ACCOUNT_BASE } from '@zoetrope/contract/account';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { chooseEncoding, compress, SMALL } from '../answer.ts';

const TEXT = /^(?:text\/|image\/svg|application\/(?:json|javascript|wasm))/;

/**
 * Compresses pages, scripts and stylesheets. Responses of the dashboard's API are not compressed. They can contain both
 * a key and a text from the caller, so their compressed length could reveal the key.
 */
export function registerCompression(app: FastifyInstance): void {
  // With a promise, each response would wait for a turn of the event loop.
  app.addHook('onSend', (request, reply, payload, done) => {
    const body = typeof payload === 'string' ? Buffer.from(payload) : payload;
    if (!Buffer.isBuffer(body) || body.length < SMALL || !isCompressible(request, reply)) return done(null, payload);
    reply.header('vary', [reply.getHeader('vary'), 'Accept-Encoding'].filter(Boolean).join(', '));
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    if (encoding === undefined) return done(null, payload);
    reply.header('content-encoding', encoding).removeHeader('content-length');
    compress(encoding, body).then((smaller) => done(null, smaller), done);
  });
}

function isCompressible({ method, url }: FastifyRequest, reply: FastifyReply): boolean {
  if (method !== 'GET' || reply.statusCode !== 200 || reply.hasHeader('content-encoding')) return false;
  return TEXT.test(String(reply.getHeader('content-type'))) && !url.startsWith(`${ACCOUNT_BASE}/`);
}
