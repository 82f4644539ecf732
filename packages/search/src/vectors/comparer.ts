import { allocateVectors, MAX_SCORED, NO_ROW, spaceBytes, type VectorMemory } from './memory.ts';
import { codeBytes, writeCode } from './quantise.ts';
import { VectorSearcher } from './searcher.ts';

/** Compares vectors from different memories. It copies them to its own memory, which each call reuses. */
export class VectorComparer {
  readonly #memory: VectorMemory;
  readonly #searcher: VectorSearcher;

  constructor(dimensions: number) {
    const all = { documents: MAX_SCORED, vectors: MAX_SCORED };
    this.#memory = allocateVectors({ ...all, lists: 1, dimensions, threads: 1 });
    this.#searcher = new VectorSearcher(this.#memory, 0);
  }

  /**
   * Returns the places of the vectors (at most 4,096) in the same order, without those whose cosine with an earlier kept
   * vector is at least `sameCosine`. The places of missing vectors are kept.
   */
  distinct(vectors: readonly (Int8Array | undefined)[], sameCosine: number): Uint32Array {
    const { dimensions } = this.#memory;
    const { codes, int8, rows } = spaceBytes(this.#memory);
    const rowOf = new Uint32Array(rows.buffer, rows.byteOffset, MAX_SCORED);
    const width = codeBytes(dimensions);
    for (const [i, vector] of vectors.entries()) {
      rowOf[i] = vector === undefined ? NO_ROW : i;
      if (vector === undefined) continue;
      new Int8Array(int8.buffer, int8.byteOffset + i * dimensions, dimensions).set(vector);
      writeCode(vector, codes.subarray(i * width, (i + 1) * width));
    }
    return this.#searcher.distinct(Uint32Array.from(vectors.keys()), sameCosine);
  }
}
