// How long does a newcomer wait for the first GIFs, and how much of the disk does a clone take?
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { seeded } from '@zoetrope/starter';
import { freePort } from '../../../test/support/server.ts';

/*
 * Each round clones this repository's last commit into an empty folder, with an empty cache of our own, and runs `npm
 * start`. npm's cache is used, and installs are timed separately. Then a second clone is started with the cache that
 * the first clone has filled. Finally, starts are ended at random moments.
 */

const GOALS = { firstAnswer: 12, all: 90, second: 6, disk: 700, stop: 2 };
/** Starts are ended at random moments within this number of seconds after the installs. */
const MOMENTS_S = 15;
const GIFS = 378;
const DEVELOPMENT = { origin: 'http://localhost' };

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, stops: { type: 'string', default: '20' } },
});
/**
 * Folders of commands, without the folder of the Node that runs this program, so that the clone uses the machine's Node
 * or downloads one.
 */
const PATH = process.env['PATH']!.split(path.delimiter)
  .filter((each) => each !== path.dirname(process.execPath))
  .join(path.delimiter);
const { stdout: node } = spawnSync('node', ['--version'], { encoding: 'utf8', env: { ...process.env, PATH } });
if (!node) throw new Error('This measurement needs a Node on the PATH besides the one that runs it.');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-first-start-'));
let running: ChildProcess | undefined;
process.on('exit', () => {
  running?.kill('SIGKILL');
  fs.rmSync(folder, { recursive: true, force: true });
});

const rounds: Round[] = [];
for (let n = 0; n < Number(values.rounds); n++) rounds.push(await runRound(n));
const median = (pick: (round: Round) => number) =>
  rounds.map(pick).toSorted((a, b) => a - b)[Math.floor(rounds.length / 2)]!;
const row = (what: string, value: number, unit: string, goal: number) =>
  console.log(`${what.padEnd(52)} ${value.toFixed(1).padStart(7)} ${unit}  ${value <= goal ? '' : `MISSED (${goal})`}`);
console.log(
  `medians of ${rounds.length} rounds; seconds after the installs, which took ${median(({ installs }) => installs).toFixed(1)} s with Node ${node.trim().slice(1)}`,
);
row(
  'the page answers',
  median(({ page }) => page),
  's',
  GOALS.firstAnswer,
);
row(
  'a search finds a GIF',
  median(({ firstAnswer }) => firstAnswer),
  's',
  GOALS.firstAnswer,
);
row(
  `all ${GIFS} GIFs can be found`,
  median(({ all }) => all),
  's',
  GOALS.all,
);
row(
  'a second clone: a search finds a GIF',
  median(({ second }) => second),
  's',
  GOALS.second,
);
row(
  'the clone takes',
  median(({ disk }) => disk),
  'MB',
  GOALS.disk,
);
const stops = await stopAtRandom(Number(values.stops));
row(`SIGTERM at ${stops.length} random moments, the slowest`, Math.max(...stops, 0), 's', GOALS.stop);

interface Round {
  installs: number;
  page: number;
  firstAnswer: number;
  all: number;
  second: number;
  disk: number;
}

async function runRound(n: number): Promise<Round> {
  const cache = path.join(folder, `cache-${n}`);
  const first = clone(`first-${n}`);
  const start = await begin(first, cache);
  const page = await start.until(async (url) => (await fetch(`${url}/`)).ok);
  const firstAnswer = await start.until(finds);
  const all = await start.until(async (url) => {
    const { documents } = (await (await fetch(`${url}/healthz`)).json()) as { documents: number };
    return documents === GIFS;
  });
  await start.idle();
  const disk = Number(spawnSync('du', ['-sm', first], { encoding: 'utf8' }).stdout.split('\t')[0]);
  await start.stop();
  const again = await begin(clone(`second-${n}`), cache);
  const second = await again.until(finds);
  await again.stop();
  for (const name of [`first-${n}`, `second-${n}`]) fs.rmSync(path.join(folder, name), { recursive: true });
  return { installs: start.installs, page, firstAnswer, all, second, disk };
}

/** Ends starts at random moments. @returns the time that each start took to end, in seconds */
async function stopAtRandom(count: number): Promise<number[]> {
  const random = seeded('stops');
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    // All packages are already installed, so that all moments are after the installs.
    const copy = path.join(folder, 'stops');
    if (n === 0) clone('stops');
    for (const made of ['data', ...['server', 'client', 'picker'].map((name) => `packages/${name}/bundle`)]) {
      fs.rmSync(path.join(copy, made), { recursive: true, force: true });
    }
    fs.rmSync(path.join(copy, 'packages/server/models'), { recursive: true, force: true });
    const start = await begin(copy, path.join(folder, `no-cache-${n}`));
    await wait(random() * MOMENTS_S * 1_000);
    times.push(await start.stop());
  }
  return times;
}

async function finds(url: string): Promise<boolean> {
  const { count } = (await (await fetch(`${url}/api/v1/search?q=gm`, { headers: DEVELOPMENT })).json()) as {
    count: number;
  };
  return count > 0;
}

function clone(name: string): string {
  const copy = path.join(folder, name);
  spawnSync('git', ['clone', '--quiet', '.', copy], { stdio: 'inherit' });
  return copy;
}

interface Start {
  /** Seconds that the installs took. */
  installs: number;
  /** Waits until `isSo` returns true. @returns seconds since the installs */
  until(isSo: (url: string) => Promise<boolean>): Promise<number>;
  /** Waits until no process makes anything any more. */
  idle(): Promise<void>;
  /** @returns seconds until all processes have ended */
  stop(): Promise<number>;
}

/** Runs `npm start`, and waits until all packages are installed. */
async function begin(copy: string, cache: string): Promise<Start> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  // These two variables belong to the tests.
  const { ZOETROPE_TEST_PROGRAM: _, NODE_COMPILE_CACHE: __, ...env } = process.env;
  const began = performance.now();
  const child = spawn('node', ['tools/run.mjs', 'start'], {
    cwd: copy,
    env: { ...env, PATH, ZOETROPE_PORT: `${port}`, ZOETROPE_CACHE: cache, ZOETROPE_REQUEST_LOG: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running = child;
  child.stdout.resume();
  const { promise: installed, resolve } = Promise.withResolvers<void>();
  child.stderr.on('data', (text) => {
    if (/Preparing|Bundling/.test(String(text))) resolve();
  });
  child.stdout.once('data', () => resolve());
  const ended = once(child, 'close');
  await Promise.race([installed, ended]);
  const at = performance.now();
  const isEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    installs: (at - began) / 1_000,
    async until(isSo) {
      while (!(await isSo(url).catch(() => false))) {
        if (isEnded()) throw new Error('npm start ended');
        await wait(20);
      }
      return (performance.now() - at) / 1_000;
    },
    async idle() {
      while (fs.existsSync(path.join(copy, 'packages/server/models/.making'))) await wait(100);
      // The remaining previews are made when everything can be found. A preview takes less than a second.
      const countFiles = () => fs.readdirSync(path.join(copy, 'data/media'), { recursive: true }).length;
      for (let before = -1; before !== countFiles(); await wait(5_000)) before = countFiles();
    },
    async stop() {
      const asked = performance.now();
      child.kill('SIGTERM');
      await ended;
      return (performance.now() - asked) / 1_000;
    },
  };
}
