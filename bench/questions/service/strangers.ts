// Do invalid requests and unknown callers make the service's memory grow, compared with plain searches?
// quick: --requests 1000
//
// The service has small heaps, so that garbage is collected often and resident memory shows what is retained. There are
// three kinds of load with the same number of requests: plain searches from a registered client as the baseline, then
// invalid requests, then requests from unknown callers. Each load has five parts. The figure that counts is the growth
// during the last three parts.

import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { makeKey } from '../../../packages/server/src/identifiers/api-key.ts';
import { seeded } from '../../../packages/starter/src/random.ts';
import { type Attempt, drawLast, drawOdd } from '../../../test/faults/odd-requests.ts';
import { smallGif, writeManifest } from '../../../test/support/catalogue.ts';
import { sendRaw } from '../../../test/support/faults/raw-http.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../../../test/support/server.ts';

const { values } = parseArgs({ options: { requests: { type: 'string', default: '50000' } } });
const PIPELINE = 20;
const CONNECTIONS = 8;
const FIFTHS = 5;
const rounds = Math.ceil(Number(values.requests) / PIPELINE / FIFTHS) * FIFTHS;

using folder = temporaryFolder();
const data = `${folder.path}/data`;
fs.writeFileSync(`${folder.path}/mouse.gif`, smallGif(1));
const rows = writeManifest(`${folder.path}/rows.jsonl`, [{ id: 'cat.gif', title: 'happy cat' }]);
await zoetrope(data, ['add', '--quiet', rows, `${folder.path}/mouse.gif`]);
await using server = await startServer(data, {
  NODE_OPTIONS: '--max-old-space-size=64 --max-semi-space-size=4',
  ZOETROPE_THREADS: '1',
  ZOETROPE_EMBEDDER: 'none',
  ZOETROPE_TEST_ANSWER_CACHE_BYTES: '1000000',
});
const known = { key: makeKey(), image: '/m/none.gif' };

const get = (n: number, headers: string, isLast: boolean): Attempt => ({
  head: `GET /api/v1/search?q=cat${n} HTTP/1.1\r\nhost: localhost\r\n${headers}${isLast ? '\r\nconnection: close' : ''}\r\n\r\n`,
});
const eachOf = (round: number) => Array.from({ length: PIPELINE }, (_, n) => round * PIPELINE + n);
const isLast = (n: number) => n % PIPELINE === PIPELINE - 1;

const LOADS: Record<string, (round: number) => Attempt[]> = {
  'plain searches': (round) => eachOf(round).map((n) => get(n, 'origin: http://localhost', isLast(n))),
  'odd requests': (round) => {
    const random = seeded(`odd ${round}`);
    return [...Array.from({ length: PIPELINE - 1 }, () => drawOdd(random, known)), drawLast(random, known)];
  },
  strangers: (round) => eachOf(round).map((n) => get(n, `origin: https://stranger-${n}.example`, isLast(n))),
};

// Warms up, so that the memory for the very first requests does not count as growth.
for (const load of Object.values(LOADS)) await inFifths(server, rounds / FIFTHS, load);
let baseline = 0;
for (const [name, load] of Object.entries(LOADS)) {
  const seen = await inFifths(server, rounds, load);
  const grown = seen.at(-1)! - seen[1]!;
  if (name === 'plain searches') baseline = grown;
  const against =
    name === 'plain searches' ? 'baseline' : `${(grown - baseline).toFixed(1)} MB more than plain searches`;
  const megabytes = seen.map((value) => value.toFixed(0)).join(', ');
  console.log(
    `${name.padEnd(15)} ${rounds * PIPELINE} requests: ${megabytes} MB, grown by ${grown.toFixed(1)} MB (${against})`,
  );
}

/** Runs the rounds. Returns the resident memory after each fifth of the rounds, in megabytes. */
async function inFifths(server: Server, all: number, load: (round: number) => Attempt[]): Promise<number[]> {
  const seen: number[] = [];
  for (let fifth = 0; fifth < FIFTHS; fifth++) {
    const own = Array.from({ length: all / FIFTHS }, (_, n) => (fifth * all) / FIFTHS + n);
    const connection = async () => {
      for (let round = own.shift(); round !== undefined; round = own.shift()) await sendRaw(server.url, load(round));
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, connection));
    const status = fs.readFileSync(`/proc/${server.process.pid}/status`, 'utf8');
    seen.push(Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) / 1024);
  }
  return seen;
}
