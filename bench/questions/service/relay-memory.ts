// Does the relay's memory grow with held subscriptions and with hostile connections, compared with plain searches?
// quick: --requests 500
//
// The service has small heaps, so that garbage is collected often and resident memory shows what is retained. There are
// three kinds of load with the same number of requests: plain searches over HTTP as the baseline, then searches of the
// relay while another connection holds 200 subscriptions, then hostile connections. Each load has five parts. The
// figures that count are the memory after the last part, as a ratio to that of the baseline, and the growth during the
// last three parts.

import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { WebSocket } from 'ws';
import { writeGifs } from '../../../test/support/catalogue.ts';
import { startServer, temporaryFolder, zoetrope } from '../../../test/support/server.ts';

const { values } = parseArgs({ options: { requests: { type: 'string', default: '20000' } } });
const CONNECTIONS = 8;
const FIFTHS = 5;
/** Requests of a connection. The relay accepts 200 messages in ten seconds. */
const PER_CONNECTION = 50;
const HELD = 200;
const GIFS = 20;
const rounds = Math.ceil(Number(values.requests) / PER_CONNECTION / FIFTHS) * FIFTHS;

using folder = temporaryFolder();
const data = path.join(folder.path, 'data');
writeGifs(path.join(folder.path, 'gifs'), GIFS);
await zoetrope(data, ['add', '--quiet', path.join(folder.path, 'gifs')], { ZOETROPE_EMBEDDER: 'none' });
await using server = await startServer(data, {
  NODE_OPTIONS: '--max-old-space-size=64 --max-semi-space-size=4',
  ZOETROPE_THREADS: '1',
  ZOETROPE_EMBEDDER: 'none',
  ZOETROPE_FACES: 'relay',
  ZOETROPE_NOSTR_KEY: '07'.repeat(32),
  ZOETROPE_TEST_ANSWER_CACHE_BYTES: '1000000',
});
const url = server.url.replace('http', 'ws');
const numbers = Array.from({ length: PER_CONNECTION }, (_, n) => n);
const request = (id: string, words: string) => JSON.stringify(['REQ', id, { kinds: [1063], search: words, limit: 20 }]);

/** What a hostile client sends. The service disconnects it or refuses it. */
const HOSTILE: ((round: number) => string[])[] = [
  () => [JSON.stringify(['REQ', 'a', ...Array.from({ length: 1_000 }, () => ({ kinds: [1063] }))])],
  (round) =>
    numbers.map((n) => JSON.stringify(['REQ', `${round}-${n}`, { kinds: [1063], '#t': ['x'.repeat(10_000)] }])),
  () => ['x'.repeat(10_000_000)],
  (round) => Array.from({ length: 400 }, (_, n) => request(`${round}-${n}`, `party ${n}`)),
  () => Array.from({ length: 400 }, (_, n) => JSON.stringify(['EVENT', { id: `${n}`, content: 'x'.repeat(1_000) }])),
  () => Array.from({ length: 400 }, () => JSON.stringify(['AUTH', 'x'.repeat(1_000)])),
  () => numbers.map((n) => '['.repeat(n * 100)),
];

const LOADS: Record<string, (round: number) => Promise<void>> = {
  async 'plain searches'(round) {
    for (const n of numbers) await (await server.get(`/api/v1/search?q=party${round}x${n}`)).arrayBuffer();
  },
  async 'searches of the relay'(round) {
    const socket = await connect();
    await askAll(
      socket,
      numbers.map((n) => request(`${n}`, `gif ${round % 100}`)),
    );
    socket.close();
    await once(socket, 'close');
  },
  async hostile(round) {
    const socket = await connect();
    socket.on('error', () => {}); // the service disconnects it
    const closed = once(socket, 'close');
    for (const message of HOSTILE[round % HOSTILE.length]!(round)) socket.send(message);
    // Every second client does not read the responses that it requested.
    if (round % 2 === 0) socket.pause();
    else await Promise.race([closed, once(socket, 'message').catch(() => {})]);
    socket.terminate();
  },
};

async function connect(): Promise<WebSocket> {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  return socket;
}

/** Opens subscriptions and keeps them open. */
async function hold(): Promise<WebSocket> {
  const socket = await connect();
  await askAll(
    socket,
    Array.from({ length: HELD }, (_, n) => request(`held ${n}`, 'party')),
  );
  return socket;
}

/** Sends requests and waits for the end of each answer. The relay refuses more than 20 waiting requests. */
async function askAll(socket: WebSocket, requests: readonly string[]): Promise<void> {
  let answered = 0;
  let next = 0;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const sendMore = () => {
    while (next < requests.length && next - answered < 10) socket.send(requests[next++]!);
  };
  socket.on('close', () => reject(new Error('the relay has disconnected a well-behaved client')));
  socket.on('message', (message) => {
    if (!String(message).startsWith('["EOSE"')) return;
    if (++answered === requests.length) resolve();
    sendMore();
  });
  sendMore();
  await promise;
}

// Warms up, so that the memory for the very first requests does not count as growth.
for (const load of Object.values(LOADS)) await inFifths(FIFTHS, load);
let baseline = 0;
for (const [name, load] of Object.entries(LOADS)) {
  const held = name === 'plain searches' ? undefined : await hold();
  const seen = await inFifths(rounds, load);
  const isHeld = held?.readyState === WebSocket.OPEN;
  held?.close();
  const [grown, last] = [seen.at(-1)! - seen[1]!, seen.at(-1)!];
  if (held === undefined) baseline = last;
  const against = held === undefined ? 'baseline' : `${(last / baseline).toFixed(2)} of plain searches`;
  const megabytes = seen.map((value) => value.toFixed(0)).join(', ');
  console.log(`${name.padEnd(22)} ${megabytes} MB, grown by ${grown.toFixed(1)} MB (${against})`);
  if (held !== undefined) console.log(`  ${HELD} subscriptions were held: ${isHeld}`);
}

/** Runs the rounds. Returns the resident memory after each fifth of the rounds, in megabytes. */
async function inFifths(all: number, load: (round: number) => Promise<void>): Promise<number[]> {
  const seen: number[] = [];
  for (let fifth = 0; fifth < FIFTHS; fifth++) {
    const own = Array.from({ length: all / FIFTHS }, (_, n) => (fifth * all) / FIFTHS + n);
    const connection = async () => {
      for (let round = own.shift(); round !== undefined; round = own.shift()) await load(round);
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, connection));
    const status = fs.readFileSync(`/proc/${server.process.pid}/status`, 'utf8');
    seen.push(Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) / 1024);
  }
  return seen;
}
