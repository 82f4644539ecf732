import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/*
 * `npm run bench` lists the benchmarks. `npm run bench NAME [ARGUMENTS]` runs one of them. A benchmark prints a
 * baseline and a candidate, measured in the same run, because the machine's speed changes from run to run, but the
 * ratio of the two does not.
 *
 * `npm run bench quick` checks that each benchmark runs. If all of them run and nothing is uncommitted, it writes the
 * commit to `bench/passed`. With `--changed`, it does this only if benchmarks or measured code have changed since that
 * commit.
 */

/** The last commit with which `quick` passed. */
const PASSED = path.join(import.meta.dirname, 'passed');
/** The code that the benchmarks measure and use, apart from tests. */
const MEASURED = [
  ...['bench', 'package-lock.json', 'test/support', 'tools/models'],
  ...['client', 'contract', 'search', 'server', 'starter'].map((name) => `packages/${name}`),
  ...['bench/passed', 'bench/README.md', '*.test.ts'].map((pattern) => `:(exclude)${pattern}`),
];

const folder = path.join(import.meta.dirname, 'questions');
const [name, ...args] = process.argv.slice(2);
/** Paths of the questions, keyed by name: `text` -> `engine/text.ts`. */
const files = new Map(fs.globSync('*/*.ts', { cwd: folder }).map((file) => [path.basename(file, '.ts'), file]));
const names = [...files.keys()].toSorted();

if (name === 'quick') process.exitCode = quick(args);
else if (name !== undefined && files.has(name)) process.exitCode = run(name, args);
else {
  for (const found of names) console.log(`${found.padEnd(15)} ${headOf(found).question}`);
  console.log(
    `${'quick'.padEnd(15)} Does each benchmark run? Takes five minutes, with little data. The figures mean nothing.`,
  );
  process.exitCode = name === undefined ? 0 : 2;
}

/** @returns the exit code */
function quick(options: readonly string[]): number {
  const unknown = options.find((option) => option !== '--changed');
  if (unknown !== undefined) {
    console.error(`bench quick has no option ${unknown}; it only has --changed`);
    return 2;
  }
  return options.length > 0 && !hasChanged() ? 0 : runQuick();
}

/** @returns the number of benchmarks that did not finish */
function runQuick(): number {
  const failed = names.filter((each) => {
    const { quick } = headOf(each);
    if (quick === undefined) return false;
    console.log(`bench ${each} ${quick}`);
    return run(each, quick.split(' ')) !== 0;
  });
  for (const each of failed) console.error(`bench ${each} failed`);
  if (failed.length === 0 && git('status', '--porcelain') === '') fs.writeFileSync(PASSED, git('rev-parse', 'HEAD'));
  return failed.length;
}

/** Returns whether any code on which `quick` depends may have changed since it passed. */
function hasChanged(): boolean {
  const passed = fs.existsSync(PASSED) ? fs.readFileSync(PASSED, 'utf8').trim() : '';
  const { status } = spawnSync('git', ['diff', '--quiet', passed, '--', ...MEASURED]);
  if (status === 0) console.log(`bench quick: nothing has changed since it passed with commit ${passed}`);
  return status !== 0;
}

function git(...command: string[]): string {
  return spawnSync('git', command, { encoding: 'utf8' }).stdout;
}

/**
 * Reads the head of a benchmark. The first line is its question. An optional second line has arguments with which the
 * benchmark takes only seconds.
 */
function headOf(question: string): { question: string | undefined; quick: string | undefined } {
  const text = fs.readFileSync(fileOf(question), 'utf8');
  return { question: /^\/\/ (.*)/.exec(text)?.[1], quick: /^\/\/ quick: (.*)/m.exec(text)?.[1] };
}

function run(question: string, options: readonly string[]): number {
  const program = [...process.execArgv, '--expose-gc', fileOf(question), ...options];
  const { status } = spawnSync(process.execPath, program, {
    stdio: 'inherit',
    env: {
      ...process.env,
      // The bundle is measured, because users run it.
      ZOETROPE_TEST_PROGRAM: path.resolve('packages/server/bundle/main.mjs'),
      // This path begins with a `chrt` that fails, because on a busy machine a process in the idle class might never
      // finish.
      PATH: [path.join(import.meta.dirname, 'support/programs'), process.env['PATH']].join(path.delimiter),
    },
  });
  return status ?? 1;
}

function fileOf(question: string): string {
  return path.join(folder, files.get(question)!);
}
