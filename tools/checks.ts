import { spawnSync } from 'node:child_process';

/** Checks that the code must pass before any test runs, fastest first. */
const CHECKS = [
  { name: 'lint and format', command: ['biome', 'check', '--error-on-warnings'] },
  { name: 'types', command: ['tsc', '-b'] },
  { name: 'unused code', command: ['knip'] },
] as const;

/** Runs every check and reports the failed ones. */
export function runChecks(): { passed: number; failed: number } {
  let failed = 0;
  for (const { name, command } of CHECKS) {
    const [program, ...args] = command;
    const { status } = spawnSync(`node_modules/.bin/${program}`, args, { stdio: 'inherit' });
    if (status === 0) continue;
    failed++;
    console.error(`check failed: ${name} (${command.join(' ')})`);
  }
  return { passed: CHECKS.length - failed, failed };
}
