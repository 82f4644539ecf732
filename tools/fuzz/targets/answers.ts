import type { ServerResponse } from 'node:http';
import { deflateSync, gzipSync } from 'node:zlib';
import { changeText } from '../change-text.ts';
import { few, pick, type Random, upTo } from '../draw.ts';

/** A response from the server of a stranger. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Number of bytes of the body after which the server closes the connection. */
  readonly cutAfter?: number;
  /** Bytes that the server sends instead of a response. */
  readonly raw?: Uint8Array;
}

const STATUSES = [...Array<number>(12).fill(200), 201, 204, 206, 301, 304, 400, 402, 404, 418, 429, 500, 503, 599, 999];
/** Size of a body that, after decompression, is far larger than every limit. */
const LARGE = 300_000;
const LINE = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}';

/** Draws a response with a document. In some responses, not only the document is damaged. */
export function drawAnswer(random: Random, document: string): Answer {
  const answer: Answer = { status: 200, headers: { 'content-type': 'application/json' }, body: bytesOf(document) };
  if (random() < 0.7) return answer;
  const { headers, body } = answer;
  return pick<() => Answer>(random, [
    () => ({ ...answer, status: pick(random, STATUSES) }),
    () => ({ ...answer, cutAfter: upTo(random, body.length) }),
    () => ({ ...answer, body: gzipSync(body), headers: { ...headers, 'content-encoding': 'gzip' } }),
    () => ({
      ...answer,
      body: deflateSync(Buffer.alloc(LARGE)),
      headers: { ...headers, 'content-encoding': 'deflate' },
    }),
    () => ({ ...answer, headers: { ...headers, 'content-encoding': pick(random, ['gzip', 'br', 'zstd', 'x']) } }),
    () => ({
      ...answer,
      headers: { ...headers, location: 'https://other.example/', 'x-long': 'a'.repeat(few(random, 20_000)) },
    }),
    () => ({ ...answer, body: Buffer.concat([body, Buffer.alloc(few(random, LARGE), 0x20)]) }),
    () => ({ ...answer, body: Buffer.concat([bytesOf(pick(random, ['\ufeff', '\0', '\xff'])), body]) }),
    () => ({ ...answer, raw: Buffer.from(changeText(random, LINE), 'latin1') }),
  ])();
}

export function sendAnswer(response: ServerResponse, { status, headers, body, cutAfter, raw }: Answer): void {
  if (raw !== undefined) return void response.socket?.end(raw);
  if (cutAfter === undefined) return void response.writeHead(status, headers).end(body);
  response.writeHead(status, { ...headers, 'content-length': body.length }).flushHeaders();
  response.write(body.subarray(0, cutAfter));
  response.socket?.end();
}

function bytesOf(text: string): Uint8Array {
  return Buffer.from(text);
}
