import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-priority-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Returns whether `lowerPriority` lowers the priority of a process that runs this command. */
function givesWay(command: string, data: string): boolean {
  const program = `
    import { lowerPriority } from ${JSON.stringify(path.join(import.meta.dirname, 'priority.ts'))};
    import { spawnSync } from 'node:child_process';
    import os from 'node:os';
    const before = os.getPriority();
    lowerPriority(${JSON.stringify(command)}, ${JSON.stringify(data)});
    const { stdout } = spawnSync('chrt', ['--pid', String(process.pid)], { encoding: 'utf8' });
    // The tests themselves can run at a lower priority.
    console.log(/SCHED_IDLE/.test(stdout) || os.getPriority() > before);`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(stderr);
  return stdout.trim() === 'true';
}

it('lowers the priority of long commands while a service runs on the data folder', () => {
  const [quiet, served] = ['quiet', 'served'].map((name) => path.join(folder, name)) as [string, string];
  fs.mkdirSync(served);
  fs.writeFileSync(path.join(served, 'serve.lock.holder'), 'zoetrope serve (process 1)');
  expect(givesWay('add', served)).toBe(true);
  expect(givesWay('client', served)).toBe(false);
  expect(givesWay('add', quiet)).toBe(false);
});
