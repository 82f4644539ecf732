import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import type { SearchResponse } from '@zoetrope/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeKey } from '../../packages/server/src/identifiers/api-key.ts';
import { seeded } from '../../packages/starter/src/random.ts';
import { smallGif, writeManifest } from '../support/catalogue.ts';
import { type RawAnswer, sendRaw } from '../support/faults/raw-http.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';
import { type Attempt, complaint, drawLast, drawOdd, drawUnreadable } from './odd-requests.ts';

const REQUESTS = 5_000;
/**
 * Number of requests sent together on one connection. Bytes that are not HTTP are sent on a separate connection,
 * because they end the connection.
 */
const PIPELINE = 19;
const STRANGERS = 10_000;
const CONNECTIONS = 8;

const folder = temporaryFolder();
const data = `${folder.path}/data`;
let server: Server;
const known = { key: '', image: '' };
const logged: string[] = [];

beforeAll(async () => {
  fs.writeFileSync(`${folder.path}/mouse.gif`, smallGif(1));
  const rows = writeManifest(`${folder.path}/rows.jsonl`, [
    { id: 'cat.gif', title: 'happy cat' },
    { title: 'sad dog' },
  ]);
  const added = await zoetrope(data, ['add', '--quiet', rows, `${folder.path}/mouse.gif`], {
    ZOETROPE_EMBEDDER: 'none',
  });
  expect(added.code, added.stderr).toBe(0);
  const { id } = JSON.parse((await zoetrope(data, ['client', 'add', 'Known', '--json'])).stdout) as { id: string };
  known.key = (JSON.parse((await zoetrope(data, ['key', 'create', id, '--json'])).stdout) as { key: string }).key;
  server = await startServer(data, {
    ZOETROPE_THREADS: '1',
    ZOETROPE_EMBEDDER: 'none',
    ZOETROPE_REQUEST_LOG: 'queries',
  });
  const mouse = (await (await server.get('/api/v1/search?q=mouse')).json()) as SearchResponse;
  known.image = new URL(mouse.items[0]!.url).pathname;
  server.process.stderr!.on('data', (chunk) => logged.push(String(chunk)));
});

afterAll(async () => {
  await server?.stop();
  folder[Symbol.dispose]();
});

/** Runs rounds of work on several connections at the same time. */
async function inRounds(rounds: number, act: (round: number) => Promise<void>): Promise<void> {
  const own = Array.from({ length: rounds }, (_, n) => n);
  const connection = async () => {
    for (let round = own.shift(); round !== undefined; round = own.shift()) await act(round);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
}

test(`${REQUESTS} odd requests get documented answers`, async () => {
  const failures: string[] = [];
  const statuses = new Map<number, number>();
  const check = (attempt: Attempt, answer: RawAnswer) => {
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    const found = complaint(attempt, answer);
    if (found) failures.push(found);
  };
  await inRounds(REQUESTS / (PIPELINE + 1), async (round) => {
    const random = seeded(`odd ${round}`);
    const attempts = Array.from({ length: PIPELINE - 1 }, () => drawOdd(random, known));
    attempts.push(drawLast(random, known));
    const answers = await sendRaw(server.url, attempts);
    if (answers.length !== PIPELINE) failures.push(`${answers.length} answers in round ${round}`);
    for (const [n, answer] of answers.entries()) check(attempts[n]!, answer);
    const unreadable = drawUnreadable(random, known);
    for (const answer of await sendRaw(server.url, [unreadable])) check(unreadable, answer);
  });
  expect(failures.slice(0, 10)).toEqual([]);
  // Responses of every kind have occurred.
  for (const status of [200, 204, 206, 304, 400, 403, 404, 405, 414, 416, 431, 503]) {
    expect(statuses.get(status) ?? 0, `${status}`).toBeGreaterThan(0);
  }
  expect((await server.get('/api/v1/search?q=cat')).status).toBe(200);
});

test(`${STRANGERS} unknown callers are rejected while known callers are served`, async () => {
  const asStranger = (n: number) =>
    n % 2 === 0 ? `origin: https://stranger-${n}.example` : `authorization: Bearer ${makeKey()}`;
  const attempt = (header: string, last = false): Attempt => ({
    head: `GET /api/v1/search?q=cat HTTP/1.1\r\nhost: localhost\r\n${header}${last ? '\r\nconnection: close' : ''}\r\n\r\n`,
  });
  const each = 250;
  let answered = 0;
  const wrong: number[] = [];
  await inRounds(STRANGERS / each, async (round) => {
    const strangers = Array.from({ length: each }, (_, n) => attempt(asStranger(round * each + n)));
    const friend = round % 2 === 0 ? 'origin: http://localhost' : `authorization: Bearer ${known.key}`;
    const answers = await sendRaw(server.url, [attempt(friend), ...strangers, attempt(friend, true)]);
    const [first, last] = [answers.shift(), answers.pop()];
    answered += [first, last].filter((answer) => answer?.status === 200).length;
    wrong.push(...answers.map(({ status }) => status).filter((status) => status !== 403));
    if (answers.length !== each) wrong.push(answers.length);
  });
  expect(wrong).toEqual([]);
  expect(answered).toBe((2 * STRANGERS) / each);
});

test('the log has only lines of JSON and no failures, and a silent connection does not delay the shutdown', async () => {
  const silent = net.connect(Number(new URL(server.url).port), '127.0.0.1');
  silent.on('error', () => {}); // The service closes the connection.
  await once(silent, 'connect');
  const closed = once(server.process, 'close');
  await server.stop();
  await closed;
  const lines = logged.join('').trimEnd().split('\n');
  // Odd requests have forwarding headers, and no proxy is trusted. The service logs this fact once.
  const others = lines.filter((line) => !line.includes('X-Forwarded-For'));
  expect(lines.length - others.length).toBeLessThanOrEqual(1);
  const levels = others.map((line) => (JSON.parse(line) as { level: number }).level);
  // Lines that are not read in time can be lost, but only a few.
  expect(levels.length).toBeGreaterThan(REQUESTS);
  expect(Math.max(...new Set(levels))).toBe(30);
});
