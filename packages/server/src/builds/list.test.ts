import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { SegmentWriter } from '@zoetrope/search';
import { expect, onTestFinished, test } from 'vitest';
import { listBuilds } from './list.ts';
import { manifestOf, publishSegment } from './publish.ts';

const SECOND = 1_000;

test('builds of the same revision are listed by the time when they were written, latest first', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const publish = async (title: string) => {
    const writer = new SegmentWriter({});
    const words = { title, tags: [], characters: [], series: [], text: '', adult: false, popularity: 0 };
    writer.add({ id: 'a.gif', ...words, stored: Uint8Array.of(1) });
    const output = writer.finish();
    const manifest = manifestOf(output, { revision: 1, policy: '', earlier: [], gifs: 1 });
    await publishSegment(folder, manifest, output);
    return manifest;
  };
  const [cat, dog] = [await publish('cat'), await publish('dog')];
  const listedIf = async (catAt: number, dogAt: number) => {
    for (const [{ build, engine }, at] of [[cat, catAt] as const, [dog, dogAt] as const]) {
      fs.utimesSync(path.join(folder, build, engine.sections[0]!.name), at, at);
    }
    const builds = await listBuilds(folder);
    return builds.map(({ build, writtenAt, isCurrent }) => [build, writtenAt, isCurrent]);
  };
  const older = [cat.build, 2 * SECOND, false];
  expect(await listedIf(2, 1)).toEqual([older, [dog.build, 1 * SECOND, true]]);
  expect(await listedIf(2, 3)).toEqual([[dog.build, 3 * SECOND, true], older]);
});
