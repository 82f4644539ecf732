import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseTable } from './catalogue/entry.ts';
import { openDrawings } from './drawn.ts';

const [sun, moon] = parseTable(
  'Sun | sun | breathe |  | 96 clear | a, b, c, d | 1\nMoon | crescent-moon | breathe |  | 96 clear | a, b, c, d | 1',
);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-drawn-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function open(program: string, cache = join(folder, 'cache')) {
  const script = join(folder, 'program.mjs');
  await writeFile(script, program);
  return openDrawings(cache, pathToFileURL(script));
}

it('keeps a drawn GIF for the same entry and the same program', async () => {
  const [drawn, copy] = [join(folder, 'drawn.gif'), join(folder, 'copy.gif')];
  await writeFile(drawn, 'a sun');
  await (await open('draws')).keep(drawn, sun!);
  const again = await open('draws');
  expect(await again.copyTo(copy, moon!)).toBe(false);
  expect(await again.copyTo(copy, { ...sun!, popularity: 9 })).toBe(false);
  expect(await again.copyTo(copy, sun!)).toBe(true);
  expect(await readFile(copy, 'utf8')).toBe('a sun');
  expect((await readdir(folder)).filter((name) => name.includes('.part'))).toEqual([]);
});

it('removes the GIFs that another version has drawn', async () => {
  const drawn = join(folder, 'drawn.gif');
  await writeFile(drawn, 'a sun');
  await (await open('draws')).keep(drawn, sun!);
  expect(await (await open('draws better')).copyTo(join(folder, 'copy.gif'), sun!)).toBe(false);
  expect(await readdir(join(folder, 'cache'))).toHaveLength(1);
});

it('draws without a cache if the folder cannot be written or is not given', async () => {
  const drawn = join(folder, 'drawn.gif');
  await writeFile(drawn, 'a sun');
  for (const cache of [join(drawn, 'below-a-file'), '']) {
    const drawings = await open('draws', cache);
    await drawings.keep(drawn, sun!);
    expect(await drawings.copyTo(join(folder, 'copy.gif'), sun!)).toBe(false);
  }
});
