import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../config.ts';
import { silentLog } from '../media/testing/test-media.ts';
import { type Service, takeWorkLock } from '../service/index.ts';
import { build, wordsOf } from './build.ts';
import type { Task } from './workshop.ts';

test("a mistake in the operator's list of offensive words does not prevent builds, which use the built-in list", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const write = (text: string) => fs.writeFileSync(path.join(folder, 'offensive.txt'), text);
  const service = { config: loadConfig({}, folder), store: { folder }, log: silentLog() } as unknown as Service;
  write('voldemort\n');
  const own = await wordsOf(service);
  expect(['voldemort', 'slut'].map((word) => own.isAllOf(word))).toEqual([true, true]);
  write('voldemort\nsl*t\n');
  const builtIn = await wordsOf(service);
  expect(['voldemort', 'slut'].map((word) => builtIn.isAllOf(word))).toEqual([false, true]);
});

test('a build whose embedder cannot be opened leaves no lock behind', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const config = loadConfig({ ZOETROPE_EMBEDDER: 'onnx', ZOETROPE_EMBEDDER_MODEL: path.join(folder, 'none') }, folder);
  const store = { folder, databaseUrl: '', models: folder };
  const service = { config, store, log: silentLog() } as unknown as Service;
  const task: Task = { onProgress: () => {}, signal: new AbortController().signal };
  await expect(build(service, task, false)).rejects.toThrow(/ZOETROPE_EMBEDDER_MODEL|model/);
  await (await takeWorkLock(store, 'writer')).release();
});
