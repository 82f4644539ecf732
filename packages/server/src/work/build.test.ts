import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../config.ts';
import { silentLog } from '../media/testing/test-media.ts';
import type { Service } from '../service/index.ts';
import { wordsOf } from './build.ts';

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
