// What do rating, descriptions and captions cost, and does search stay fast meanwhile? (FOLDER...)
//
// First every model processes each GIF, one GIF at a time as in the service, and each model is timed. GIFs that the
// first network suspects are listed. Then the same files are added to a running service, slice by slice, while uncached
// searches arrive at a steady rate. These rounds alternate with rounds of searches alone, and with rounds in which one
// linked GIF is added, which only causes a build. All processes share the cores.

import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createLog } from '../../../packages/server/src/base/log.ts';
import {
  CAPTION_PLACES,
  captionSize,
  createCaptionReader,
  createJudge,
  createLooks,
  JUDGED_SIZE,
  RATED_PLACES,
  verdictOf,
} from '../../../packages/server/src/enrich/index.ts';
import { createTestMedia } from '../../../packages/server/src/media/testing/test-media.ts';
import { walk } from '../../../packages/server/src/media/walker/probe.ts';
import { writeManifest } from '../../../test/support/catalogue.ts';
import { spawnZoetrope, startServer, temporaryFolder, zoetrope } from '../../../test/support/server.ts';
import { endWithUsage } from '../../support/data.ts';
import { median } from '../../support/load.ts';
import { type Asked, askSteadily, ratioOfP99, writeCorpus } from '../../support/steady.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '9' },
    /** Number of files per round. */
    slice: { type: 'string', default: '30' },
    files: { type: 'string', default: '100000' },
  },
});
if (positionals.length === 0) {
  endWithUsage('enrich FOLDER... [--files 100000] [--rounds 9] [--slice 30]', 'gifs');
}
const TARGET = 1.5;
const WARM_SECONDS = 2;
const IDLE_SECONDS = 6;

const files = positionals.flatMap((folder) =>
  fs.globSync('**/*.{gif,webp}', { cwd: folder }).map((name) => path.join(folder, name)),
);
const chosen = everyNth(files.toSorted(), Number(values.files));
await measureParts(chosen);
if (Number(values.rounds) > 0) await measureSearch(chosen);

async function measureParts(names: readonly string[]): Promise<void> {
  const log = createLog('error');
  const { media } = createTestMedia();
  const [looks, judge, reader] = [createLooks({ log }), createJudge({ log }), createCaptionReader({ log })];
  const spent = { 'decoding frames': 0, 'descriptor and first opinion': 0, 'second opinion': 0, captions: 0 };
  const time = async <Result>(part: keyof typeof spent, act: () => Promise<Result>): Promise<Result> => {
    const start = performance.now();
    const result = await act();
    spent[part] += performance.now() - start;
    return result;
  };
  const counted = { seen: 0, suspected: 0, review: 0, adult: 0, captions: 0 };
  const first = fs.readFileSync(names[0]!); // starts the processes
  await looks.look(await media.frames(first, RATED_PLACES));
  await judge.suspect(await media.frames(first, [0], JUDGED_SIZE));
  await reader.read(await media.frames(first, [0], { width: 320, height: 320 }), { width: 320, height: 320 });
  for (const name of names) {
    const bytes = fs.readFileSync(name);
    try {
      const frames = await time('decoding frames', () => media.frames(bytes, RATED_PLACES));
      const { suspicion } = await time('descriptor and first opinion', () => looks.look(frames));
      let second = Number.NaN;
      const verdict = await time('second opinion', () =>
        verdictOf(suspicion, async () => {
          const suspected = await judge.suspect(await media.frames(bytes, RATED_PLACES, JUDGED_SIZE));
          second = suspected.worst;
          return suspected;
        }),
      );
      if (!Number.isNaN(second)) {
        console.log(`suspected: ${name} ${suspicion.toFixed(2)}, second ${second.toFixed(2)}: ${verdict}`);
        counted.suspected++;
      }
      if (verdict !== 'safe') counted[verdict]++;
      const size = captionSize(walk(bytes));
      const read = async () => (size ? reader.read(await media.frames(bytes, CAPTION_PLACES, size), size) : '');
      if ((await time('captions', read)) !== '') counted.captions++;
      counted.seen++;
    } catch (error) {
      console.log(`${name}: ${(error as Error).message}`);
    }
  }
  const all = Object.values(spent).reduce((sum, ms) => sum + ms, 0);
  console.log(`${counted.seen} GIFs, one at a time: ${((1000 * counted.seen) / all).toFixed(1)} a second`);
  for (const [part, ms] of Object.entries(spent)) {
    console.log(`  ${part.padEnd(30)} ${(ms / counted.seen).toFixed(1)} ms a GIF, ${((100 * ms) / all).toFixed(0)} %`);
  }
  console.log(JSON.stringify(counted));
  await Promise.all([looks.close(), judge.close(), reader.close(), media.close()]);
}

