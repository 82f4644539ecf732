import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { takeLock } from './lock.ts';
import { whenFree } from './turns.ts';

/** Returns a lock file in a folder that is removed when the test ends. */
function file(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-lock-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  return path.join(folder, 'writer.lock');
}

it('refuses the second process and names the first', () => {
  const name = file();
  const lock = takeLock(name, 'zoetrope add');
  expect(() => takeLock(name, 'zoetrope build')).toThrow(`zoetrope add (process ${process.pid}) is already working`);
  lock.release();
  takeLock(name, 'zoetrope build').release();
});

it('distinguishes a damaged file from a lock that somebody holds', () => {
  const name = file();
  fs.writeFileSync(name, 'not a database '.repeat(1_000));
  expect(() => takeLock(name, 'zoetrope add')).toThrow('file is not a database');
});

it('is released when its process ends, even if that is killed', async () => {
  const name = file();
  const holder = `
    import { takeLock } from ${JSON.stringify(new URL('./lock.ts', import.meta.url).href)};
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    (() => takeLock(${JSON.stringify(name)}, 'holder'))();
    await turn();
    gc();
    await turn();
    console.log('held');
    setInterval(() => {}, 1000);`;
  const flags = ['--conditions=zoetrope', '--expose-gc', '--input-type=module', '--eval', holder];
  const child = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  expect(() => takeLock(name, 'me')).toThrow('holder');
  child.kill('SIGKILL');
  await once(child, 'exit');
  takeLock(name, 'me').release();
});

it('is no longer waited for by a command that is stopped', async () => {
  const name = file();
  const lock = takeLock(name, 'zoetrope add');
  const stop = new AbortController();
  const waiting = whenFree(() => takeLock(name, 'zoetrope build'), {
    signal: stop.signal,
    onWait: () => setImmediate(() => stop.abort(new Error('stopped by its operator'))),
  });
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  lock.release();
});
