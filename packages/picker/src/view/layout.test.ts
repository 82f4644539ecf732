import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { type Box, boxesWithin, layColumns, layRows, neighbour, type Size, stack } from './layout.ts';

const sizes = fc.array(
  fc.record({ width: fc.integer({ min: 1, max: 4_000 }), height: fc.integer({ min: 1, max: 4_000 }) }),
  {
    maxLength: 60,
  },
);
const widths = fc.integer({ min: 120, max: 2_000 });
const options = (width: number) => ({ width, gap: 8, size: 150 });

function overlap(a: Box, b: Box): boolean {
  const x = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  const y = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  return x > 0.01 && y > 0.01;
}

describe.each([
  ['columns', layColumns],
  ['rows', layRows],
])('%s', (_, lay) => {
  test('keep all tiles within the width, without overlap, and are as high as their content', () => {
    fc.assert(
      fc.property(sizes, widths, (of, width) => {
        const { boxes, height } = lay(of, options(width));
        expect(boxes).toHaveLength(of.length);
        for (const [i, box] of boxes.entries()) {
          expect(box.left).toBeGreaterThanOrEqual(-0.01);
          expect(box.left + box.width).toBeLessThanOrEqual(width + 1.5 * of.length);
          expect(box.width > 0 && box.height > 0).toBe(true);
          expect(boxes.slice(0, i).some((other) => overlap(box, other))).toBe(false);
        }
        expect(height).toBeCloseTo(Math.max(0, ...boxes.map(({ top, height }) => top + height)), 5);
      }),
      { numRuns: 60 * inject('cases') },
    );
  });

  test('do not move existing tiles when more are added, except in an incomplete row', () => {
    const of: Size[] = Array.from({ length: 40 }, (_, n) => ({
      width: 100 + ((n * 37) % 200),
      height: 120 + ((n * 53) % 90),
    }));
    const before = lay(of.slice(0, 20), options(600)).boxes;
    const after = lay(of, options(600)).boxes;
    const last = lay === layRows ? before.at(-1)!.top : Number.POSITIVE_INFINITY;
    for (const [i, box] of before.entries()) if (box.top < last) expect(after[i]).toEqual(box);
  });
});

test('a second list keeps its shape, and begins at a distance below the first list', () => {
  fc.assert(
    fc.property(sizes, sizes, widths, (first, second, width) => {
      const [upper, lower] = [layColumns(first, options(width)), layColumns(second, options(width))];
      const { boxes, height } = stack(upper, lower, 40);
      expect(boxes.slice(0, first.length)).toEqual(upper.boxes);
      const down = upper.height + 40;
      expect(boxes.slice(first.length)).toEqual(lower.boxes.map((box) => ({ ...box, top: box.top + down })));
      expect(height).toBe(down + lower.height);
    }),
    { numRuns: 60 * inject('cases') },
  );
});

test('there are two columns on the narrowest screen, and more on a wide one', () => {
  const lefts = (width: number) =>
    new Set(
      layColumns(
        Array.from({ length: 30 }, () => ({ width: 10, height: 10 })),
        options(width),
      ).boxes.map((box) => box.left),
    ).size;
  expect([lefts(200), lefts(480), lefts(1_000)]).toEqual([2, 3, 6]);
});

test('only boxes that overlap a range count as within it', () => {
  const layout = layColumns(
    Array.from({ length: 20 }, () => ({ width: 1, height: 1 })),
    { width: 308, gap: 8, size: 150 },
  );
  expect(boxesWithin(layout, 0, 150)).toEqual([0, 1]);
  expect(boxesWithin(layout, 150, 159)).toEqual([2, 3]);
  expect(boxesWithin(layout, 140, 170)).toEqual([0, 1, 2, 3]);
});

test('a last row that is not full keeps its tiles at about the usual height, and a full row fills the width', () => {
  const squares = Array.from({ length: 5 }, () => ({ width: 1, height: 1 }));
  const { boxes } = layRows(squares, { width: 466, gap: 8, size: 150 });
  const right = (i: number) => boxes[i]!.left + boxes[i]!.width;
  expect([boxes[2]!.top, right(2)]).toEqual([0, 466]);
  expect(boxes.slice(3).map(({ width, height }) => [width, height])).toEqual(Array(2).fill([180, 180]));
});

test('tiles of very tall and very flat pictures have a usable shape', () => {
  for (const lay of [layRows, layColumns]) {
    const { boxes } = lay(
      [
        { width: 1, height: 4_000 },
        { width: 4_000, height: 1 },
      ],
      options(900),
    );
    for (const { width, height } of boxes) {
      expect(height / width).toBeLessThanOrEqual(2.1);
      expect(width / height).toBeLessThanOrEqual(4.1);
    }
  }
});

describe('arrow keys', () => {
  const grid = layColumns(
    Array.from({ length: 9 }, () => ({ width: 1, height: 1 })),
    { width: 466, gap: 8, size: 150 },
  );
  test.each([
    [0, 'right', 1],
    [1, 'left', 0],
    [1, 'down', 4],
    [4, 'up', 1],
    [0, 'left', undefined],
    [2, 'right', undefined],
    [8, 'down', undefined],
    [1, 'up', undefined],
  ] as const)('from %i %s to %s', (from, direction, to) => {
    expect(neighbour(grid, from, direction)).toBe(to);
  });

  test('left and right stay in a row, and down goes to the tile below', () => {
    const square = { width: 1, height: 1 };
    const rows = layRows(Array(6).fill(square), { width: 308, gap: 8, size: 150 });
    expect(neighbour(rows, 0, 'right')).toBe(1);
    expect(neighbour(rows, 1, 'right')).toBeUndefined();
    expect(neighbour(rows, 2, 'left')).toBeUndefined();
    const uneven = layRows([square, { width: 3, height: 1 }, square, square], { width: 308, gap: 8, size: 75 });
    expect(uneven.boxes[2]!.top).toBeGreaterThan(0);
    expect(neighbour(uneven, 1, 'right')).toBeUndefined();
    expect(neighbour(uneven, 2, 'left')).toBeUndefined();
    expect(neighbour(uneven, 2, 'right')).toBe(3);
    expect(neighbour(uneven, 0, 'down')).toBe(2);
  });

  test('reach every tile of any grid, and up undoes down', () => {
    fc.assert(
      fc.property(sizes, widths, (of, width) => {
        const layout = layColumns(of, options(width));
        const seen = new Set(of.length > 0 ? [0] : []);
        for (const i of seen) {
          for (const direction of ['up', 'down', 'left', 'right'] as const) {
            const next = neighbour(layout, i, direction);
            if (next !== undefined) seen.add(next);
          }
        }
        expect(seen.size).toBe(of.length);
      }),
      { numRuns: 60 * inject('cases') },
    );
  });
});
