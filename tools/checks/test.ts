import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { FEW_CASES, SHORT_RUN } from '../../packages/server/src/platform/testing/short-run.ts';
import { missingParts, parts } from '../../test/support/parts.ts';
import { PROGRAM } from '../../test/support/server.ts';
import { runChecks } from './checks.ts';
import { REPORT, type Report } from './test-times.ts';
import { useLongTimeSlices } from './time-slices.ts';

/*
 * The test run: checks and tests at the same time, then one line that counts both.
 *
 *   (nothing)     the checks and the fast tests
 *   --all         all tests, as in CI: also whole services, browsers, edges, faults, packages, and all databases; more
 *                 cases of each property than in CI
 *   --changed     the checks, and the tests that import what the working tree changes
 *   PATH ...      only the tests in these paths, without the checks; --all also runs them on a search cluster
 *   --sources     runs the service from its sources instead of bundling it first
 *
 * Other options are passed to the test runner.
 */

/** Linux's file system in memory, and the space that a whole run needs in it. */
const MEMORY = '/dev/shm';
const MEMORY_BYTES = 8e9;

/**
 * The unit tests share this process and keep most of what they load. With this size, V8 marks the whole heap half as
 * often, which saves a twentieth of their processor time.
 */
const HEAP = ['--initial-old-space-size=512'];
const VITEST = 'node_modules/vitest/vitest.mjs';

const OURS = new Set(['--all', '--sources']);
const SEED = 'ZOETROPE_TEST_SEED';
const started = Date.now();
const seed = process.env[SEED] ?? `${started % 2 ** 31}`;
const options = process.argv.slice(2).filter((option) => !OURS.has(option));
const isChanged = options.includes('--changed');
const isWhole = options.length === 0;
/**
 * Whether the run must be complete. In CI, no test is allowed to be skipped because a program is missing. Only the
 * shared test data can be missing.
 */
const mustBeComplete = process.env['ZOETROPE_TEST_COMPLETE'] === '1' && isWhole;
const wantsAll = process.argv.includes('--all');
const isAll = mustBeComplete || wantsAll;
const isShort = isWhole && !isAll;

useLongTimeSlices();
const [checks, tests] = await Promise.all([
  isWhole || isChanged ? runChecks() : { passed: 0, failed: 0 },
  runTests([...projects(), ...options]),
]);

const missing = missingParts();
if (isWhole) for (const { group, command } of missing) console.log(`left out: ${group}. To run them: ${command}`);
if (isShort)
  console.log(
    'left out: whole services, browsers, edges, faults, packages, search clusters and other databases than SQLite.',
  );
if (isShort) console.log('These take minutes. To include them: npm test -- --all');
const failed = checks.failed + tests.failed + leftOut();
console.log(`seed of the property tests: ${seed} (to repeat them: ${SEED}=${seed} npm test)`);
console.log(`time: ${duration(Date.now() - started)}`);
console.log(`tests: ${checks.passed + tests.passed} passed, ${failed} failed, ${tests.skipped} skipped`);
process.exitCode = failed === 0 ? 0 : 1;

/** Returns the options that choose projects of vitest.config.ts. */
function projects(): string[] {
  if (isShort) return ['--project=unit', '--project=process'];
  return isAll && parts.opensearch !== undefined ? [] : ['--project=!cluster'];
}

async function runTests(runnerOptions: string[]): Promise<Report> {
  const folder = makeFolder();
  const report = path.join(folder, 'report.json');
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    TMPDIR: folder,
    // A run starts more than a thousand Node processes. Without the cache, compiling takes a fifth of their time.
    NODE_COMPILE_CACHE: path.join(folder, 'compiled'),
    [REPORT]: report,
    [SEED]: seed,
  };
  if (!process.argv.includes('--sources')) env[PROGRAM] = path.resolve('packages/server/bundle/main.mjs');
  if (isShort) env[SHORT_RUN] = '1';
  if (isWhole && !wantsAll) env[FEW_CASES] = '1';
  const vitest = spawn(process.execPath, [...HEAP, VITEST, 'run', ...runnerOptions], { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => vitest.kill(signal));
  const [code] = await once(vitest, 'exit');
  try {
    const found = JSON.parse(fs.readFileSync(report, 'utf8')) as Report;
    return { ...found, failed: Math.max(found.failed, code === 0 ? 0 : 1) };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/**
 * Makes the folder for all temporary files of this run. The folder is in memory if there is enough, because databases
 * wait for disks. Also removes the folders of runs that were killed.
 */
function makeFolder(): string {
  const isRoomy = fs.existsSync(MEMORY) && freeBytes(MEMORY) > MEMORY_BYTES;
  const parent = isRoomy ? MEMORY : os.tmpdir();
  for (const name of fs.globSync('zoetrope-test-*-*', { cwd: parent })) {
    const pid = Number(name.split('-')[2]);
    if (!isRunning(pid)) fs.rmSync(path.join(parent, name), { recursive: true, force: true });
  }
  const folder = fs.mkdtempSync(path.join(parent, `zoetrope-test-${process.pid}-`));
  // Other users can use the folder, because servers that refuse to run as root run as other users.
  fs.chmodSync(folder, 0o755);
  return folder;
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = fs.statfsSync(folder);
  return bavail * bsize;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Returns the number of groups or tests that were skipped although this is not allowed. */
function leftOut(): number {
  if (!mustBeComplete) return 0;
  const installable = missing.filter(({ isData }) => !isData);
  for (const { group } of installable) console.error(`failed: ${group} must not be skipped here`);
  const hasAll = missing.length === 0;
  const { skipped } = tests;
  if (hasAll && skipped > 0) console.error(`failed: ${skipped} tests were skipped although everything is installed`);
  return installable.length + (hasAll ? skipped : 0);
}

function duration(ms: number): string {
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}
