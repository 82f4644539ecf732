import type { Frame } from '../looks/frame.ts';

type Colour = readonly [number, number, number];

/** Returns a frame painted pixel by pixel. */
export function paint(side: number, colourAt: (x: number, y: number) => Colour): Frame {
  const pixels = new Uint8Array(side * side * 3);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) pixels.set(colourAt(x, y), (y * side + x) * 3);
  }
  return { side, pixels };
}

/** Returns a frame of pseudo-random shades. The same seed gives the same frame. */
export function noise(side: number, seed: number): Frame {
  const shade = (x: number, y: number, c: number): number =>
    Math.imul((x + 1) * 73_856_093 + (y + 1) * 19_349_663 + c * 83_492_791 + seed, 2_654_435_761) >>> 24;
  return paint(side, (x, y) => [shade(x, y, 0), shade(x, y, 1), shade(x, y, 2)]);
}
