import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Fault } from './mutate/fault.ts';
import { FAULTS } from './mutate/faults.ts';

/*
 * Checks that the tests notice faults. Plants one fault at a time in a checkout, runs the tests that should notice it,
 * and prints a Markdown table:
 *
 *   node --conditions=zoetrope tools/mutate.ts [--in CHECKOUT] [ID ...]
 *
 * Without ids, all faults are planted. The checkout is this repository by default. The checkout needs its dependencies
 * and models (`npm test` installs both), and must have no uncommitted changes in `packages`. The exit code is 1 if a
 * fault was not caught. This script is not part of CI, because a complete run takes a long time.
 */

/** Time limit for the tests of one fault, in milliseconds. */
const FAULT_MS = 300_000;
/** Packages whose bundles run in the browsers of tests. */
const BUNDLED = ['client', 'contract', 'dashboard', 'picker'].map((name) => `packages/${name}/`);
/** Time limit for the run without faults, in milliseconds. This run contains the tests of all faults. */
const UNCHANGED_MS = 3_600_000;
/** Time between the request to stop a run and the forced end of the run, in milliseconds. */
const STOP_MS = 5_000;

interface Report {
  success: boolean;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string }[];
  }[];
}

/** The result of a run of vitest. */
interface Run {
  /** Names of the tests that failed, with their file. A file that cannot be loaded counts as a failed test. */
  failed: string[];
  /** Number of tests that ran. */
  tests: number;
  /** Whether vitest reports success. If it does not although no test failed, there was an error outside of a test. */
  success: boolean;
}

type Outcome = { result: 'caught'; by: string } | { result: 'NOT caught' | 'does not apply' | 'error'; by: string };

/** A planted fault and how to remove it. */
interface Planted {
  file: string;
  before: string;
}

let planted: Planted | undefined;
let running: ChildProcess | undefined;
/** Folder for vitest's reports. */
const reports = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-mutate-'));

const { values, positionals } = parseArgs({ options: { in: { type: 'string' } }, allowPositionals: true });
const checkout = path.resolve(values.in ?? path.dirname(import.meta.dirname));

cleanUpAtEnd();
process.exitCode = await main();

async function main(): Promise<number> {
  const unknown = positionals.filter((id) => !FAULTS.some((fault) => fault.id === id));
  if (unknown.length > 0) return complain(`No fault has the id ${unknown.join(', ')}`);
  const changes = uncommitted();
  if (changes !== '') return complain(`Commit or undo the changes in packages of ${checkout} first:\n${changes}`);
  const faults = positionals.length === 0 ? FAULTS : FAULTS.filter(({ id }) => positionals.includes(id));
  const unchanged = await runUnchanged(faults);
  if (unchanged === undefined) return complain('The tests did not run without a fault, so they can prove nothing');
  console.log('| fault | room | file | what was planted | result | first failing test | seconds |');
  console.log('|---|---|---|---|---|---|---|');
  const uncaught: string[] = [];
  for (const fault of faults) {
    const start = performance.now();
    const outcome = await tryFault(fault, unchanged);
    const seconds = Math.round((performance.now() - start) / 1_000);
    const cells = [fault.id, roomOf(fault.file), fault.file, fault.breaks, outcome.result, outcome.by, `${seconds}`];
    console.log(`| ${cells.map((cell) => cell.replace(/\s+/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`);
    if (outcome.result !== 'caught') uncaught.push(`${fault.id} (${outcome.result})`);
  }
  console.log(`\n${faults.length - uncaught.length} of ${faults.length} faults were caught.`);
  if (uncaught.length > 0) console.log(`The others: ${uncaught.join(', ')}`);
  return uncaught.length === 0 ? 0 : 1;
}

function complain(message: string): number {
  console.error(message);
  return 2;
}

/** Returns git's list of the uncommitted changes in `packages`. */
function uncommitted(): string {
  const git = ['-C', checkout, 'status', '--porcelain', '--', 'packages'];
  const { status, stdout, stderr } = spawnSync('git', git, { encoding: 'utf8' });
  return status === 0 ? stdout : `git failed: ${stderr}`;
}

/** Removes the planted fault and the reports when this process ends, even if a signal or an exception ends it. */
function cleanUpAtEnd(): void {
  process.on('exit', () => {
    restore();
    fs.rmSync(reports, { recursive: true, force: true });
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      stop('SIGKILL');
      process.exit(128 + os.constants.signals[signal]);
    });
  }
}

function restore(): void {
  if (planted === undefined) return;
  fs.writeFileSync(planted.file, planted.before);
  planted = undefined;
}

/** Runs all named tests once without a fault. @returns undefined if they could not run */
async function runUnchanged(faults: readonly Fault[]): Promise<Run | undefined> {
  const tests = [...new Set(faults.flatMap((fault) => fault.tests))].filter(isThere);
  const run = await runTests(tests, UNCHANGED_MS);
  if (run === 'late' || run === undefined) return undefined;
  console.log(`Without a fault, ${run.tests - run.failed.length} of ${run.tests} tests pass.`);
  if (run.failed.length > 0) {
    console.log('These fail already, so they cannot prove anything:\n');
    for (const name of run.failed) console.log(`- ${name}`);
  }
  console.log('');
  return run;
}

