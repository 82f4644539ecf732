// How much CPU time does a cached answer of a face cost, compared with our own API?
import fs from 'node:fs';
import path from 'node:path';
import { writeManifest } from '../../../test/support/catalogue.ts';
import { startServer, temporaryFolder, zoetrope } from '../../../test/support/server.ts';
import { corpusDocument, mixedQuery } from '../../support/corpus.ts';
import { median, option, wrk } from '../../support/load.ts';
import { machineSeconds } from '../../support/memory.ts';

/*
 * Needs wrk and Linux. `npm run bench faces [--seconds S] [--rounds R]`
 *
 * One process answers the same search in all shapes. Each face is measured beside our API, in turn, because the cost of a
 * request changes within seconds.
 */

const DOCUMENTS = 2_000;
const SECONDS = option('seconds', 1);
const ROUNDS = option('rounds', 8);
const WARM_UP_SECONDS = 2;
const TARGET = 1.2;
/** With so many GIFs, an answer of giphy has about as many bytes as one of our API with 50. */
const GIPHY_LIKE_50 = 21;
const query = mixedQuery(0).split(' ')[0]!;
const PATHS = {
  api: `/api/v1/search?q=${query}&limit=24`,
  gifbox: `/gifbox/search?locale=en_US&query=${query}&limit=24`,
  gifverse: `/gifverse/api/v1/search?q=${query}&limit=24`,
  tenor: `/tenor/v2/search?q=${query}&limit=24&key=any`,
  giphy: `/giphy/v1/gifs/search?q=${query}&limit=24&api_key=any`,
  klipy: `/klipy/api/v1/any/gifs/search?q=${query}&per_page=24&page=1`,
};

using folder = temporaryFolder();
const data = path.join(folder.path, 'data');
const rows = Array.from({ length: DOCUMENTS }, (_, n) => {
  const { characters, ...document } = corpusDocument(n);
  return { ...document, character: characters };
});
const added = await zoetrope(data, ['add', writeManifest(path.join(folder.path, 'corpus.jsonl'), rows), '--quiet'], {
  ZOETROPE_EMBEDDER: 'none',
});
if (added.code !== 0) throw new Error(added.stderr);
const stderr = fs.openSync(path.join(folder.path, 'stderr'), 'a');
const env = {
  ZOETROPE_THREADS: '1',
  ZOETROPE_EMBEDDER: 'none',
  ZOETROPE_FACES: 'gifbox,gifverse,tenor,giphy,klipy',
  ZOETROPE_RATES: 'search=100000000',
};
await using server = await startServer(data, env, stderr);

/** The encodings that apps accept. Browsers and Node accept Brotli, so they get the last encoding. */
const ENCODINGS = ['identity', 'br'];

for (const encoding of ENCODINGS) {
  // The development client is admitted from this machine.
  const headers = ['Origin: http://localhost', `Accept-Encoding: ${encoding}`];
  /** Sends requests for some seconds. @returns CPU microseconds of the service per request */
  const load = (path: string, seconds: number): number => {
    const before = machineSeconds(server.process.pid!).own;
    const { perSecond } = wrk(server.url + path, { seconds, headers });
    return ((machineSeconds(server.process.pid!).own - before) * 1e6) / (perSecond * seconds);
  };
  /** Measures two paths in turn. @returns the cost of the first path, divided by that of the second */
  const compare = (path: string, baseline: string): number[] => {
    load(path, WARM_UP_SECONDS);
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const costs = new Map<string, number>();
      for (const each of round % 2 ? [baseline, path] : [path, baseline]) costs.set(each, load(each, SECONDS));
      ratios.push(costs.get(path)! / costs.get(baseline)!);
    }
    return ratios;
  };
  load(PATHS.api, WARM_UP_SECONDS);
  console.log(`a cached answer with 24 GIFs, ${encoding}, ${ROUNDS} rounds of ${SECONDS} s (target ${TARGET})`);
  for (const [name, path] of Object.entries(PATHS).filter(([each]) => each !== 'api')) {
    const ratios = compare(path, PATHS.api);
    const verdict = median(ratios) <= TARGET ? 'passed' : 'MISSED';
    const size = await sizeOf(path, encoding);
    console.log(`${name.padEnd(9)} ${write(ratios)} of our API's CPU time, ${size} bytes  ${verdict}`);
  }
  if (encoding !== 'identity') continue;
  const long = `/api/v1/search?q=${query}&limit=50`;
  const ratios = compare(long, PATHS.api);
  console.log(`50 GIFs of our API take ${write(ratios)} of the CPU time of 24, ${await sizeOf(long, encoding)} bytes`);
  const same = `/giphy/v1/gifs/search?q=${query}&limit=${GIPHY_LIKE_50}&api_key=any`;
  const size = await sizeOf(same, encoding);
  console.log(`${GIPHY_LIKE_50} GIFs of giphy take ${write(compare(same, long))} of these 50, ${size} bytes`);
}

function write(ratios: readonly number[]): string {
  return `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`;
}

/** Returns the number of bytes in the body of an answer. */
async function sizeOf(path: string, encoding: string): Promise<number> {
  const answer = await fetch(server.url + path, {
    headers: { origin: 'http://localhost', 'accept-encoding': encoding, connection: 'close' },
  });
  // The body is read to its end, because the client fails if the connection closes while a large body waits.
  const body = await answer.arrayBuffer();
  return Number(answer.headers.get('content-length') ?? body.byteLength);
}
