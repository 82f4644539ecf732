import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { missingParts } from '../test/support/parts.ts';
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

const SLOW = ['test/e2e', 'test/edge', 'test/faults', 'test/integration', 'test/packages'];

const args = process.argv.slice(2).filter((argument) => argument !== '--all');
/**
 * Whether the run must be complete. In CI, no test may be skipped because a program is missing. Only the shared test
 * data can be missing.
 */
const mustBeComplete = process.env['ZOETROPE_TEST_COMPLETE'] === '1' && args.length === 0;
const isShort = args.length === 0 && !mustBeComplete && !process.argv.includes('--all');

const checks = args.length === 0 ? runChecks() : { passed: 0, failed: 0 };
const tests = runTests(isShort ? SLOW.map((folder) => `--exclude=${folder}/**`) : args);

const missing = missingParts();
for (const { group, command } of missing) console.log(`left out: ${group}. To run them: ${command}`);
if (isShort) console.log(`left out: ${SLOW.join(', ')}, which take minutes. To include them: npm test -- --all`);
const passed = checks.passed + tests.passed;
const failed = checks.failed + tests.failed + leftOut();
console.log(`tests: ${passed} passed, ${failed} failed, ${tests.skipped} skipped`);
process.exitCode = failed === 0 ? 0 : 1;

function runTests(options: string[]): { passed: number; failed: number; skipped: number } {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-test-'));
  const file = path.join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  // Tests run the bundle, which is up to date here.
  const env = { ...process.env, ZOETROPE_TEST_PROGRAM: path.resolve('packages/server/bundle/main.mjs') };
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
  if (hasAll && tests.skipped > 0)
    console.error(`failed: ${tests.skipped} tests were skipped although everything is installed`);
  return installable.length + (hasAll ? tests.skipped : 0);
}
