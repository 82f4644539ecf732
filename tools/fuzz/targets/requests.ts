import { complaint, drawLast, drawOdd } from '../../../test/faults/odd-requests.ts';
import { type RawAnswer, type RawRequest, sendRaw } from '../../../test/support/faults/raw-http.ts';
import { changeText, ODD_TEXTS } from '../change-text.ts';
import { changeOften, few, pick, type Random, upTo } from '../draw.ts';
import type { ServiceFacts } from '../service.ts';
import { type Checker, Fault, Late, type Setup } from '../target.ts';

/**
 * If a request has at least this number of bytes, the service can close the connection before it has read the whole
 * request, and the response can be lost.
 */
const LONG = 14_000;
const DEVELOPER = 'origin: http://localhost:5173';
const TEXTS = [
  'happy dance',
  'cat',
  'danc',
  'birtday',
  '"high five"',
  'שלום 123',
  '猫が踊る',
  'كلب',
  'café ☕',
  '😀',
  'gm',
];
const NUMBERS = ['1', '2', '3', '5', '8', '13', '20', '', 'null', '0', '201', '-1', '1e3', '9007199254740993'];

/** Requests that are sent together on one connection. The last request closes the connection. */
type Requests = readonly RawRequest[];

export async function openQueries({ service }: Setup): Promise<Checker<Requests>> {
  return openRequests(service!, (random, facts) => [{ head: headOf(drawTarget(random, facts), [DEVELOPER]) }]);
}

export async function openHeaders({ service }: Setup): Promise<Checker<Requests>> {
  return openRequests(service!, (random, facts) => {
    if (random() < 0.2) return [drawOdd(random, facts), drawLast(random, facts)];
    return [{ head: drawHead(random, facts) }];
  });
}

export async function openReports({ service }: Setup): Promise<Checker<Requests>> {
  return openRequests(service!, (random, facts) => [drawReport(random, facts)]);
}

function openRequests(facts: ServiceFacts, draw: (random: Random, facts: ServiceFacts) => Requests): Checker<Requests> {
  return {
    draw: (random) => draw(random, facts),
    async check(requests) {
      const answers = await answersTo(facts.url, requests);
      if (answers === undefined) return 'closed';
      // An empty line in a header starts another request.
      return answers.map((answer, n) => outcomeOf(requests[n] ?? requests.at(-1)!, answer)).at(-1)!;
    },
  };
}

/** @returns the responses, or undefined if the service closed the connection because a request was too long */
async function answersTo(url: string, requests: Requests): Promise<RawAnswer[] | undefined> {
  try {
    const answers = await sendRaw(url, requests);
    if (answers.length >= requests.length) return answers;
  } catch (error) {
    if (!isLong(requests)) throw error;
  }
  if (isLong(requests)) return undefined;
  // A response can be missing because the machine is busy. A second attempt shows whether this was the reason.
  throw new Late();
}

function isLong(requests: Requests): boolean {
  return requests.reduce((sum, { head, body = '' }) => sum + head.length + body.length, 0) > LONG;
}

function outcomeOf(request: RawRequest, answer: RawAnswer): string {
  const { status, headers, body } = answer;
  const isPage = headers['content-type']?.startsWith('text/html') ?? false;
  const wrong = status < 400 || (isPage && status !== 500) ? undefined : complaint(request, answer);
  if (wrong !== undefined) throw new Fault(wrong.replaceAll('\r\n', ' '));
  // A 503 has its reason in a code, or on a page.
  if (status !== 503 || request.head.startsWith('HEAD ')) return String(status);
  return `503 ${isPage ? 'page' : (JSON.parse(body) as { error: { code: string } }).error.code}`;
}

function headOf(target: string, headers: readonly string[], method = 'GET'): string {
  return `${[`${method} ${target} HTTP/1.1`, 'host: localhost', 'connection: close', ...headers].join('\r\n')}\r\n\r\n`;
}

function encode(random: Random, text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed());
  return random() < 0.2 ? encoded.replaceAll('%20', '+') : encoded;
}

/** Draws the target of a request to one of the three operations. */
function drawTarget(random: Random, { ids }: ServiceFacts): string {
  const fields: readonly [string, string][] = [
    ['q', pick(random, TEXTS)],
    ['limit', pick(random, NUMBERS)],
    ['offset', pick(random, NUMBERS)],
    ['mode', pick(random, ['auto', 'text', 'semantic'])],
    ['safe', pick(random, ['1', '1', '0'])],
    ['explain', pick(random, ['0', '1'])],
  ];
  const some = fields.filter(([name]) => name === 'q' || random() < 0.3);
  const changed = changeOften(random, some, changeFields);
  const query = changed.map(([name, value]) => `${encode(random, name)}=${encode(random, value)}`).join('&');
  const id = random() < 0.7 ? pick(random, ids) : changeText(random, pick(random, ids));
  const path = pick(random, ['search', 'search', 'suggest', `gifs/${encode(random, id)}/similar`]);
  const target = `/api/v1/${path}?${query}`;
  return random() < 0.85 ? target : changeText(random, target);
}

