import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isNotModified } from './conditional.ts';
import { EXPOSED_HEADERS } from './cors.ts';
import { chooseEncoding, compress, type Encoding } from './encodings.ts';

/** An answer as it goes over the wire, in one encoding. */
interface Representation {
  body: Buffer;
  headers: Record<string, string | number> & { etag: string };
}

/** A finished answer. */
export interface Answer extends Representation {
  status: number;
  /** Compressed, from the second time on that somebody wants it so; undefined while that is being made. */
  compressed: Partial<Record<Encoding, Representation | undefined>>;
}

/** Bytes that fit one packet are not worth compressing. */
const SMALL = 1_400;

/** @param maxAge seconds that the caller may keep it */
export function toAnswer(status: number, response: object, maxAge: number): Answer {
  const body = Buffer.from(JSON.stringify(response));
  const headers = {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': EXPOSED_HEADERS,
    'cache-control': `private, max-age=${maxAge}`,
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    vary: 'Accept-Encoding, Origin, Authorization, User-Agent',
  };
  return { status, body, headers, compressed: {} };
}

/** Straight to the socket: what the framework does for each header costs more than sending the bytes. */
export function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  const chosen = representationFor(request, answer);
  // Who has it uncompressed, from when it was new, need not get it again.
  const known = [chosen, answer].find(({ headers }) => isNotModified(request.headers['if-none-match'], headers.etag));
  reply.hijack();
  if (answer.status === 200 && known !== undefined) {
    const { 'content-length': _, 'content-type': __, ...kept } = known.headers;
    reply.raw.writeHead(304, kept).end();
  } else {
    reply.raw.writeHead(answer.status, chosen.headers).end(chosen.body);
  }
  return reply;
}

function representationFor(request: FastifyRequest, answer: Answer): Representation {
  const encoding = answer.body.length < SMALL ? undefined : chooseEncoding(request.headers['accept-encoding']);
  return (encoding && answer.compressed[encoding]) ?? answer;
}

/** Has a kept answer compressed for the next who wants it as this caller does: most answers are wanted once. */
export function prepareCompressed(request: FastifyRequest, answer: Answer): void {
  const { body, headers, compressed } = answer;
  const encoding = body.length < SMALL ? undefined : chooseEncoding(request.headers['accept-encoding']);
  if (encoding === undefined || encoding in compressed) return;
  compressed[encoding] = undefined;
  compress(encoding, body).then(
    (smaller) => {
      const etag = `${headers.etag.slice(0, -1)}-${encoding}"`;
      const own = { 'content-encoding': encoding, 'content-length': smaller.length, etag };
      compressed[encoding] = { body: smaller, headers: { ...headers, ...own } };
    },
    () => {}, // It goes out as it is.
  );
}
