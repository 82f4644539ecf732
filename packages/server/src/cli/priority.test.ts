import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { SYSTEM_PATH } from '../platform/testing/system-path.ts';

const LOW = os.constants.priority.PRIORITY_BELOW_NORMAL;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-priority-'));
const [quiet, served] = ['quiet', 'served'].map((name) => path.join(folder, name)) as [string, string];
fs.mkdirSync(served);
fs.writeFileSync(path.join(served, 'serve.lock.holder'), 'zoetrope serve (process 1)');
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** The priority of a process, and whether it is in Linux's idle class. */
interface Priority {
  nice: number;
  isIdle: boolean;
}

/** The conditions under which a process starts. */
interface Start {
  /** Whether the process finds the program that puts it into the idle class. */
  hasChrt?: boolean;
  /** The priority at which the process starts. Default: the priority of the tests. */
  nice?: number;
}

/** Returns the priority of a process that runs this command, before and after `lowerPriority`. */
function priorities(command: string, data: string, { hasChrt = true, nice }: Start = {}): [Priority, Priority] {
  const program = `
    import { lowerPriority } from ${JSON.stringify(path.join(import.meta.dirname, 'priority.ts'))};
    import { spawnSync } from 'node:child_process';
    import os from 'node:os';
    const { PATH } = process.env;
    const read = () => {
      const { stdout } = spawnSync('chrt', ['--pid', String(process.pid)], { encoding: 'utf8', env: { PATH } });
      return { nice: os.getPriority(), isIdle: /SCHED_IDLE/.test(stdout ?? '') };
    };
    ${nice === undefined ? '' : `os.setPriority(${nice});`}
    const before = read();
    if (${!hasChrt}) process.env.PATH = '';
    lowerPriority(${JSON.stringify(command)}, ${JSON.stringify(data)});
    console.log(JSON.stringify([before, read()]));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    env: { PATH: SYSTEM_PATH },
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

// The tests themselves can run at a lower priority.
describe('while a service runs on the data folder', () => {
  it('a long command gives way to it', () => {
    const [before, after] = priorities('add', served);
    expect(after.isIdle || after.nice === Math.max(before.nice, LOW)).toBe(true);
  });

  it('a long command runs at low priority if there is no idle class', () => {
    const [before, after] = priorities('add', served, { hasChrt: false });
    expect(after).toEqual({ ...before, nice: Math.max(before.nice, LOW) });
  });

  it('a command that was started at a lower priority keeps it', () => {
    const [before, after] = priorities('add', served, { hasChrt: false, nice: 19 });
    expect([before.nice, after]).toEqual([19, before]);
  });

  it('a short command keeps its priority', () => {
    const [before, after] = priorities('client', served);
    expect(after).toEqual(before);
  });
});

it('without a service, a long command keeps its priority', () => {
  const [before, after] = priorities('add', quiet);
  expect(after).toEqual(before);
});

describe('the program, while a service runs on the data folder', () => {
  /** Returns the priority of the program when it starts and when it exits. */
  function prioritiesOf(...args: string[]): [Priority, Priority] {
    const note = `
      import { spawnSync } from 'node:child_process';
      import os from 'node:os';
      const read = () => ({
        nice: os.getPriority(),
        isIdle: /SCHED_IDLE/.test(spawnSync('chrt', ['--pid', String(process.pid)], { encoding: 'utf8' }).stdout ?? ''),
      });
      const before = read();
      process.on('exit', () => console.error(JSON.stringify([before, read()])));`;
    const main = path.join(import.meta.dirname, '..', 'main.ts');
    const hook = `data:text/javascript,${encodeURIComponent(note)}`;
    const { stderr } = spawnSync(process.execPath, ['--import', hook, main, ...args], {
      encoding: 'utf8',
      env: { PATH: SYSTEM_PATH, ZOETROPE_DATA: served },
    });
    return JSON.parse(stderr);
  }

  it('lowers its priority for a long command', () => {
    const [before, after] = prioritiesOf('work', '--help');
    expect(after.isIdle || after.nice === Math.max(before.nice, LOW)).toBe(true);
  });

  it('keeps its priority for a long command with --now', () => {
    const [before, after] = prioritiesOf('work', '--now', '--help');
    expect(after).toEqual(before);
  });
});
