import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OperationName } from '../base/metrics.ts';
import { isNotModified } from './conditional.ts';
import { chooseEncoding, compress, type Encoding } from './encodings.ts';

/** An answer as it goes over the wire, in one encoding. */
interface Representation {
  body: Buffer;
  etag: string;
  /** Names and values in turn: written out of an object, they take Node half as long again. */
  headers: readonly string[];
}

/** A finished answer. */
export interface Answer extends Representation {
  operation: OperationName;
  /** The path of that, with a name for each parameter. */
  route: string;
  status: number;
  /** Headers beside those that follow from the bytes. */
  told: readonly string[];
  /** Compressed, from the second time on that somebody wants it so; undefined while that is being made. */
  compressed: Partial<Record<Encoding, Representation | undefined>>;
}

/** Bytes that fit one packet are not worth compressing. */
const SMALL = 1_400;

/** @param headers beside those that follow from the bytes: who may keep it, and how long */
export function toAnswer(
  from: Pick<Answer, 'operation' | 'route' | 'status'>,
  response: object,
  headers: Record<string, string>,
): Answer {
  const body = Buffer.from(JSON.stringify(response));
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const told = Object.entries(headers).flat();
  return { ...from, told, compressed: {}, ...represent(body, etag, told) };
}

function represent(body: Buffer, etag: string, told: readonly string[]): Representation {
  const own = ['content-type', 'application/json; charset=utf-8', 'content-length', String(body.length), 'etag', etag];
  return { body, etag, headers: [...told, ...own] };
}

/**
 * Straight to the socket: what the framework does for each header costs more than sending the bytes.
 * @param budget headers that say what is left of the caller's budget; names and values in turn
 * @returns length of the body that was sent
 */
export function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  budget: readonly string[],
): number {
  const chosen = representationFor(request, answer);
  const known = answer.status === 200 ? knownOf(request.headers['if-none-match'], chosen, answer) : undefined;
  if (known !== undefined) {
    response.writeHead(304, [...answer.told, 'etag', known, ...budget]).end();
    return 0;
  }
  // In one piece: a header set before would make Node take each of them by itself.
  response.writeHead(answer.status, [...chosen.headers, ...budget]).end(chosen.body);
  return chosen.body.length;
}

/** The tag of what the caller has already: who has it uncompressed, from when it was new, need not get it again. */
function knownOf(ifNoneMatch: string | undefined, chosen: Representation, plain: Answer): string | undefined {
  if (ifNoneMatch === undefined) return undefined;
  return [chosen.etag, plain.etag].find((etag) => isNotModified(ifNoneMatch, etag));
}

function representationFor(request: IncomingMessage, answer: Answer): Representation {
  const encoding = answer.body.length < SMALL ? undefined : chooseEncoding(request.headers['accept-encoding']);
  return (encoding && answer.compressed[encoding]) ?? answer;
}

/** Has an answer compressed for the next who wants it as this caller does. @returns when it is; undefined: nothing to do */
export function prepareCompressed(request: IncomingMessage, answer: Answer): Promise<void> | undefined {
  const { body, etag, told, compressed } = answer;
  const encoding = body.length < SMALL ? undefined : chooseEncoding(request.headers['accept-encoding']);
  if (encoding === undefined || encoding in compressed) return undefined;
  compressed[encoding] = undefined;
  return compress(encoding, body).then(
    (smaller) => {
      const own = `${etag.slice(0, -1)}-${encoding}"`;
      compressed[encoding] = represent(smaller, own, [...told, 'content-encoding', encoding]);
    },
    () => {}, // It goes out as it is.
  );
}
