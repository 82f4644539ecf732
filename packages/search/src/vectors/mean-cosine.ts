import { int8Scale } from './quantise.ts';

/**
 * The mean cosine of all pairs of vectors. It is computed as the squared length of the mean vector, which is the mean
 * of all dot products. Pairs of a vector with itself are included.
 */
export class MeanCosine {
  readonly #sum: Float64Array;
  #vectors = 0;

  constructor(dimensions: number) {
    this.#sum = new Float64Array(dimensions);
  }

  /** Adds a vector in int8 steps. */
  add(vector: Int8Array): void {
    const sum = this.#sum;
    for (let d = 0; d < vector.length; d++) sum[d]! += vector[d]!;
    this.#vectors += 1;
  }

  /** The mean cosine, or 0 if there are no vectors. */
  get value(): number {
    if (this.#vectors === 0) return 0;
    const steps = int8Scale(this.#sum.length) * this.#vectors;
    return this.#sum.reduce((square, value) => square + (value / steps) ** 2, 0);
  }
}
