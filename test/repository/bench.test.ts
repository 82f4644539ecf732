import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** A short run of all benchmarks takes minutes. A refusal takes less than a second. */
const TIMEOUT_MS = 60_000;

const bench = (...args: string[]) => {
  const program = [...process.execArgv, 'bench/run.ts', ...args];
  return spawnSync(process.execPath, program, { encoding: 'utf8', timeout: TIMEOUT_MS });
};

test('a short run refuses options that it does not have before it measures anything', () => {
  const { status, stdout, stderr } = bench('quick', '--help');
  expect([status, stdout, stderr]).toEqual([2, '', 'bench quick has no option --help; it only has --changed\n']);
});

test('without a name, the benchmarks are listed with their questions; an unknown name is refused', () => {
  const { status, stdout } = bench();
  expect(status).toBe(0);
  expect(stdout).toMatch(/^catalogue +How long does it take/m);
  expect(bench('nothing-such')).toMatchObject({ status: 2, stdout });
});
