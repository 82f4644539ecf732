// Do anonymous searches from many addresses take meaning or speed from a registered caller?
// quick: --seconds 1
//
// One registered caller searches on one connection, and sends each query only once. First it is alone. Then there is
// also a flood of searches on the page from 32 connections. Each search of the flood comes from another IPv6 /48
// network, according to the header of a proxy. The flood runs in a separate process. Both numbers are from the same
// run, and their ratio counts. The caller should always get results by meaning, and lose at most half of its speed.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { catalogue } from '../../../packages/starter/src/catalogue/catalogue.ts';
import { manifestLine } from '../../../packages/starter/src/catalogue/manifest.ts';
import { writeManifest } from '../../../test/support/catalogue.ts';
import { startServer, temporaryFolder, zoetrope } from '../../../test/support/server.ts';
import { percentileOf } from '../../support/measure.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '20' }, flood: { type: 'string' } } });
const CONNECTIONS = 32;
const MS = Number(values.seconds) * 1_000;
const WORDS = [...new Set(catalogue.flatMap((entry) => manifestLine(entry).tags))];

/** Returns query number `n`: three words in an order that no other query has. */
const query = (n: number) =>
  [0, 1, 2].map((k) => WORDS[(n * (7 + 4 * k) + Math.floor(n / 31) * k) % WORDS.length]).join(' ');

if (values.flood !== undefined) await flood(values.flood);
else await measure();

async function measure(): Promise<void> {
  using folder = temporaryFolder();
  const data = `${folder.path}/data`;
  const rows = catalogue.map((entry) => {
    const { file, ...told } = manifestLine(entry);
    return { ...told, tags: [...told.tags], id: file };
  });
  const added = await zoetrope(data, ['add', '--quiet', writeManifest(`${folder.path}/rows.jsonl`, rows)]);
  if (added.code !== 0) throw new Error(added.stderr);
  const { id } = JSON.parse((await zoetrope(data, ['client', 'add', 'Bench', '--json'])).stdout) as { id: string };
  const { key } = JSON.parse((await zoetrope(data, ['key', 'create', id, '--json'])).stdout) as { key: string };
  await using server = await startServer(data, {
    ZOETROPE_THREADS: '2',
    ZOETROPE_TRUST_PROXY: '1',
    ZOETROPE_RATES: 'search=0',
  });
  let asked = 0;
  const search = async () => {
    const start = performance.now();
    const target = `${server.url}/api/v1/search?q=${encodeURIComponent(query(asked++))}`;
    const response = await fetch(target, { headers: { authorization: `Bearer ${key}` } });
    const { semantic } = (await response.json()) as { semantic: boolean };
    return { status: response.status, semantic, ms: performance.now() - start };
  };
  const forAWhile = async (name: string) => {
    const seen: Awaited<ReturnType<typeof search>>[] = [];
    for (const end = performance.now() + MS; performance.now() < end; ) seen.push(await search());
    const p50 = percentileOf(
      seen.map(({ ms }) => ms),
      0.5,
    );
    const failed = seen.filter(({ status }) => status !== 200).length;
    const lost = seen.filter(({ semantic }) => !semantic).length;
    console.log(
      `${name.padEnd(18)} ${seen.length} searches, p50 ${p50.toFixed(1)} ms, ${lost} without meaning, ${failed} failed`,
    );
    return p50;
  };
  await forAWhile('(warm-up)');
  const alone = await forAWhile('alone');
  const flooding = spawn(
    process.execPath,
    [...process.execArgv, fileURLToPath(import.meta.url), '--flood', server.url],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(flooding.stdout, 'data');
  const beside = await forAWhile('beside the flood');
  flooding.kill('SIGTERM');
  await once(flooding, 'exit');
  console.log(`beside the flood, a search takes ${(beside / alone).toFixed(2)} times as long (target: at most 2)`);
}

/** Sends searches until its process is ended. */
async function flood(url: string): Promise<never> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let sent = 0;
  const connection = async (): Promise<never> => {
    for (;;) {
      const n = sent++;
      const address = `2001:${(n >> 16).toString(16)}:${(n & 0xffff).toString(16)}::1`;
      const target = `${url}/?q=${encodeURIComponent(query(1_000_000 + n))}`;
      const request = http.get(target, { agent, headers: { 'x-forwarded-for': address } });
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      await once(response.resume(), 'end');
      if (n === CONNECTIONS) console.log('flooding');
    }
  };
  return Promise.race(Array.from({ length: CONNECTIONS }, connection));
}
