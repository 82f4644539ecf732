import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { canAnimate, FITS, previewSizes } from './derivatives.ts';
import { MediaRefusal } from './refusal.ts';
import { createTestMedia, fileFor, localSource } from './testing/test-media.ts';
import { durationOf, walk } from './walker/probe.ts';

// Tests with real files, because real files differ from files that tests write. The folder with real files is not part
// of this repository.
const FOLDER = process.env['ZOETROPE_TEST_DATA'];
const MAX_FILES = 40;

describe.skipIf(FOLDER === undefined)('real files', () => {
  const { media, blobs } = createTestMedia();
  let paths: string[] = [];

  beforeAll(async () => {
    const entries = await readdir(FOLDER!, { recursive: true, withFileTypes: true });
    paths = entries
      .filter((entry) => entry.isFile() && /\.(gif|webp)$/i.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  });
  afterAll(() => media.close());

  test('have as many frames for the walker as for the decoder', async () => {
    for (const path of paths) {
      const bytes = await readFile(path);
      const found = await sharp(bytes, { pages: -1, failOn: 'none', limitInputPixels: false })
        .metadata()
        .catch(() => null);
      if (found === null) continue;
      try {
        const { delays, truncated } = walk(bytes);
        if (!truncated) expect(delays.length, path).toBe(found.pages ?? 1);
      } catch (error) {
        expect(error, path).toBeInstanceOf(MediaRefusal);
      }
    }
  });

  test('are walked or refused when they are damaged', async () => {
    const files = await Promise.all(every(paths, 20).map((path) => readFile(path)));
    const damage = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(255)), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(fc.nat(files.length - 1), damage, (which, changes) => {
        const bytes = Buffer.from(files[which]!);
        for (const [where, value] of changes) bytes[Math.floor(where * (bytes.length - 1))] = value;
        try {
          walk(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(MediaRefusal);
        }
      }),
      { numRuns: 500 * inject('cases') },
    );
  });

  test('have previews of the right size and duration', async () => {
    for (const path of every(paths, MAX_FILES)) {
      const facts = await media.ingest(await readFile(path)).catch((error: unknown) => {
        expect(error, path).toBeInstanceOf(MediaRefusal);
        return null;
      });
      if (facts === null) continue;
      const source = localSource(facts);
      const sizes = previewSizes(facts);
      for (const fit of FITS) {
        const { width, height } = sizes[fit];
        const still = await sharp(blobs.blobs.get(fileFor(source, fit, 'still').key)).metadata();
        expect([still.width, still.height], path).toEqual([width, height]);
        if (!canAnimate(facts, sizes[fit])) continue;
        const animation = walk(blobs.blobs.get(fileFor(source, fit, 'animated').key)!);
        expect([animation.width, animation.height], path).toEqual([width, height]);
        // The encoder can merge frames that look alike. If all frames look alike, the preview has one frame.
        if (animation.delays.length > 1) expect(durationOf(animation.delays), path).toBe(facts.durationMs);
      }
    }
  });
});

function every<T>(items: readonly T[], count: number): T[] {
  const step = Math.max(1, Math.floor(items.length / count));
  return items.filter((_, i) => i % step === 0).slice(0, count);
}
