import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readFolder } from './folder.ts';

test('every picture of a folder is read in name order, however its ending is written', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-folder-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  fs.mkdirSync(path.join(folder, 'cats'));
  for (const name of ['b.webp', 'A.GIF', 'c.Gif', 'cats/d.WebP', 'notes.txt', 'gif', 'e.gif.png'])
    fs.writeFileSync(path.join(folder, name), '');
  const found: string[] = [];
  for await (const entry of readFolder(folder)) found.push(path.relative(folder, entry.path));
  expect(found).toEqual(['A.GIF', 'b.webp', 'c.Gif', 'cats/d.WebP']);
});
