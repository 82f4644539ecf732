import { expect, test } from 'vitest';
import { paint } from '../testing/pictures.ts';
import { colourLayout } from './colours.ts';

const cell = (layout: Float64Array, x: number, y: number): number[] => [
  ...layout.subarray((y * 8 + x) * 3).slice(0, 3),
];

test('a single colour has its L*a*b* value in every cell', () => {
  // Reference values of sRGB's corners: Lindbloom's colour calculator.
  for (const [rgb, lab] of [
    [
      [255, 255, 255],
      [100, 0, 0],
    ],
    [
      [0, 0, 0],
      [0, 0, 0],
    ],
    [
      [255, 0, 0],
      [53.24, 80.09, 67.2],
    ],
    [
      [0, 0, 255],
      [32.3, 79.19, -107.86],
    ],
    [
      [10, 10, 10],
      [2.74, 0, 0],
    ],
  ] as const) {
    const layout = colourLayout(paint(224, () => rgb));
    expect(layout).toHaveLength(192);
    for (const [x, y] of [
      [0, 0],
      [7, 7],
      [3, 5],
    ] as const) {
      for (const [i, value] of cell(layout, x, y).entries()) expect(value).toBeCloseTo(lab[i]!, 1);
    }
  }
});

test('cells lie row by row', () => {
  const layout = colourLayout(paint(224, (x, y) => (x >= 112 && y < 28 ? [255, 255, 255] : [0, 0, 0])));
  const light = (x: number, y: number): number => Math.round(cell(layout, x, y)[0]!);
  expect([light(3, 0), light(4, 0), light(7, 0), light(4, 1)]).toEqual([0, 100, 100, 0]);
});

test('a cell shows the mean of its pixels', () => {
  const [stripes, grey] = [paint(224, (x) => (x % 2 ? [200, 0, 0] : [0, 0, 0])), paint(224, () => [100, 0, 0])];
  expect(colourLayout(stripes)).toEqual(colourLayout(grey));
});
