import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Earlier, SegmentWriter } from '@zoetrope/search';
import { afterAll, expect, test } from 'vitest';
import { loadBuild, loadBuildAside, type SharedSegment } from './load.ts';
import { manifestOf, publishSegment } from './publish.ts';
import { readerOf } from './stored-gif.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-builds-'));

afterAll(() => fs.rmSync(folder, { recursive: true }));

function writeOne(title = 'cat', earlier?: Earlier) {
  const writer = new SegmentWriter({}, earlier);
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

async function publishOne(title?: string) {
  const output = writeOne(title);
  const manifest = manifestOf(output, { revision: 1, policy: '', earlier: [], gifs: 1 });
  await publishSegment(folder, manifest, output);
  return manifest;
}

const countOpen = () => fs.readdirSync('/proc/self/fd').length;

test.skipIf(!fs.existsSync('/proc/self/fd'))(
  'a damaged segment leaves no file of the other segments open',
  async () => {
    const base = await publishOne('bird');
    const output = writeOne('fish');
    const delta = manifestOf(output, { revision: 2, policy: '', earlier: [base.build], gifs: 2 });
    await publishSegment(folder, delta, output);
    fs.writeFileSync(path.join(folder, delta.build, 'stored-bytes'), Uint8Array.of(1, 2, 4));
    const before = countOpen();
    for (let i = 0; i < 20; i++)
      await expect(loadBuild(folder, delta, 1)).rejects.toThrow(/section stored-bytes is damaged/);
    expect(countOpen()).toBeLessThan(before + 20);
  },
);

test.skipIf(!fs.existsSync('/proc/self/fd'))('a build that cannot be used leaves no file open', async () => {
  const manifest = await publishOne();
  const { segments } = await loadBuild(folder, manifest, 1);
  const [{ files }] = segments as [SharedSegment];
  expect([...readerOf(files)('stored-bytes', 0, 3)]).toEqual([1, 2, 3]);
  expect(() => readerOf(files)('stored-bytes', 2, 9)).toThrow(/stored-bytes ends at 3, before 9/);
  const before = countOpen();
  fs.writeFileSync(path.join(folder, manifest.build, 'stored-bytes'), Uint8Array.of(1, 2, 4));
  for (let i = 0; i < 20; i++)
    await expect(loadBuild(folder, manifest, 1)).rejects.toThrow(/section stored-bytes is damaged/);
  fs.rmSync(path.join(folder, manifest.build, 'stored-bytes'));
  for (let i = 0; i < 20; i++)
    await expect(loadBuild(folder, manifest, 1)).rejects.toThrow(/stored-bytes cannot be read/);
  expect(countOpen()).toBeLessThan(before + 20);
});

test('shares a build that another thread has loaded, keeps it readable, and reports its faults', async () => {
  const manifest = await publishOne('dog');
  const [here] = (await loadBuild(folder, manifest, 2)).segments as [SharedSegment];
  const priority = os.getPriority();
  const [there] = (await loadBuildAside(folder, manifest, 2)).segments as [SharedSegment];
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

test('reports a file that is longer than its section', async () => {
  const manifest = await publishOne('mouse');
  fs.appendFileSync(path.join(folder, manifest.build, 'postings'), 'x');
  await expect(loadBuild(folder, manifest, 1)).rejects.toThrow(/section postings/);
  await expect(loadBuild(folder, manifest, 1)).rejects.toHaveProperty('name', 'BuildError');
});

test('does not read a segment again that is in memory, even on another thread', async () => {
  const first = writeOne('horse');
  const base = manifestOf(first, { revision: 1, policy: '', earlier: [], gifs: 1 });
  await publishSegment(folder, base, first);
  const known = (await loadBuild(folder, base, 1)).segments;
  const second = writeOne('zebra', new Earlier([first]));
  const delta = manifestOf(second, { revision: 2, policy: '', earlier: [base.build], gifs: 1 });
  await publishSegment(folder, delta, second);
  const { segments } = await loadBuildAside(folder, delta, 1, known);
  expect(segments.map(({ name }) => name)).toEqual([base.build, delta.build]);
  expect(segments[0]).toBe(known[0]);
});
