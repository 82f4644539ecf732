/**
 * Returns a generator of uniform numbers below 1. It is a linear congruential generator, which is good enough for
 * filling vectors.
 */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Returns a vector of length 1 in a random direction. */
export function unitVector(next: () => number, dimensions: number): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, () => next() + next() + next() - 1.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
