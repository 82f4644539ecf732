import { cellMeans, type Frame } from './frame.ts';

/** Side of the scaled picture and side of a cell, in pixels. */
const SIDE = 96;
const CELL = 12;
const CELLS = SIDE / CELL;
/**
 * Number of directions within half a turn. Half a turn is enough, because an edge from dark to light counts like an
 * edge from light to dark.
 */
const DIRECTIONS = 9;

/**
 * Returns the strength of the edges of a frame in 9 directions for 8 x 8 cells, row by row: 576 numbers, 0 or more.
 * Direction 0 is the direction of vertical edges. The method follows Dalal & Triggs 2005, "Histograms of oriented
 * gradients for human detection". Their block normalisation is left out, because each number is later standardised over
 * the catalogue.
 */
export function gradients(frame: Frame): Float64Array {
  const grey = greyPicture(frame);
  const histograms = new Float64Array(CELLS * CELLS * DIRECTIONS);
  const last = SIDE - 1;
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const across = grey[y * SIDE + Math.min(last, x + 1)]! - grey[y * SIDE + Math.max(0, x - 1)]!;
      const down = grey[Math.min(last, y + 1) * SIDE + x]! - grey[Math.max(0, y - 1) * SIDE + x]!;
      const cell = Math.floor(y / CELL) * CELLS + Math.floor(x / CELL);
      vote(histograms.subarray(cell * DIRECTIONS, (cell + 1) * DIRECTIONS), across, down);
    }
  }
  return histograms.map((strength) => strength / (CELL * CELL));
}

/** Divides a gradient between the two directions closest to its own direction. */
function vote(histogram: Float64Array, across: number, down: number): void {
  const strength = Math.hypot(across, down);
  if (strength === 0) return;
  const halfTurns = (Math.atan2(down, across) / Math.PI + 1) % 1;
  const direction = halfTurns * DIRECTIONS;
  const below = Math.floor(direction);
  histogram[below % DIRECTIONS]! += strength * (below + 1 - direction);
  histogram[(below + 1) % DIRECTIONS]! += strength * (direction - below);
}

/** Returns the luma of each pixel, from 0 to 1. Source: ITU-R BT.601. */
function greyPicture(frame: Frame): Float64Array {
  const means = cellMeans(frame, SIDE);
  return Float64Array.from({ length: SIDE * SIDE }, (_, i) => {
    return (0.299 * means[i * 3]! + 0.587 * means[i * 3 + 1]! + 0.114 * means[i * 3 + 2]!) / 255;
  });
}
