/**
 * A unit vector is kept in two forms: the sign of each dimension in one bit, for the scan over all documents, and
 * each dimension in eight bits, for scoring the few that the scan leaves.
 */

/** What a vector's numbers of bits and bytes must be divisible by: one SIMD register of 128 bits. */
export const DIMENSION_STEP: number = 128;

/** Numbers beyond this many standard deviations are cut; of a unit vector's dimensions practically none are. */
const DEVIATIONS = 5;

/** Steps of int8 for a difference of 1. The dimensions of a unit vector spread by 1/sqrt(dimensions). */
export function int8Scale(dimensions: number): number {
  return (127 * Math.sqrt(dimensions)) / DEVIATIONS;
}

/** Bytes of the sign code. */
export function codeBytes(dimensions: number): number {
  return dimensions / 8;
}

/** Writes the sign code of a vector: dimension d is bit d & 7 of byte d >> 3, set where it is above 0. */
export function writeCode(vector: Float32Array | Int8Array, code: Uint8Array): void {
  code.fill(0);
  for (let d = 0; d < vector.length; d++) {
    if (vector[d]! > 0) code[d >> 3]! |= 1 << (d & 7);
  }
}

/** A unit vector in int8 steps: how it is kept, and what a build is made from. */
export function quantise(vector: Float32Array): Int8Array {
  const out = new Int8Array(vector.length);
  writeInt8(vector, out);
  return out;
}

/** Writes a unit vector in int8 steps. */
export function writeInt8(vector: Float32Array, out: Int8Array): void {
  const scale = int8Scale(vector.length);
  for (let d = 0; d < vector.length; d++) out[d] = Math.max(-127, Math.min(127, Math.round(vector[d]! * scale)));
}
