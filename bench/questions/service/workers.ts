// How much faster do two machines add files than one?
// quick: --files 12

/*
 *   npm run bench workers [FOLDER] [--files 200]
 *
 * A folder with GIFs is added to a catalogue in PostgreSQL, with the media in a bucket (Ceph if it is installed,
 * otherwise s3rver). First, one machine adds it alone. Then one machine adds it while a second machine runs `zoetrope
 * work --keep`. Each machine has its own data folder and one media worker (ZOETROPE_MEDIA_WORKERS=1), and uses no
 * models. `whole` is the time from the first queued file until no file is open. A machine that helps waits a few
 * seconds before it begins. `rate` is the number of files per second from the moment when all machines work. Without
 * FOLDER, the benchmark draws `--files` GIFs. All parts run on one computer, including the bucket and the database.
 */
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startCeph } from '../../../packages/server/src/platform/blobs/testing/ceph.ts';
import { startS3rver } from '../../../packages/server/src/platform/blobs/testing/s3rver.ts';
import { countClaims, countJobs } from '../../../packages/server/src/platform/jobs/index.ts';
import { startPostgres } from '../../../packages/server/src/platform/testing/postgres.ts';
import { openStore } from '../../../packages/server/src/service/store.ts';
import { blocksGif } from '../../../test/support/catalogue.ts';
import { parts } from '../../../test/support/parts.ts';
import { s3Environment } from '../../../test/support/s3.ts';
import { type Outcome, outcome, spawnZoetrope, temporaryFolder, zoetrope } from '../../../test/support/server.ts';

const { values, positionals } = parseArgs({
  options: { files: { type: 'string', default: '200' } },
  allowPositionals: true,
});
const TARGET = 1.7;
const FRAMES = 24;

function drawFiles(folder: string, count: number): string {
  fs.mkdirSync(folder, { recursive: true });
  for (let seed = 0; seed < count; seed++) {
    const gif = blocksGif({ width: 480, height: 270, delays: Array(FRAMES).fill(10), seed });
    fs.writeFileSync(path.join(folder, `drawn ${seed}.gif`), gif);
  }
  return folder;
}

interface Measured {
  seconds: number;
  rate: number;
}

async function measure(files: string, machines: 1 | 2): Promise<Measured> {
  using folder = temporaryFolder();
  const postgres = await startPostgres(parts.postgres!);
  const bucket = parts.ceph ? await startCeph() : await startS3rver(path.join(folder.path, 'bucket'));
  const env = {
    ...{ ZOETROPE_DATABASE_URL: postgres.url, ...s3Environment(bucket.config) },
    ...{ ZOETROPE_EMBEDDER: 'none', ZOETROPE_MEDIA_WORKERS: '1', ZOETROPE_CAPTIONS: 'off', ZOETROPE_RATING: 'off' },
  };
  const [one, two] = [path.join(folder.path, 'one'), path.join(folder.path, 'two')];
  const first = await zoetrope(one, ['add', drawFiles(path.join(folder.path, 'first'), 1), '--quiet'], env);
  if (first.code !== 0) throw new Error(first.stderr);
  const helper = machines === 2 ? spawnZoetrope(two, ['work', '--keep'], env) : undefined;
  if (helper) await once(helper.stderr!, 'data');
  const { db, close } = await openStore(one, postgres.url);
  try {
    let ended: Outcome | undefined;
    const adding = outcome(spawnZoetrope(one, ['add', files, '--quiet'], env)).then((end) => {
      ended = end;
    });
    const open = () => countJobs(db, 'ready', { kinds: ['staged'] });
    while ((await open()) === 0 && ended === undefined) await pause(20);
    const start = performance.now();
    while ((await countClaims(db)).size < machines && (await open()) > 0) await pause(20);
    const [all, left] = [performance.now(), await open()];
    while ((await open()) > 0) await pause(50);
    const end = performance.now();
    await adding;
    if (ended?.code !== 0) throw new Error(ended?.stderr);
    return { seconds: (end - start) / 1000, rate: left / ((end - all) / 1000) };
  } finally {
    await close();
    if (helper) {
      const ended = outcome(helper);
      helper.kill('SIGTERM');
      await ended;
    }
    await bucket.stop();
    await postgres.stop();
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

if (parts.postgres === undefined) {
  console.log('skipped: PostgreSQL is not installed');
} else {
  using drawn = temporaryFolder();
  const files = positionals[0] ?? drawFiles(path.join(drawn.path, 'files'), Number(values.files));
  const one = await measure(files, 1);
  const two = await measure(files, 2);
  const ratio = two.rate / one.rate;
  console.log(`${'machines'.padEnd(10)}${'whole'.padStart(10)}${'rate'.padStart(12)}`);
  for (const [machines, { seconds, rate }] of [one, two].entries()) {
    console.log(
      `${String(machines + 1).padEnd(10)}${`${seconds.toFixed(1)} s`.padStart(10)}${`${rate.toFixed(2)}/s`.padStart(12)}`,
    );
  }
  console.log(`${ratio.toFixed(2)} times as fast (target ${TARGET}): ${ratio >= TARGET ? 'met' : 'MISSED'}`);
}
