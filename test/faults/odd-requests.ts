import { ERRORS, type ErrorCode } from '@zoetrope/contract';
import { pick, type Random, upTo } from '../../tools/fuzz/draw.ts';
import type { RawAnswer, RawRequest } from '../support/faults/raw-http.ts';

export type Attempt = RawRequest;

/** A valid API key, and the path of an image that exists. */
export interface Known {
  key: string;
  image: string;
}

function repeat(random: Random, most: number, draw: () => string): string {
  return Array.from({ length: upTo(random, most) }, draw).join('');
}

const METHODS = [
  ...Array<string>(12).fill('GET'),
  'HEAD',
  'OPTIONS',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'TRACE',
  'PROPFIND',
];
const TERMS = [
  'cat',
  'happy',
  'dog',
  'mouse',
  '%F0%9F%98%80',
  '%E7%8C%AB',
  '+',
  '%20',
  '%00',
  '%25',
  '%',
  '%zz',
  '%C3',
  '%ED%A0%80',
];
const PUNCTUATION = [
  '"',
  "'",
  '*',
  '(',
  ')',
  ':',
  '-',
  '^',
  '~',
  '|',
  ';',
  ',',
  '\\',
  '{',
  '}',
  '[',
  ']',
  '<',
  '>',
  '$',
  '`',
];
const NAMES = [
  'q',
  'q',
  'q',
  'limit',
  'offset',
  'mode',
  'safe',
  'explain',
  '__proto__',
  'constructor',
  'Q',
  '%71',
  '',
  'q[]',
];
const NUMBERS = ['0', '1', '24', '200', '201', '-1', '1e9', '0x10', '9007199254740993', 'NaN', '', '1.5', '+7', 'null'];
const IDS = [
  'cat.gif',
  'gif-0.gif',
  'unknown.gif',
  '.',
  '..',
  '%2e%2e',
  '__proto__',
  '%2F',
  'a'.repeat(200),
  'a'.repeat(290),
  'a'.repeat(310),
  '%C3%A9',
];
const SIZES = ['w240', 'w480', 'small', 'medium', 'w1', 'constructor', '..'];

/** Returns a text of terms, punctuation and escaped bytes of any value. */
function drawText(random: Random): string {
  const byte = () => `%${upTo(random, 255).toString(16).padStart(2, '0')}`;
  return repeat(random, 6, () => pick(random, [pick(random, TERMS), pick(random, PUNCTUATION), byte()]));
}

function drawQuery(random: Random): string {
  const value = () =>
    pick(random, [drawText(random), pick(random, NUMBERS), pick(random, ['auto', 'text', 'semantic'])]);
  const pair = () => `${pick(random, NAMES)}${pick(random, ['=', '=', '=', ''])}${value()}&`;
  const many = () => 'q=cat&'.repeat(upTo(random, 200));
  const long = () => `q=${'x'.repeat(upTo(random, 2_000))}`;
  return pick(random, [() => repeat(random, 5, pair), () => `q=${drawText(random)}`, many, long])();
}

function drawPath(random: Random, known: Known): string {
  const query = drawQuery(random);
  return pick(random, [
    `/api/v1/search?${query}`,
    `/api/v1/search?q=cat&mode=${pick(random, ['auto', 'text', 'semantic'])}`,
    `/api/v1/suggest?${query}`,
    `/api/v1/gifs/${pick(random, IDS)}/similar?${query}`,
    `/p/r${upTo(random, 3)}/${pick(random, SIZES)}/${pick(random, IDS)}`,
    `/m/${pick(random, IDS)}`,
    known.image,
    `/?${query}`,
    `/g/${pick(random, IDS)}?${query}`,
    `/oembed?url=http://127.0.0.1/g/${pick(random, IDS)}&${query}`,
    `/language?to=${pick(random, ['de', 'x', ''])}&at=${drawText(random)}`,
    `/${drawText(random)}`,
    pick(random, [
      '/healthz',
      '/readyz',
      '/home.js',
      '/api/v1/openapi.json',
      '*',
      '//',
      '/./../x',
      'http://other.example/healthz',
    ]),
  ]);
}

const ORIGINS = [
  'http://localhost',
  'null',
  '',
  'https://a.example',
  'https://a.example, https://b.example',
  'x'.repeat(5_000),
  '\xff',
];
const AGENTS = ['', 'Mozilla/5.0', '*', 'A'.repeat(600), '\x80\xfe', '(((((((((('];
const ENCODINGS = ['br', 'gzip;q=0', '*', 'br;q=x, gzip', ',;=,', 'identity;q=0'];
const TAGS = ['*', '""', 'W/"x"', '"', ',,,', '"a", '.repeat(200)];
const RANGES = [
  'bytes=0-0',
  'bytes=-1',
  'bytes=999999999-',
  'bytes=5-1',
  'bytes=0-0,2-3',
  'lines=1-2',
  'bytes=-',
  `bytes=${'9'.repeat(30)}-`,
];

