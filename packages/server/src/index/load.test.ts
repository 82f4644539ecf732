import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { BuildWriter } from '@zoetrope/search';
import { afterAll, expect, test } from 'vitest';
import { loadBuild, loadBuildAside } from './load.ts';
import { publishBuild } from './publish.ts';
import { readerOf } from './stored-gif.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-builds-'));

afterAll(() => fs.rmSync(folder, { recursive: true }));

function writeOne(title = 'cat') {
  const writer = new BuildWriter();
  const gif = {
    id: 'a.gif',
    title,
    tags: [],
    characters: [],
    series: [],
    text: '',
    adult: false,
    popularity: 0,
  };
  writer.add({ ...gif, stored: Uint8Array.of(1, 2, 3) });
  return writer.finish();
}

test.skipIf(!fs.existsSync('/proc/self/fd'))('a build that cannot be used leaves no file open', async () => {
  const manifest = await publishBuild(folder, writeOne(), { revision: 1, policy: '' });
  const { files } = loadBuild(folder, manifest, 1);
  expect([...readerOf(files)('stored-bytes', 0, 3)]).toEqual([1, 2, 3]);
  expect(() => readerOf(files)('stored-bytes', 2, 9)).toThrow(/stored-bytes ends at 3, before 9/);
  const open = () => fs.readdirSync('/proc/self/fd').length;
  const before = open();
  fs.writeFileSync(path.join(folder, manifest.build, 'stored-bytes'), Uint8Array.of(1, 2, 4));
  for (let i = 0; i < 20; i++) expect(() => loadBuild(folder, manifest, 1)).toThrow(/section stored-bytes is damaged/);
  fs.rmSync(path.join(folder, manifest.build, 'stored-bytes'));
  for (let i = 0; i < 20; i++) expect(() => loadBuild(folder, manifest, 1)).toThrow(/stored-bytes cannot be read/);
  expect(open()).toBeLessThan(before + 20);
});

test('shares a build that another thread has loaded, keeps it readable, and reports its faults', async () => {
  const manifest = await publishBuild(folder, writeOne('dog'), { revision: 2, policy: '' });
  const here = loadBuild(folder, manifest, 2);
  const priority = os.getPriority();
  const there = await loadBuildAside(folder, manifest, 2);
  // Only the loading thread has a lower priority.
  expect(os.getPriority()).toBe(priority);
  expect([...there.sections].map(([name, bytes]) => [name, [...bytes]])).toEqual(
    [...here.sections].map(([name, bytes]) => [name, [...bytes]]),
  );
  expect([...readerOf(there.files)('stored-bytes', 0, 3)]).toEqual([1, 2, 3]);
  fs.writeFileSync(path.join(folder, manifest.build, 'stored-bytes'), Uint8Array.of(1, 2, 4));
  await expect(loadBuildAside(folder, manifest, 2)).rejects.toThrow(/section stored-bytes is damaged/);
  await expect(loadBuildAside(folder, manifest, 2)).rejects.toHaveProperty('name', 'BuildError');
});
