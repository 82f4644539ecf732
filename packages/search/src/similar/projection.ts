/**
 * Projects many numbers to a few numbers and roughly keeps the angles. It flips random signs, spreads every number over
 * all positions with a Walsh-Hadamard transform, and picks random positions. This takes n log n steps and needs no
 * table. Source: Ailon & Chazelle 2009, "The fast Johnson-Lindenstrauss transform"; Tropp 2011, "Improved analysis of
 * the subsampled randomized Hadamard transform".
 */
export class Projection {
  readonly #signs: Int8Array;
  readonly #places: Uint32Array;

  /** The same sizes and seed (an integer above 0) always give the same projection. */
  constructor(from: number, to: number, seed: number) {
    const size = 2 ** Math.ceil(Math.log2(from));
    const next = xorshift(seed);
    this.#signs = Int8Array.from({ length: size }, () => (next() < 2 ** 31 ? 1 : -1));
    const places = Uint32Array.from({ length: size }, (_, i) => i);
    for (let i = 0; i < to; i++) {
      const other = i + (next() % (size - i));
      [places[i], places[other]] = [places[other]!, places[i]!];
    }
    this.#places = places.subarray(0, to);
  }

  /** Returns the projected vector. Its length is about the length of `values` times the square root of `to`. */
  apply(values: Float64Array): Float64Array {
    const spread = new Float64Array(this.#signs.length);
    for (let i = 0; i < values.length; i++) spread[i] = values[i]! * this.#signs[i]!;
    transform(spread);
    return Float64Array.from(this.#places, (place) => spread[place]!);
  }
}

/** Applies the Walsh-Hadamard transform in place. */
function transform(values: Float64Array): void {
  for (let half = 1; half < values.length; half *= 2) {
    for (let start = 0; start < values.length; start += 2 * half) {
      for (let i = start; i < start + half; i++) {
        const a = values[i]!;
        const b = values[i + half]!;
        values[i] = a + b;
        values[i + half] = a - b;
      }
    }
  }
}

/** Returns a generator of pseudo-random integers below 2 ** 32. Source: Marsaglia 2003, "Xorshift RNGs". */
function xorshift(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}
