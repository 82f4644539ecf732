import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FITS, previewSizes } from './derivatives.ts';

describe('previewSizes', () => {
  test.each([
    // width, height, small, medium, w240, w480
    [498, 280, '171x96', '341x192', '240x135', '480x270'],
    [128, 128, '96x96', '128x128', '128x128', '128x128'],
    [480, 96, '480x96', '480x96', '240x48', '480x96'],
    [96, 96, '96x96', '96x96', '96x96', '96x96'],
    [97, 97, '96x96', '97x97', '97x97', '97x97'],
    [101, 75, '101x75', '101x75', '101x75', '101x75'],
    [501, 375, '128x96', '257x192', '240x180', '480x359'],
    [1, 1, '1x1', '1x1', '1x1', '1x1'],
    [1, 30_000, '1x96', '1x192', '1x30000', '1x30000'],
    [16_384, 2, '16384x2', '16384x2', '240x1', '480x1'],
  ])('%i x %i', (width, height, ...expected) => {
    const sizes = previewSizes({ width, height, frames: 2 });
    expect(FITS.map((fit) => `${sizes[fit].width}x${sizes[fit].height}`)).toEqual(expected);
  });

  test('follows the rules of the specification for every image', () => {
    const side = fc.integer({ min: 1, max: 65_535 });
    fc.assert(
      fc.property(side, side, (width, height) => {
        const { small, medium, w240, w480 } = previewSizes({ width, height, frames: 1 });
        expect([small.height, medium.height]).toEqual([Math.min(height, 96), Math.min(height, 192)]);
        expect([w240.width, w480.width]).toEqual([Math.min(width, 240), Math.min(width, 480)]);
        for (const size of [small, medium, w240, w480]) {
          expect(size.width).toBeGreaterThanOrEqual(1);
          expect(size.height).toBeGreaterThanOrEqual(1);
          expect(size.width).toBeLessThanOrEqual(width);
          expect(size.height).toBeLessThanOrEqual(height);
          const skew = Math.abs(size.width * height - size.height * width);
          // Rounding changes a side by at most half a pixel. Only a side that is rounded up to 1 can change more.
          if (Math.min(size.width, size.height) > 1) expect(skew).toBeLessThanOrEqual(Math.max(width, height) / 2);
        }
      }),
    );
  });

  test.each([
    [1000, 1000, 300, true],
    [1000, 1000, 301, false],
    [1, 1, 2000, true],
    [1, 1, 2001, false],
    [4000, 4000, 60, false],
    [16_384, 16_384, null, true],
  ])('animates %i x %i in %s frames: %s', (width, height, frames, animated) => {
    const { w240 } = previewSizes({ width, height, frames });
    expect(w240.animated).toBe(animated);
  });

  test('makes animations only in the sizes that a WebP can have', () => {
    const tall = previewSizes({ width: 1, height: 30_000, frames: 2 });
    expect(FITS.map((fit) => tall[fit].animated)).toEqual([true, true, false, false]);
    const wide = previewSizes({ width: 16_384, height: 2, frames: 2 });
    expect(FITS.map((fit) => wide[fit].animated)).toEqual([false, false, true, true]);
    expect(previewSizes({ width: 16_383, height: 2, frames: 2 }).small.animated).toBe(true);
  });
});
