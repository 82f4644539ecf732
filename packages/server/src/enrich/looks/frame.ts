/** Side in pixels, and size in bytes, of the frames that the media room returns and the network expects. */
export const FRAME_SIDE = 224;
export const FRAME_BYTES = FRAME_SIDE * FRAME_SIDE * 3;

/** A square picture: `side` x `side` pixels of one byte each for red, green and blue, row by row. */
export interface Frame {
  readonly side: number;
  readonly pixels: Uint8Array;
}

/** Returns the mirror image of a frame. */
export function mirrored({ side, pixels }: Frame): Frame {
  const out = new Uint8Array(pixels.length);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const from = (y * side + x) * 3;
      const to = (y * side + side - 1 - x) * 3;
      out[to] = pixels[from]!;
      out[to + 1] = pixels[from + 1]!;
      out[to + 2] = pixels[from + 2]!;
    }
  }
  return { side, pixels: out };
}

/**
 * Returns the mean colour of `cells` x `cells` squares of the frame, row by row, each from 0 to 255. A pixel on an edge
 * between squares belongs to the square that contains its upper left corner.
 */
export function cellMeans({ side, pixels }: Frame, cells: number): Float64Array {
  const sums = new Float64Array(cells * cells * 3);
  const counts = new Float64Array(cells * cells);
  for (let y = 0; y < side; y++) {
    const row = Math.floor((y * cells) / side) * cells;
    for (let x = 0; x < side; x++) {
      const cell = row + Math.floor((x * cells) / side);
      const at = (y * side + x) * 3;
      counts[cell]! += 1;
      for (let c = 0; c < 3; c++) sums[cell * 3 + c]! += pixels[at + c]!;
    }
  }
  return sums.map((sum, i) => sum / counts[Math.floor(i / 3)]!);
}
