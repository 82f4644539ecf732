import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startOpenSearch } from '../packages/server/src/platform/opensearch/testing/cluster.ts';
import { missingParts, parts } from '../test/support/parts.ts';
import { CLUSTER } from '../test/support/server.ts';
import { runChecks } from './checks.ts';

/*
 * The test run: checks, then tests, then one line that counts both. If there are arguments, they go to the test runner
 * (`npm test -- packages/search`), and the checks are skipped. Tests that take minutes (whole services, browsers,
 * edges, faults, packages) run only with `--all` and in CI. The conformance tests always run.
 */

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  numFailedTestSuites: number;
}

const NO_TESTS = { passed: 0, failed: 0, skipped: 0 };
const SLOW = ['test/e2e', 'test/edge', 'test/faults', 'test/integration', 'test/packages'];

const args = process.argv.slice(2).filter((argument) => argument !== '--all');
/**
 * Whether the run must be complete. In CI, no test may be skipped because a program is missing. Only the shared test
 * data can be missing.
 */
const mustBeComplete = process.env['ZOETROPE_TEST_COMPLETE'] === '1' && args.length === 0;
const isShort = args.length === 0 && !mustBeComplete && !process.argv.includes('--all');

/** Tests of whatever the search engine decides. They run a second time on an index in a search cluster. */
const ENGINE_TESTS = [
  'test/conformance',
  ...['search', 'suggest', 'duplicates', 'languages', 'synonyms'].map((name) => `test/integration/${name}.test.ts`),
];

const checks = args.length === 0 ? runChecks() : { passed: 0, failed: 0 };
const tests = runTests(isShort ? SLOW.map((folder) => `--exclude=${folder}/**`) : args);
const onCluster = args.length > 0 || isShort ? NO_TESTS : await runOnCluster();

const missing = missingParts();
for (const { group, command } of missing) console.log(`left out: ${group}. To run them: ${command}`);
if (isShort) console.log(`left out: ${SLOW.join(', ')}, which take minutes. To include them: npm test -- --all`);
const passed = checks.passed + tests.passed + onCluster.passed;
const skipped = tests.skipped + onCluster.skipped;
const failed = checks.failed + tests.failed + onCluster.failed + leftOut();
console.log(`tests: ${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed === 0 ? 0 : 1;

interface Result {
  passed: number;
  failed: number;
  skipped: number;
}

/** Runs the tests of the search engine on a cluster of three nodes. */
async function runOnCluster(): Promise<Result> {
  if (parts.opensearch === undefined) return NO_TESTS;
  console.log('The tests of the search engine run again, on an index in a search cluster.');
  const cluster = await startOpenSearch(parts.opensearch);
  try {
    return runTests(ENGINE_TESTS, { [CLUSTER]: cluster.urls.join(',') });
  } finally {
    await cluster.stop();
  }
}

function runTests(options: string[], more: Record<string, string> = {}): Result {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-test-'));
  const file = path.join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  // Tests run the bundle, which is up to date here.
  const env = { ...process.env, ZOETROPE_TEST_PROGRAM: path.resolve('packages/server/bundle/main.mjs'), ...more };
  const vitest = ['run', ...reporters, ...options];
  const { status } = spawnSync('node_modules/.bin/vitest', vitest, { stdio: 'inherit', env });
  try {
    const report = JSON.parse(fs.readFileSync(file, 'utf8')) as Report;
    // If a test file cannot be loaded, none of its tests is counted as failed.
    const failed = Math.max(report.numFailedTests, status === 0 ? 0 : 1);
    return { passed: report.numPassedTests, failed, skipped: report.numPendingTests + report.numTodoTests };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the number of groups or tests that were skipped but must not be. */
function leftOut(): number {
  if (!mustBeComplete) return 0;
  const installable = missing.filter(({ isData }) => !isData);
  for (const { group } of installable) console.error(`failed: ${group} must not be skipped here`);
  const hasAll = missing.length === 0;
  if (hasAll && skipped > 0) console.error(`failed: ${skipped} tests were skipped although everything is installed`);
  return installable.length + (hasAll ? skipped : 0);
}
