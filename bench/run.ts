import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/*
 * `npm run bench` lists the benchmarks; `npm run bench NAME [ARGUMENTS]` runs one. Each prints a baseline and a candidate
 * measured in the same run, because the machine's speed changes from run to run and their ratio does not.
 */

const folder = import.meta.dirname;
const [name, ...args] = process.argv.slice(2);
const names = fs.globSync('*.ts', { cwd: folder }).toSorted();

if (name === 'quick') process.exitCode = runQuick();
else if (name !== undefined && names.includes(`${name}.ts`)) process.exitCode = run(`${name}.ts`, args);
else {
  for (const found of names) {
    const { question } = headOf(found);
    if (question) console.log(`${found.replace('.ts', '').padEnd(12)} ${question}`);
  }
  console.log(
    `${'quick'.padEnd(12)} Do they run? Those that can be asked in seconds, of little data; their figures say nothing.`,
  );
  process.exitCode = name === undefined ? 0 : 2;
}

/** @returns how many did not run to their end */
function runQuick(): number {
  const failed = names.filter((file) => {
    const { quick } = headOf(file);
    if (quick === undefined) return false;
    console.log(`bench ${file.replace('.ts', '')} ${quick}`);
    return run(file, quick.split(' ')) !== 0;
  });
  for (const file of failed) console.error(`bench ${file.replace('.ts', '')} failed`);
  return failed.length;
}

/** The first line of a benchmark is its question; a second one may say with which arguments it takes seconds. */
function headOf(file: string): { question: string | undefined; quick: string | undefined } {
  const text = fs.readFileSync(path.join(folder, file), 'utf8');
  return { question: /^\/\/ (.*)/.exec(text)?.[1], quick: /^\/\/ quick: (.*)/m.exec(text)?.[1] };
}

function run(file: string, options: readonly string[]): number {
  const program = [...process.execArgv, '--expose-gc', path.join(folder, file), ...options];
  const { status } = spawnSync(process.execPath, program, {
    stdio: 'inherit',
    // The service is measured as it is run.
    env: { ...process.env, ZOETROPE_TEST_PROGRAM: path.resolve('packages/server/bundle/main.mjs') },
  });
  return status ?? 1;
}
