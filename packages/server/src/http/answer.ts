import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isNotModified } from './conditional.ts';
import { chooseEncoding, compress, type Encoding } from './encodings.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Headers that say what is left of the caller's budget, in whatever is answered. */
    budget: Record<string, string> | null;
  }
}

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

/** @param told headers beside those that follow from the bytes: who may keep it, and how long */
export function toAnswer(status: number, response: object, told: Record<string, string>): Answer {
  const body = Buffer.from(JSON.stringify(response));
  const headers = {
    ...told,
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
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
    request.sentBytes = 0;
    reply.raw.writeHead(304, { ...kept, ...request.budget }).end();
  } else {
    request.sentBytes = chosen.body.length;
    // In one piece: a header set before would make Node take each of them by itself.
    reply.raw.writeHead(answer.status, { ...chosen.headers, ...request.budget }).end(chosen.body);
  }
  return reply;
}

function representationFor(request: FastifyRequest, answer: Answer): Representation {
  const encoding = answer.body.length < SMALL ? undefined : chooseEncoding(request.headers['accept-encoding']);
  return (encoding && answer.compressed[encoding]) ?? answer;
}

/** Has an answer compressed for the next who wants it as this caller does. @returns when it is; undefined: nothing to do */
export function prepareCompressed(request: FastifyRequest, answer: Answer): Promise<void> | undefined {
  const { body, headers, compressed } = answer;
  const encoding = body.length < SMALL ? undefined : chooseEncoding(request.headers['accept-encoding']);
  if (encoding === undefined || encoding in compressed) return undefined;
  compressed[encoding] = undefined;
  return compress(encoding, body).then(
    (smaller) => {
      const etag = `${headers.etag.slice(0, -1)}-${encoding}"`;
      const own = { 'content-encoding': encoding, 'content-length': smaller.length, etag };
      compressed[encoding] = { body: smaller, headers: { ...headers, ...own } };
    },
    () => {}, // It goes out as it is.
  );
}
