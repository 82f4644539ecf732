/**
 * A unit vector is stored in two forms: the sign of each dimension as one bit, for scanning many vectors, and each
 * dimension as eight bits, for scoring the few candidates.
 */

/** Dimensions must be divisible by this: one SIMD register of 128 bits. */
export const DIMENSION_STEP: number = 128;

/** Maximum value, in standard deviations. Larger values are clipped. Unit vectors have practically no larger values. */
const DEVIATIONS = 5;

/**
 * Returns the number of int8 steps per unit. The dimensions of a unit vector have a deviation of 1/sqrt(dimensions).
 */
export function int8Scale(dimensions: number): number {
  return (127 * Math.sqrt(dimensions)) / DEVIATIONS;
}

/** Returns the size of the sign code in bytes. */
export function codeBytes(dimensions: number): number {
  return dimensions / 8;
}

/** Writes the sign code of a vector: dimension d is bit d & 7 of byte d >> 3, set if positive. */
export function writeCode(vector: Float32Array | Int8Array, code: Uint8Array): void {
  code.fill(0);
  for (let d = 0; d < vector.length; d++) {
    if (vector[d]! > 0) code[d >> 3]! |= 1 << (d & 7);
  }
}

/** Returns a unit vector in int8 steps, as it is stored and put into builds. */
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
