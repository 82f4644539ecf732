import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Checks that the code must pass. */
const CHECKS = [
  { name: 'lint and format', command: ['biome', 'check', '--error-on-warnings', '--colors=force'] },
  // Each checker reads the types of all libraries again. Two checkers are quicker than the usual four, and use less
  // processor time.
  { name: 'types', command: ['tsc', '-b', '--pretty', '--checkers', '2'] },
  { name: 'unused code', command: ['knip'] },
] as const;

/**
 * Lets the compiler, which is written in Go, collect garbage less often. Otherwise, garbage collection takes a sixth of
 * its time.
 */
const LESS_COLLECTING = { GOGC: '400' };

/** Runs all checks at the same time. Reports each failed check as soon as it ends. */
export async function runChecks(): Promise<{ passed: number; failed: number }> {
  const results = await Promise.all(CHECKS.map(runCheck));
  const passed = results.filter(Boolean).length;
  return { passed, failed: CHECKS.length - passed };
}

/** @returns whether the check passed */
async function runCheck({ name, command }: (typeof CHECKS)[number]): Promise<boolean> {
  const [program, ...args] = command;
  const env = { ...process.env, ...LESS_COLLECTING };
  const child = spawn(`node_modules/.bin/${program}`, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, complaints, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  if (code === 0) return true;
  // All output is written at once, so that the output of other checks and tests does not mix with it.
  console.error(`${output}${complaints}check failed: ${name} (${command.join(' ')})`);
  return false;
}
