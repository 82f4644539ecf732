// Does search stay fast while MP4s are made? (FOLDER of GIFs)
//
// The two files with the most pixels are converted again and again, both at the same time, while uncached searches
// arrive at a steady rate. These rounds alternate with rounds without conversions. Load, service and encoders share the
// cores.

import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { SearchResponse } from '@zoetrope/contract';
import { walk } from '../../../packages/server/src/media/walker/probe.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../../../test/support/server.ts';
import { endWithUsage } from '../../support/data.ts';
import { median } from '../../support/load.ts';
import { type Asked, askSteadily, ratioOfP99, writeCorpus } from '../../support/steady.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '9' }, seconds: { type: 'string', default: '12' } },
});
const [source] = positionals;
if (source === undefined) endWithUsage('converting FOLDER [--rounds 9] [--seconds 12]', 'gifs');
const TARGET = 1.5;

using folder = temporaryFolder();
const data = path.join(folder.path, 'data');
const heavy = heaviest(source);
const server = await prepare();
const videos = await videoAddresses();

await askSteadily(server, 2); // until code is compiled and caches are filled
const ratios: number[] = [];
const all: Record<'idle' | 'busy', Asked[]> = { idle: [], busy: [] };
for (let round = 0; round < Number(values.rounds); round++) {
  const idle = await askSteadily(server, Number(values.seconds));
  const stop = convertAgain(videos);
  const busy = await askSteadily(server, Number(values.seconds));
  const made = await stop();
  ratios.push(busy.p99 / idle.p99);
  all.idle.push(idle);
  all.busy.push(busy);
  const line = `idle p50 ${idle.p50.toFixed(1)} p99 ${idle.p99.toFixed(1)} ms; `;
  console.log(`${line}converting p50 ${busy.p50.toFixed(1)} p99 ${busy.p99.toFixed(1)} ms, ${made} MP4s`);
}
const ratio = ratioOfP99(all.busy, all.idle);
console.log(
  `${ratio <= TARGET ? 'met   ' : 'MISSED'} p99 over all rounds while converting ${ratio.toFixed(2)} of idle (target ${TARGET})`,
);
console.log(`of each round: ${ratios.map((each) => each.toFixed(2)).join(', ')}; median ${median(ratios).toFixed(2)}`);
await server.stop();

function heaviest(root: string): string[] {
  const files = fs.readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.gif'));
  const sized = files.map((name) => {
    const file = path.join(root, name);
    const { width, height, delays } = walk(fs.readFileSync(file));
    return { file, pixels: width * height * delays.length };
  });
  const best = sized.sort((a, b) => b.pixels - a.pixels).slice(0, 2);
  for (const { file, pixels } of best) console.log(`${path.basename(file)}: ${(pixels / 1e6).toFixed(0)} Mpx`);
  return best.map(({ file }) => file);
}

async function prepare(): Promise<Server> {
  const gifs = path.join(folder.path, 'gifs');
  fs.mkdirSync(gifs);
  for (const [n, file] of heavy.entries()) fs.copyFileSync(file, path.join(gifs, `heavyweight-${n}.gif`));
  const manifest = writeCorpus(path.join(folder.path, 'corpus.jsonl'));
  const { code, stderr } = await zoetrope(data, ['add', '--quiet', manifest, gifs], { ZOETROPE_EMBEDDER: 'none' });
  if (code !== 0) throw new Error(stderr);
  // There is no cache for files, because a cached video would not be made again.
  return startServer(data, {
    ZOETROPE_THREADS: '2',
    ZOETROPE_EMBEDDER: 'none',
    ZOETROPE_STARTER: 'off',
    ZOETROPE_TEST_MEDIA_CACHE_BYTES: '0',
  });
}

async function videoAddresses(): Promise<string[]> {
  const answer = await server.get('/api/v1/search?q=heavyweight&mode=text');
  const { items } = (await answer.json()) as SearchResponse;
  return items.map(({ mp4 }) => server.url + new URL(mp4!).pathname);
}

/**
 * Makes the videos again and again. @returns a function that stops the conversions and returns the number of videos
 * made
 */
function convertAgain(addresses: string[]): () => Promise<number> {
  const workerData = { addresses, media: path.join(data, 'media') };
  const worker = new Worker(new URL('../../support/convert-again.ts', import.meta.url), { workerData });
  return async () => {
    worker.postMessage('stop');
    const [made] = (await once(worker, 'message')) as [number];
    return made;
  };
}
