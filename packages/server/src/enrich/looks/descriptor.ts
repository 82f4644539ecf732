import { colourLayout } from './colours.ts';
import { type Frame, mirrored } from './frame.ts';
import { gradients } from './gradients.ts';

/** Cells per side, for colours and gradients. */
const CELLS = 8;

/** Returns the output of the network for each picture. Its numbers are from 0 to 6. */
export type Embed = (pictures: readonly Frame[]) => Promise<readonly Float32Array[]>;

/**
 * Returns the descriptor of a GIF's frames. It has 1,344 numbers: 576 from the network, 192 of colours and 576 of
 * gradients. It is the same for the GIF's mirror image. Each number is the mean over the frames. Numbers that are never
 * negative are given as square roots, because otherwise a few large numbers would outweigh the others.
 */
export async function describeFrames(frames: readonly Frame[], embed: Embed): Promise<Float32Array> {
  const mirrors = frames.map(mirrored);
  const network = mean(await embed([...frames, ...mirrors]));
  const colours = fold(mean(frames.map(colourLayout)), mean(mirrors.map(colourLayout)));
  const edges = fold(mean(frames.map(gradients)), mean(mirrors.map(gradients)));
  return Float32Array.of(...network.map(Math.sqrt), ...colours, ...edges.map(Math.sqrt));
}

/**
 * Combines a picture, given as cells, with its mirror image. The left half of the result is the mean of both, and the
 * right half is their difference. If picture and mirror image are swapped, neither half changes. Little information is
 * lost.
 */
function fold(picture: Float64Array, mirror: Float64Array): Float64Array {
  const width = picture.length / CELLS;
  const cell = width / CELLS;
  const folded = new Float64Array(picture.length);
  for (let at = 0; at < picture.length; at++) {
    const x = Math.floor((at % width) / cell);
    if (x >= CELLS / 2) continue;
    const across = at + (CELLS - 1 - 2 * x) * cell;
    folded[at] = (picture[at]! + mirror[at]!) / 2;
    folded[across] = Math.abs(picture[at]! - mirror[at]!) / 2;
  }
  return folded;
}

function mean(rows: readonly (Float64Array | Float32Array)[]): Float64Array {
  return Float64Array.from(rows[0]!, (_, i) => rows.reduce((sum, row) => sum + row[i]!, 0) / rows.length);
}