function changeFields(random: Random, fields: readonly [string, string][]): readonly [string, string][] {
  const at = upTo(random, fields.length - 1);
  const [name, value] = fields[at] ?? ['q', 'cat'];
  return pick<() => readonly [string, string][]>(random, [
    () => fields.toSpliced(at, 1, [name, changeText(random, value)]),
    () => fields.toSpliced(at, 1, [name, changeText(random, value)]),
    () => fields.toSpliced(at, 1, [name, `${value} ${pick(random, TEXTS)}`]),
    () => fields.toSpliced(at, 1, [changeText(random, name), value]),
    () => [...fields, ...Array<[string, string]>(few(random, 120)).fill([name, value])],
    () => [...fields, [pick(random, ODD_TEXTS), value]],
    () => fields,
  ])();
}

/** Draws the head of a correct request in which headers that identify the caller are changed. */
function drawHead(random: Random, { key, origin, userAgent, image }: ServiceFacts): string {
  const headers: readonly string[] = [
    `Origin: ${pick(random, [origin, 'http://localhost:5173', 'https://sub.registered.example:8443', 'null'])}`,
    `Authorization: Bearer ${key}`,
    `User-Agent: ${pick(random, [userAgent, 'Mozilla/5.0 (X11; Linux x86_64)'])}`,
    `X-Forwarded-For: ${pick(random, ADDRESSES)}`,
    `Host: ${pick(random, ['localhost', '127.0.0.1:8080', '[::1]:80', 'gifs.example'])}`,
    `Accept-Encoding: ${pick(random, ['br', 'gzip, br;q=0.5', '*'])}`,
    `Sec-Fetch-Site: ${pick(random, ['same-origin', 'cross-site'])}`,
  ];
  const some = headers.filter((header) => header.startsWith('Host') || random() < 0.5);
  const target = pick(random, [
    '/api/v1/search?q=cat',
    '/api/v1/suggest?q=ca',
    '/try/api/v1/search?q=cat',
    '/dashboard/api/site',
    '/report',
    '/',
    image,
  ]);
  const method = pick(random, ['GET', 'GET', 'GET', 'OPTIONS']);
  const lines = [`${method} ${target} HTTP/1.1`, ...changeOften(random, some, changeHeaders), 'Connection: close'];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

const ADDRESSES = [
  '203.0.113.7',
  '203.0.113.7, 10.0.0.1',
  '2001:db8::1',
  '::ffff:203.0.113.7',
  'fe80::1%eth0',
  '[2001:db8::1]:443',
  '203.0.113.7:80',
  '0x7f.1',
  '999.1.1.1',
  'unknown',
];

function changeHeaders(random: Random, headers: readonly string[]): readonly string[] {
  const at = upTo(random, headers.length - 1);
  const [name = '', value = ''] = (headers[at] ?? 'Host: localhost').split(': ');
  return pick<() => readonly string[]>(random, [
    () => headers.toSpliced(at, 1, `${name}: ${changeText(random, value)}`),
    () => headers.toSpliced(at, 1, `${name}: ${changeText(random, value)}`),
    () => headers.toSpliced(at, 1, `${name}: ${value}, ${changeText(random, value)}`),
    () => headers.toSpliced(at, 1, `${name}${pick(random, [':', ' : ', ':\t', ''])}${value}`),
    () => headers.toSpliced(at, 1, `${name}: ${value}\r\n ${value}`),
    () => [...headers, ...Array<string>(few(random, 60)).fill(`${name}: ${value}`)],
    () => [...headers, `${name.toUpperCase()}: ${changeText(random, value)}`],
    () => headers.toSpliced(at, 1),
  ])();
}

/** Draws a report from a new address, because the number of reports from one address is limited. */
function drawReport(random: Random, { ids }: ServiceFacts): RawRequest {
  const id = pick(random, ids);
  const fields: readonly [string, string][] = [
    ['gif', pick(random, [id, `http://localhost/m/${id}`, `https://gifs.example/p/r1/w240/${id}?a=1#b`])],
    ['reason', pick(random, ['illegal', 'adult', 'copyright', 'other'])],
    ['message', 'It is mine.\r\nPlease remove it.'],
    ['contact', 'me@example.com'],
  ];
  const some = random() < 0.2 ? fields : changeOften(random, fields, changeFields);
  const form = new URLSearchParams(some.map(([name, value]) => [name, value])).toString();
  const body = Buffer.from(random() < 0.85 ? form : changeText(random, form)).toString('latin1');
  const address = Array.from({ length: 4 }, () => upTo(random, 255)).join('.');
  const formType = 'application/x-www-form-urlencoded';
  const type = random() < 0.9 ? formType : changeText(random, formType).replace(/[^\x20-\x7e]/g, '');
  const headers = [`content-type: ${type}`, `content-length: ${body.length}`, `x-forwarded-for: ${address}`];
  return { head: headOf('/report', headers, 'POST'), body };
}