/** Plants a fault, runs its tests, and removes the fault. */
async function tryFault(fault: Fault, unchanged: Run): Promise<Outcome> {
  const file = path.join(checkout, fault.file);
  const before = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined;
  if (before === undefined) return { result: 'does not apply', by: 'there is no such file' };
  const times = before.split(fault.from).length - 1;
  if (times !== 1) return { result: 'does not apply', by: `the text occurs ${times} times instead of once` };
  const tests = fault.tests.filter(isThere);
  if (tests.length === 0) return { result: 'does not apply', by: 'there are no such tests' };
  planted = { file, before };
  try {
    // The replacement is a function, because `$` has a special meaning in a replacement text.
    fs.writeFileSync(
      file,
      before.replace(fault.from, () => fault.to),
    );
    makeBundles(fault);
    return toOutcome(await runTests(tests, FAULT_MS), unchanged);
  } finally {
    restore();
    makeBundles(fault);
  }
}

/** Makes the bundles that contain the fault, because tests run these bundles and not their sources. */
function makeBundles({ file }: Fault): void {
  if (!BUNDLED.some((folder) => file.startsWith(folder))) return;
  const { status } = spawnSync(findNode(), ['tools/run.mjs', 'prepare'], { cwd: checkout, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`The bundles with the fault in ${file} could not be made`);
}

function toOutcome(run: Run | 'late' | undefined, unchanged: Run): Outcome {
  if (run === undefined) return { result: 'error', by: 'the report of vitest cannot be read' };
  if (run === 'late') return { result: 'caught', by: `(the tests did not end within ${FAULT_MS / 1_000} s)` };
  const news = run.failed.filter((name) => !unchanged.failed.includes(name));
  if (news[0] !== undefined) return { result: 'caught', by: news[0] };
  // A missing `await` can have this result, but so can a busy machine.
  if (run.failed.length === 0 && !run.success) return { result: 'error', by: '(an error outside of a test)' };
  if (run.failed.length === run.tests) return { result: 'error', by: '(its tests fail without the fault, too)' };
  return { result: 'NOT caught', by: `(${run.tests} tests ran)` };
}

/**
 * Runs these tests in the checkout, from the sources.
 * @returns `late` after the time limit, or undefined if there is no readable report
 */
async function runTests(tests: readonly string[], limitMs: number): Promise<Run | 'late' | undefined> {
  const file = path.join(reports, 'report.json');
  fs.rmSync(file, { force: true });
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=json', `--outputFile.json=${file}`, ...tests];
  const node = findNode();
  const { ZOETROPE_TEST_PROGRAM: _, ...own } = process.env;
  const env = { ...own, PATH: `${path.dirname(node)}${path.delimiter}${own['PATH'] ?? ''}` };
  // The run has its own process group, so that it can be ended together with all processes that it started.
  running = spawn(node, vitest, { cwd: checkout, env, stdio: 'ignore', detached: true });
  const { isLate, isOk } = await ended(running, limitMs);
  running = undefined;
  return isLate ? 'late' : readReport(file, isOk);
}

/** Waits for the end of a run. After the time limit, stops the run. */
async function ended(child: ChildProcess, limitMs: number): Promise<{ isLate: boolean; isOk: boolean }> {
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    stop('SIGTERM');
    setTimeout(() => stop('SIGKILL'), STOP_MS).unref();
  }, limitMs);
  const code = await new Promise<number | null>((resolve) => {
    child.on('exit', resolve);
    child.on('error', () => resolve(null));
  });
  clearTimeout(limit);
  // Services of a stopped test may still run, so the whole group is killed.
  stop('SIGKILL');
  return { isLate, isOk: code === 0 };
}

function stop(signal: NodeJS.Signals): void {
  if (running?.pid === undefined) return;
  try {
    process.kill(-running.pid, signal);
  } catch {
    // All processes of the group have ended.
  }
}

function readReport(file: string, isOk: boolean): Run | undefined {
  let report: Report;
  try {
    report = JSON.parse(fs.readFileSync(file, 'utf8')) as Report;
  } catch {
    return undefined;
  }
  const failed: string[] = [];
  let tests = 0;
  for (const { name, status, assertionResults } of report.testResults) {
    const where = path.relative(checkout, name);
    const ran = assertionResults.filter((test) => test.status === 'passed' || test.status === 'failed');
    const broken = ran.filter((test) => test.status === 'failed');
    tests += ran.length;
    failed.push(...broken.map(({ fullName }) => `${where}: ${fullName.trim()}`));
    if (status === 'failed' && broken.length === 0) failed.push(`${where}: (the file)`);
  }
  return { failed, tests, success: isOk && report.success };
}

/** Returns the checkout's own Node, or the running one if the checkout has none. */
function findNode(): string {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const own = path.join(checkout, 'tools/runtime/node_modules', name, 'bin/node');
  return fs.existsSync(own) ? own : process.execPath;
}

function isThere(file: string): boolean {
  return fs.existsSync(path.join(checkout, file));
}

/** Returns the room of a file, such as `platform/fetch`. For a file outside of the server, returns the package. */
function roomOf(file: string): string {
  const [, name = '', , room = '', part = ''] = file.split('/');
  if (name !== 'server') return name;
  return room === 'platform' ? `${room}/${part}` : room;
}
