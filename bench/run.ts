import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/*
 * `npm run bench` lists the benchmarks; `npm run bench NAME [ARGUMENTS]` runs one. Each prints a baseline and a candidate
 * measured in the same run, because the machine's speed changes from run to run and their ratio does not.
 */

const folder = import.meta.dirname;
const [name, ...args] = process.argv.slice(2);
const file = path.join(folder, `${name}.ts`);

if (name === undefined || !fs.existsSync(file)) {
  for (const found of fs.globSync('*.ts', { cwd: folder }).toSorted()) {
    const question = /^\/\/ (.*)/.exec(fs.readFileSync(path.join(folder, found), 'utf8'))?.[1];
    if (question) console.log(`${found.replace('.ts', '').padEnd(12)} ${question}`);
  }
  process.exitCode = name === undefined ? 0 : 2;
} else {
  const { status } = spawnSync(process.execPath, [...process.execArgv, '--expose-gc', file, ...args], {
    stdio: 'inherit',
    // The service is measured as it is run.
    env: { ...process.env, ZOETROPE_TEST_PROGRAM: path.resolve('packages/server/bundle/main.mjs') },
  });
  process.exitCode = status ?? 1;
}
