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
const query = mixedQuery(0).split(' ')[0]!;
const PATHS: Record<string, string> = {
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
  ZOETROPE_RATE_SEARCH: '100000000',
};
await using server = await startServer(data, env, stderr);

/** The encodings that apps accept. Browsers and Node accept Brotli, so their responses are the last ones. */
const ENCODINGS = ['identity', 'br'];

for (const encoding of ENCODINGS) {
  // The development client is admitted from this machine.
  const headers = ['Origin: http://localhost', `Accept-Encoding: ${encoding}`];
  /** Sends requests for some seconds. @returns CPU microseconds of the service per request */
  const load = (name: string, seconds: number): number => {
    const before = machineSeconds(server.process.pid!).own;
    const { perSecond } = wrk(server.url + PATHS[name]!, { seconds, headers });
    return ((machineSeconds(server.process.pid!).own - before) * 1e6) / (perSecond * seconds);
  };
  load('api', WARM_UP_SECONDS);
  console.log(`a cached answer with 24 GIFs, ${encoding}, ${ROUNDS} rounds of ${SECONDS} s (target ${TARGET})`);
  for (const name of Object.keys(PATHS).filter((each) => each !== 'api')) {
    load(name, WARM_UP_SECONDS);
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const costs = new Map<string, number>();
      for (const each of round % 2 ? ['api', name] : [name, 'api']) costs.set(each, load(each, SECONDS));
      ratios.push(costs.get(name)! / costs.get('api')!);
    }
    const answer = await fetch(server.url + PATHS[name]!, {
      headers: { origin: 'http://localhost', 'accept-encoding': encoding, connection: 'close' },
    });
    // The body is read to its end, because the client fails if the connection closes while a large body waits.
    const body = await answer.arrayBuffer();
    const size = answer.headers.get('content-length') ?? body.byteLength;
    const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
    const verdict = median(ratios) <= TARGET ? 'passed' : 'MISSED';
    console.log(
      `${name.padEnd(9)} ${median(ratios).toFixed(2)} of our API's CPU time (${range}), ${size} bytes  ${verdict}`,
    );
  }
}
