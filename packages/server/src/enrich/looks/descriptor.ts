import { colourLayout } from './colours.ts';
import { type Frame, mirrored } from './frame.ts';
import { gradients } from './gradients.ts';

/** Cells a side, of the colours and of the gradients. */
const CELLS = 8;

/** What the network says of pictures: for each as many numbers, from 0 to 6. */
export type Embed = (pictures: readonly Frame[]) => Promise<readonly Float32Array[]>;

/**
 * What the frames of a GIF look like, which is what they look like in a mirror: 1,344 numbers, the network's 576, 192 of
 * colours and 576 of gradients. Each is the mean over the frames; those that are never below 0 are given as their
 * roots, so that a few large ones do not outweigh all others.
 */
export async function describeFrames(frames: readonly Frame[], embed: Embed): Promise<Float32Array> {
  const mirrors = frames.map(mirrored);
  const network = mean(await embed([...frames, ...mirrors]));
  const colours = fold(mean(frames.map(colourLayout)), mean(mirrors.map(colourLayout)));
  const edges = fold(mean(frames.map(gradients)), mean(mirrors.map(gradients)));
  return Float32Array.of(...network.map(Math.sqrt), ...colours, ...edges.map(Math.sqrt));
}

/**
 * A picture and its mirror image, in cells, as one: the left half keeps what both show there on average, the right half
 * how far they are apart. Neither changes when the two are exchanged, and little is lost.
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
