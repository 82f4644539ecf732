import { once } from 'node:events';
import http from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { Browser } from '../../packages/server/src/account/testing/browser.ts';
import { writeFiles } from '../support/catalogues.ts';
import { prepareData } from '../support/prepared-data.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

/*
 * Floods from strangers with very many addresses. The service trusts a proxy, which forwards each address. People from
 * other networks must not notice a flood. A full disk is tested in disk-full.test.ts.
 */

const CONNECTIONS = 32;
const NEWCOMERS = 60;

const folder = temporaryFolder();
const data = path.join(folder.path, 'data');
const operator = new Browser('', '');
let server: Server;
let gifs: string[];

beforeAll(async () => {
  await prepareData(inject('prepared'), folder.path, writeFiles);
  server = await startServer(data, {
    ZOETROPE_THREADS: '2',
    ZOETROPE_EMBEDDER: 'none',
    ZOETROPE_RATES: 'media=1000',
    ZOETROPE_TRUST_PROXY: '1',
    ZOETROPE_ADMINS: operator.pubkey,
  });
  const { items } = (await (await server.get('/api/v1/search?q=dance')).json()) as { items: { id: string }[] };
  gifs = items.map(({ id }) => id);
});

afterAll(async () => {
  await server.stop();
  folder[Symbol.dispose]();
});

interface Sent {
  method: 'GET' | 'POST';
  path: string;
  address: string;
  headers?: Record<string, string>;
  body?: string;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });

/** Sends a request through the proxy. @returns the status of the response */
async function send({ method, path: target, address, headers = {}, body = '' }: Sent): Promise<number> {
  const all = { ...headers, 'x-forwarded-for': address, 'content-length': Buffer.byteLength(body) };
  const request = http.request(server.url + target, { agent, method, headers: all });
  request.end(body);
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  await once(response.resume(), 'end');
  return response.statusCode!;
}

/** Sends many requests over several connections. @returns the number of responses for each status */
async function flood(count: number, request: (n: number) => Sent): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  let next = 0;
  const connection = async () => {
    for (let n = next++; n < count; n = next++) {
      const status = await send(request(n));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  return statuses;
}

/** An address in the IPv6 /48 network `site`. */
const ipv6 = (site: number, network = 0) =>
  `2001:${(site >> 16).toString(16)}:${(site & 0xffff).toString(16)}:${network.toString(16)}::1`;

const report = (fields: Record<string, string>, address: string): Sent => ({
  ...{ method: 'POST', path: '/report', address, body: new URLSearchParams(fields).toString() },
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
});

const challenge = (address: string): Sent => ({
  ...{ method: 'POST', path: '/dashboard/api/auth/challenge', address, body: '{}' },
  headers: { 'content-type': 'application/json', origin: server.url },
});

/** Expects that people from networks that were not part of a flood can use all functions. */
async function expectNewcomersServed(first: number): Promise<void> {
  const refused: string[] = [];
  for (let n = 0; n < NEWCOMERS; n++) {
    const address = n % 2 === 0 ? `203.0.${first}.${n}` : ipv6(0x7f_0000 + 256 * first + n);
    const wanted: [Sent, number][] = [
      [{ method: 'GET', path: `/?q=newcomer${first}${n}`, address }, 200],
      [
        { method: 'GET', path: '/try/api/v1/search?q=harbour', address, headers: { 'sec-fetch-site': 'same-origin' } },
        200,
      ],
      [{ method: 'GET', path: `/m/${gifs[0]}`, address }, 200],
      [challenge(address), 200],
    ];
    for (const [request, status] of wanted) {
      const answered = await send(request);
      if (answered !== status) refused.push(`${request.path} from ${address}: ${answered}`);
    }
  }
  expect(refused).toEqual([]);
}

test('invalid reports from two networks use up no limits of other people, and valid reports are limited by network', async () => {
  const invalid = await flood(4_000, (n) => report({ gif: 'x', reason: 'illegal' }, ipv6(n % 2, n >> 1)));
  expect([...invalid.keys()]).toEqual([400]);
  const valid = await flood(1_000, (n) => report({ gif: gifs[0]!, reason: 'other', message: `${n}` }, ipv6(2, n)));
  expect(valid.get(303)).toBeLessThan(200);
  expect(valid.get(429)! + valid.get(303)!).toBe(1_000);
  await expectNewcomersServed(1);
});

test('a flood of reports about a GIF leaves room for a report about another GIF, which the operator sees', async () => {
  const flooded = await flood(3_000, (n) =>
    report({ gif: gifs[0]!, reason: 'illegal', message: `${n}` }, ipv6(100 + n)),
  );
  expect([...flooded.keys()]).toEqual([303]);
  expect(await send(report({ gif: gifs[1]!, reason: 'illegal', message: 'honest' }, '203.0.2.250'))).toBe(303);
  const { stdout } = await zoetrope(data, ['reports']);
  expect(stdout).toContain('honest');
  expect(stdout.length).toBeLessThan(20_000);
});

test('a flood from more addresses than the service remembers affects nobody else, and the operator signs in and hides a GIF', async () => {
  const flooded = await flood(30_000, (n) => challenge(ipv6(10_000 + n)));
  expect([...flooded.keys()]).toEqual([200]);
  await expectNewcomersServed(3);
  const { secretKey, pubkey } = operator;
  const browser = Object.assign(new Browser(server.url, server.url), { secretKey, pubkey });
  expect((await browser.signIn()).body).toMatchObject({ isOperator: true });
  expect((await browser.ask(`POST /review/gifs/${gifs[1]}/moves`, { action: 'hide' })).status).toBe(200);
});

test('a flood of searches on the page from very many networks affects no newcomer', async () => {
  // Every second request is from a new network. All other requests are from four networks, which exceed their limits on
  // any machine.
  const flooded = await flood(12_000, (n) => ({
    method: 'GET',
    path: `/?q=flood${n}`,
    address: ipv6(50_000 + (n % 2 === 0 ? n : n % 8)),
  }));
  expect([...flooded.keys()].toSorted()).toEqual([200, 429]);
  await expectNewcomersServed(4);
});