function drawHeaders(random: Random, known: Known): string[] {
  const who = pick(random, [
    'origin: http://localhost',
    'origin: http://localhost',
    `authorization: Bearer ${known.key}`,
    `authorization: ${pick(random, ['Bearer', 'Basic YTpi', `Bearer ${known.key}x`, `bearer  ${known.key}`, ''])}`,
    `origin: ${pick(random, ORIGINS)}`,
    `user-agent: ${pick(random, AGENTS)}`,
  ]);
  const others = [
    `accept-encoding: ${pick(random, ENCODINGS)}`,
    `if-none-match: ${pick(random, TAGS)}`,
    `range: ${pick(random, RANGES)}`,
    'expect: a miracle',
    `upgrade: ${pick(random, ['websocket', 'h2c'])}`,
    `x-forwarded-for: ${'1.1.1.1,'.repeat(upTo(random, 50))}`,
    `cookie: ${'a=b;'.repeat(upTo(random, 200))}`,
    'transfer-encoding-x: chunked',
    'origin: http://localhost',
  ].filter(() => random() < 0.15);
  return [...(random() < 0.95 ? ['host: localhost'] : []), who, ...others];
}

/** Returns a request that makes no sense, but is valid HTTP. */
export function drawOdd(random: Random, known: Known): Attempt {
  const line = `${pick(random, METHODS)} ${drawPath(random, known)} HTTP/1.1`;
  return { head: `${[line, ...drawHeaders(random, known)].join('\r\n')}\r\n\r\n` };
}

/** Returns the last request on a connection. The request closes the connection, and can have a body. */
export function drawLast(random: Random, known: Known): Attempt {
  const start = drawOdd(random, known).head.slice(0, -'\r\n'.length);
  const body = repeat(random, 50, () => String.fromCharCode(upTo(random, 255)));
  const length = body === '' ? '' : `content-length: ${body.length}\r\n`;
  const expect = random() < 0.3 ? 'expect: 100-continue\r\n' : '';
  return { head: `${start}connection: close\r\n${expect}${length}\r\n`, body };
}

/**
 * Returns a request that is not HTTP, or that is larger than a server accepts. The service can close the connection
 * after its response.
 */
export function drawUnreadable(random: Random, known: Known): Attempt {
  const head = drawOdd(random, known).head.replace(/^HEAD/, 'GET');
  const host = 'host: localhost\r\n';
  return pick<Attempt>(random, [
    { head: `GET /api/v1/search?q=${'x'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n` },
    { head: `GET / HTTP/1.1\r\n${host}${'a: b\r\n'.repeat(3_000)}\r\n` },
    { head: `GET / HTTP/1.1\r\n${host}a b: c\r\n\r\n` },
    { head: `GET / HTTP/1.1\r\n${host}a: b\r\n folded: c\r\n\r\n` },
    { head: `GET / HTTP/1.1\r\n${host}a: b\0c\r\n\r\n` },
    { head: `GET / HTTP/1.1\r\n${host}content-length: 5\r\ncontent-length: 6\r\n\r\n`, body: 'hello' },
    { head: `GET / HTTP/1.1\r\n${host}content-length: -1\r\n\r\n` },
    { head: `POST / HTTP/1.1\r\n${host}transfer-encoding: chunked\r\n\r\n`, body: 'zz\r\n' },
    { head: `POST / HTTP/1.1\r\n${host}transfer-encoding: chunked\r\ncontent-length: 3\r\n\r\n`, body: '0\r\n\r\n' },
    { head: `CONNECT other.example:443 HTTP/1.1\r\n${host}\r\n` },
    { head: `GET /caf\xe9 HTTP/1.1\r\n${host}\r\n` },
    { head: `get / HTTP/1.1\r\n${host}\r\n` },
    { head: `GET / HTTP/9.9\r\n${host}\r\n` },
    { head: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' },
    { head: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03' },
    { head: `?${repeat(random, 50, () => String.fromCharCode(upTo(random, 255)))}\r\n\r\n` },
    { head: `${head.slice(0, upTo(random, head.length))}\n\0\r\n\r\n` },
  ]);
}

/** Successful responses. `RANGE` is not in the table of errors, because it has the same code as a wrong parameter. */
const FINE = [200, 204, 206, 301, 302, 303, 304];
const RANGE = 416;

/** Returns a description of what is wrong with a response, or undefined if nothing is wrong. */
export function complaint({ head }: Attempt, { status, headers, body }: RawAnswer): string | undefined {
  if (FINE.includes(status)) return undefined;
  const says = (what: string) => `${what}: ${status} to ${head.slice(0, 300)}`;
  if (head.startsWith('HEAD ')) return status === 500 ? says('a failure') : undefined;
  if (!headers['content-type']?.startsWith('application/json')) return says('no Error body');
  const { code, message } = (JSON.parse(body) as { error: { code: ErrorCode; message: string } }).error;
  if (status !== (ERRORS[code]?.status ?? 0) && status !== RANGE) return says(`an undocumented code ${code}`);
  if (message === '') return says('no message');
  return code === 'internal' ? says('a failure') : undefined;
}
