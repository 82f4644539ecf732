// How close do cached responses come to the speed of raw node:http, and how much does a second thread speed up uncached searches?
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { writeManifest } from '../../../test/support/catalogue.ts';
import { startServer, temporaryFolder, zoetrope } from '../../../test/support/server.ts';
import { corpusDocument, mixedQuery } from '../../support/corpus.ts';
import { type Load, median, option, startRaw, wrk } from '../../support/load.ts';

/* Needs wrk. `npm run bench http [--documents N] [--seconds S] [--rounds R]` */

const DOCUMENTS = option('documents', 100_000);
const SECONDS = option('seconds', 5);
const ROUNDS = option('rounds', 3);
const ORIGIN = 'http://localhost';
const headers = [`Origin: ${ORIGIN}`];
const load = (url: string, script?: string, more: string[] = []): Load =>
  wrk(url, { seconds: SECONDS, headers: [...headers, ...more], ...(script ? { script } : {}) });

/** @param encoding the encoding that the caller accepts, such as `br` */
async function cached(data: string, folder: string, query: string, encoding: string): Promise<void> {
  const server = await startServer(data, { ZOETROPE_THREADS: '1' });
  const target = `${server.url}/api/v1/search?q=${query}`;
  const accepted = { 'accept-encoding': encoding };
  const { headers: told, body } = await getRaw(target, { origin: ORIGIN, ...accepted });
  const raw = await startRaw(body, told, folder);
  const more = [`Accept-Encoding: ${encoding}`];
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const one = () => load(raw.url, undefined, more);
    const other = () => load(target, undefined, more);
    const [base, own] = round % 2 ? [one(), other()] : swap(other(), one());
    ratios.push(own.perSecond / base.perSecond);
    const line = `cached, ${encoding}, ${body.length} bytes: raw ${base.perSecond.toFixed(0)}/s p99 ${base.p99}`;
    console.log(`${line}; zoetrope ${own.perSecond.toFixed(0)}/s p99 ${own.p99}; ratio ${ratios.at(-1)!.toFixed(2)}`);
  }
  const result = `${median(ratios).toFixed(2)} of raw node:http (target 0.85), median of ${ROUNDS} rounds`;
  console.log(`cached answer, ${encoding}: ${result}`);
  raw.process.kill();
  await server.stop();
}

/** Returns the bytes of a response as they are sent. (`fetch` would decompress them.) */
async function getRaw(url: string, asked: Record<string, string>): Promise<{ headers: Headers; body: Buffer }> {
  const [response] = (await once(http.get(url, { headers: asked }), 'response')) as [http.IncomingMessage];
  const body = Buffer.concat(await Array.fromAsync(response as AsyncIterable<Buffer>));
  return { headers: new Headers(response.headers as Record<string, string>), body };
}

function swap(own: Load, base: Load): [Load, Load] {
  return [base, own];
}

/** Writes a script that sends a new query with every request, so that no response comes from the cache. */
function queryScript(folder: string, words: string[]): string {
  const file = path.join(folder, 'queries.lua');
  const lua = `
    local words = {${words.map((word) => JSON.stringify(word)).join(',')}}
    local n = 0
    request = function()
      n = n + 1
      local a, b = words[(n * 7919) % #words + 1], words[(n * 104729 + math.floor(n / #words)) % #words + 1]
      return wrk.format("GET", "/api/v1/search?q=" .. a .. "+" .. b .. "&offset=" .. (n % 100))
    end`;
  fs.writeFileSync(file, lua);
  return file;
}

async function threads(data: string, script: string): Promise<void> {
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const loads: Load[] = [];
    for (const count of ['1', '2']) {
      const server = await startServer(data, { ZOETROPE_THREADS: count, ZOETROPE_TEST_ANSWER_CACHE_BYTES: '0' });
      load(server.url, script);
      loads.push(load(server.url, script));
      await server.stop();
    }
    const [one, two] = loads as [Load, Load];
    ratios.push(two.perSecond / one.perSecond);
    console.log(
      `uncached: 1 thread ${one.perSecond.toFixed(0)}/s p99 ${one.p99}; 2 threads ${two.perSecond.toFixed(0)}/s p99 ${two.p99}; ` +
        `ratio ${ratios.at(-1)!.toFixed(2)}`,
    );
  }
  console.log(`second thread: ${median(ratios).toFixed(2)} times one (target 1.60), median of ${ROUNDS} rounds`);
}

using folder = temporaryFolder();
const data = path.join(folder.path, 'data');
const rows = Array.from({ length: DOCUMENTS }, (_, n) => {
  const { characters, ...document } = corpusDocument(n);
  return { ...document, character: characters };
});
const manifest = writeManifest(path.join(folder.path, 'corpus.jsonl'), rows);
const { code, stderr } = await zoetrope(data, ['add', manifest, '--quiet']);
if (code !== 0) throw new Error(stderr);
const words = [...new Set(Array.from({ length: 4_000 }, (_, n) => mixedQuery(n)).flatMap((q) => q.split(' ')))];

console.log(`${DOCUMENTS} documents, ${words.length} query words, ${SECONDS} s a load, Node ${process.version}`);
for (const encoding of ['identity', 'br']) await cached(data, folder.path, words[0]!, encoding);
if (!process.argv.includes('--cached-only')) await threads(data, queryScript(folder.path, words));