async function measureSearch(names: readonly string[]): Promise<void> {
  using folder = temporaryFolder();
  const data = path.join(folder.path, 'data');
  const env = { ZOETROPE_EMBEDDER: 'none', ZOETROPE_RATING: 'on', ZOETROPE_CAPTIONS: 'on', ZOETROPE_THREADS: '2' };
  const corpus = writeCorpus(path.join(folder.path, 'corpus.jsonl'));
  const { code, stderr } = await zoetrope(data, ['add', '--quiet', corpus], env);
  if (code !== 0) throw new Error(stderr);
  await using server = await startServer(data, env);
  await askSteadily(server, WARM_SECONDS);
  /** Adds a source while searches arrive. @returns their latencies, and a line that describes them */
  const add = async (source: string): Promise<{ asked: Asked; line: string }> => {
    const start = performance.now();
    const ended = once(spawnZoetrope(data, ['add', '--quiet', source], env, 2), 'exit');
    const asked = await askSteadily(server, 0, ended);
    const { p50, p99 } = asked;
    return { asked, line: `p50 ${p50.toFixed(1)} p99 ${p99.toFixed(1)} ms in ${seconds(performance.now() - start)} s` };
  };
  const rounds: Record<'idle' | 'adding' | 'building', Asked[]> = { idle: [], adding: [], building: [] };
  for (let round = 0; round < Number(values.rounds); round++) {
    const slice = copySlice(names, round, path.join(folder.path, `slice-${round}`));
    const idle = await askSteadily(server, IDLE_SECONDS);
    const linked = [{ id: `linked-${round}.gif`, title: `linked ${round}` }];
    const building = await add(writeManifest(path.join(folder.path, `linked-${round}.jsonl`), linked));
    const adding = await add(slice);
    rounds.idle.push(idle);
    rounds.adding.push(adding.asked);
    rounds.building.push(building.asked);
    console.log(`idle p50 ${idle.p50.toFixed(1)} p99 ${idle.p99.toFixed(1)} ms`);
    console.log(`  a build alone: ${building.line}\n  ${values.slice} GIFs: ${adding.line}`);
  }
  const ratio = ratioOfP99(rounds.adding, rounds.idle);
  const ofBuild = ratioOfP99(rounds.building, rounds.idle);
  const perRound = rounds.adding.map(({ p99 }, round) => p99 / rounds.idle[round]!.p99);
  console.log(`p99 while a linked GIF is added, which makes a build and nothing else: ${ofBuild.toFixed(2)} of idle`);
  const verdict = ratio <= TARGET ? 'met   ' : 'MISSED';
  console.log(`${verdict} p99 over all rounds while GIFs are added ${ratio.toFixed(2)} of idle (target ${TARGET})`);
  console.log(
    `of each round: ${perRound.map((each) => each.toFixed(2)).join(', ')}; median ${median(perRound).toFixed(2)}`,
  );
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(0);
}

function copySlice(names: readonly string[], round: number, to: string): string {
  const slice = Number(values.slice);
  fs.mkdirSync(to);
  for (let n = 0; n < slice; n++) {
    const name = names[(round * slice + n) % names.length]!;
    fs.copyFileSync(name, path.join(to, `${n}${path.extname(name)}`));
  }
  return to;
}

function everyNth(names: readonly string[], wanted: number): string[] {
  const step = Math.max(1, Math.ceil(names.length / wanted));
  return names.filter((_, n) => n % step === 0);
}
