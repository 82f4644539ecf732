import { cellMeans, type Frame } from './frame.ts';

/** Number of cells per side of the hash's input. */
const CELLS = 32;
/** Number of frequencies that the hash keeps in each direction. */
const WAVES = 8;

/** COSINES[wave][cell] contains the cosines of the discrete cosine transform (Ahmed, Natarajan & Rao 1974). */
const COSINES: readonly (readonly number[])[] = Array.from({ length: WAVES }, (_, wave) =>
  Array.from({ length: CELLS }, (_, cell) => Math.cos((Math.PI * wave * (2 * cell + 1)) / (2 * CELLS))),
);

/**
 * Returns a perceptual hash of 64 bits that hardly changes when a picture is scaled, recompressed or slightly
 * recoloured (Zauner 2010). It has one bit for each of the lowest frequencies of brightness. The bit is set if the
 * frequency is above the median. Returns 0 for a picture of a single colour, because such a picture resembles too many
 * other pictures.
 */
export function pictureHash(frame: Frame): bigint {
  const means = cellMeans(frame, CELLS);
  const light = Float64Array.from({ length: CELLS * CELLS }, (_, i) => {
    return 0.299 * means[3 * i]! + 0.587 * means[3 * i + 1]! + 0.114 * means[3 * i + 2]!;
  });
  const waves = slowestWaves(light);
  const ordered = waves.slice(1).toSorted(); // the first number is the mean brightness
  if (ordered.at(-1)! - ordered[0]! < 1) return 0n;
  const median = ordered[(ordered.length - 1) / 2]!;
  return waves.reduce((hash, wave) => (hash << 1n) | (wave > median ? 1n : 0n), 0n);
}

function slowestWaves(light: Float64Array): Float64Array {
  const rows = new Float64Array(CELLS * WAVES);
  for (let y = 0; y < CELLS; y++) {
    for (let u = 0; u < WAVES; u++) {
      for (let x = 0; x < CELLS; x++) rows[y * WAVES + u]! += light[y * CELLS + x]! * COSINES[u]![x]!;
    }
  }
  const waves = new Float64Array(WAVES * WAVES);
  for (let v = 0; v < WAVES; v++) {
    for (let u = 0; u < WAVES; u++) {
      for (let y = 0; y < CELLS; y++) waves[v * WAVES + u]! += rows[y * WAVES + u]! * COSINES[v]![y]!;
    }
  }
  return waves;
}
