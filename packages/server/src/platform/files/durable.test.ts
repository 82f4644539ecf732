import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolderDurably, replaceDurably } from './durable.ts';

let folder: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-durable-'));
});

afterEach(() => fs.rmSync(folder, { recursive: true }));

test('a file is replaced as a whole, and nothing else remains in its folder', async () => {
  const file = path.join(folder, 'state.json');
  for (const content of ['a long first content', 'short']) {
    await replaceDurably(file, content);
    expect(fs.readFileSync(file, 'utf8')).toBe(content);
  }
  expect(fs.readdirSync(folder)).toEqual(['state.json']);
});

test('a file that cannot be replaced is reported, and leaves no unfinished file behind', async () => {
  const taken = path.join(folder, 'taken');
  fs.mkdirSync(taken);
  await expect(replaceDurably(taken, 'content')).rejects.toMatchObject({ syscall: 'rename' });
  expect(fs.readdirSync(folder)).toEqual(['taken']);
});

test('a folder is made with its missing parents, and an existing folder is left as it is', async () => {
  const deep = path.join(folder, 'a', 'b');
  await makeFolderDurably(deep);
  fs.writeFileSync(path.join(deep, 'kept'), '');
  await makeFolderDurably(deep);
  expect(fs.readdirSync(deep)).toEqual(['kept']);
});
