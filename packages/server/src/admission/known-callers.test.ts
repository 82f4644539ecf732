import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Caller, Identifier } from './callers.ts';
import { KnownCallers } from './known-callers.ts';

const HOUR = 3_600_000;
const wisp: Caller = { client: { id: 'c', name: 'Wisp', isDevelopment: false }, isExact: true };
const key: Identifier = { kind: 'key', value: 'zoe_secret' };
const page: Identifier = { kind: 'origin', value: 'https://a.example' };

/** A registry, and a process that uses it. */
async function makeProcess() {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'zoetrope-callers-'));
  onTestFinished(() => fs.rm(folder, { recursive: true }));
  const clock = { ms: 1_700_000_000_000, now: () => clock.ms };
  const registry = {
    answer: wisp as Caller | 'suspended' | null | Error,
    async lookUp() {
      const { answer } = registry;
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  const file = path.join(folder, 'callers.json');
  const start = () =>
    KnownCallers.open({
      ...{ clock, file, log: pino({ level: 'silent' }), lookUp: registry.lookUp },
      write: (name, content) => fs.writeFile(name, content),
    });
  return { clock, registry, file, start };
}

const down = new Error('down');

test('a caller stays known for an hour while the registry is down, and strangers do not', async () => {
  const { clock, registry, start } = await makeProcess();
  const callers = await start();
  await callers.lookUp(key);
  registry.answer = down;
  expect(await callers.lookUp(key)).toEqual(wisp);
  await expect(callers.lookUp(page)).rejects.toBe(down);
  clock.ms += HOUR - 1;
  expect(await callers.lookUp(key)).toEqual(wisp);
  clock.ms += 1;
  await expect(callers.lookUp(key)).rejects.toBe(down);
});

test('an expired key is forgotten while the registry is down', async () => {
  const { clock, registry, start } = await makeProcess();
  const callers = await start();
  const expiring = { ...wisp, expiresAt: clock.ms + 1_000 };
  registry.answer = expiring;
  await callers.lookUp(key);
  registry.answer = down;
  clock.ms += 999;
  expect(await callers.lookUp(key)).toEqual(expiring);
  clock.ms += 1;
  await expect(callers.lookUp(key)).rejects.toBe(down);
});

test('callers stay known after a restart, and their file contains no identifier', async () => {
  const { registry, file, start } = await makeProcess();
  const first = await start();
  await first.lookUp(key);
  await first.lookUp(page);
  await first.close();
  const text = await fs.readFile(file, 'utf8');
  for (const { value } of [key, page]) expect(text).not.toContain(value);
  registry.answer = down;
  const second = await start();
  expect(await second.lookUp(key)).toEqual(wisp);
  expect(await second.lookUp(page)).toEqual(wisp);
  await fs.writeFile(file, text.slice(0, -9));
  await expect((await start()).lookUp(key)).rejects.toBe(down);
});

test.each([null, 'suspended'] as const)('a caller that becomes %s is forgotten', async (answer) => {
  const { registry, start } = await makeProcess();
  const callers = await start();
  await callers.lookUp(key);
  await callers.close();
  registry.answer = answer;
  expect(await callers.lookUp(key)).toBe(answer);
  await callers.close();
  registry.answer = down;
  await expect(callers.lookUp(key)).rejects.toBe(down);
  await expect((await start()).lookUp(key)).rejects.toBe(down);
});

test('every change is saved after five seconds, together with the changes in that time', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const saved: number[] = [];
  const parts = { file: 'callers.json', clock: { now: () => 1 }, log: pino({ level: 'silent' }) };
  const callers = await KnownCallers.open({
    ...parts,
    lookUp: async () => wisp,
    write: async (_, content) => void saved.push(JSON.parse(content).callers.length),
  });
  await callers.lookUp(key);
  await callers.lookUp(page);
  await vi.advanceTimersByTimeAsync(5_000);
  await callers.lookUp({ kind: 'origin', value: 'https://b.example' });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(saved).toEqual([2, 3]);
  await callers.close();
  expect(saved).toHaveLength(2);
});

test('the caller that was seen least recently is forgotten first, also after a restart', async () => {
  const { registry, start } = await makeProcess();
  const first = await start();
  const others = Array.from({ length: 16_383 }, (_, n): Identifier => ({ kind: 'user-agent', value: `Wisp/${n}` }));
  await first.lookUp(key);
  for (const other of others) await first.lookUp(other);
  await first.close();
  const second = await start();
  await second.lookUp(page);
  registry.answer = down;
  await expect(second.lookUp(key)).rejects.toBe(down);
  expect(await second.lookUp(others.at(-1)!)).toEqual(wisp);
});

test('a change of the registry forgets all callers, before and after a restart', async () => {
  const { registry, start } = await makeProcess();
  const callers = await start();
  callers.noteRevision(1);
  await callers.lookUp(key);
  callers.noteRevision(1);
  await callers.close();
  registry.answer = down;
  const same = await start();
  same.noteRevision(1);
  expect(await same.lookUp(key)).toEqual(wisp);
  const changed = await start();
  changed.noteRevision(2);
  await expect(changed.lookUp(key)).rejects.toBe(down);
  callers.noteRevision(2);
  await expect(callers.lookUp(key)).rejects.toBe(down);
});

test('a result from before a change of the registry is not remembered', async () => {
  const { promise, resolve } = Promise.withResolvers<Caller>();
  const slow = await makeSlow(promise);
  slow.noteRevision(1);
  const asking = slow.lookUp(key);
  slow.noteRevision(2);
  resolve(wisp);
  expect(await asking).toEqual(wisp);
  await expect(slow.lookUp(key)).rejects.toBe(down);
});

/** A process whose first look-up is slow. After that, the registry is down. */
function makeSlow(first: Promise<Caller>): Promise<KnownCallers> {
  let asked = 0;
  const lookUp = () => (asked++ === 0 ? first : Promise.reject(down));
  const clock = { now: () => 1 };
  const write = async () => {};
  return KnownCallers.open({ lookUp, file: undefined, write, clock, log: pino({ level: 'silent' }) });
}
