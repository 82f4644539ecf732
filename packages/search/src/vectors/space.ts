import { GrowingBytes } from '../build/growing.ts';
import { codeBytes, DIMENSION_STEP, int8Scale, writeCode } from './quantise.ts';

/** The two vector spaces: what a document's words mean, and what its picture looks like. */
export const SPACES = ['meaning', 'looks'] as const;
export type SpaceName = (typeof SPACES)[number];

export interface SpaceShape {
  /** Name of the model; vectors of different models cannot be compared. */
  model: string;
  /** A multiple of 128. */
  dimensions: number;
  /** Further data of the model, stored with its vectors. */
  figures?: Uint8Array;
}

/** Description of a space in a build's manifest. */
export interface SpaceManifest extends Omit<SpaceShape, 'figures'> {
  /** Number of safe documents with a vector. */
  vectors: number;
  /** Mean cosine of two of them: how similar unrelated documents are. */
  meanCosine: number;
}

/** Collects the vectors of the safe documents, one row each: sign codes and int8, as the scan needs them. */
export class SpaceWriter {
  readonly #shape: Omit<SpaceShape, 'figures'>;
  readonly #figures: Uint8Array;
  /** Number of documents with a vector. */
  vectors = 0;
  readonly #codes = new GrowingBytes();
  readonly #int8 = new GrowingBytes();
  readonly #code: Uint8Array;
  readonly #nothing: Int8Array;
  readonly #sum: Float64Array;

  /** @throws RangeError if the dimensions are not a multiple of 128 */
  constructor({ model, dimensions, figures = new Uint8Array() }: SpaceShape) {
    if (!(dimensions > 0) || dimensions % DIMENSION_STEP !== 0) {
      throw new RangeError(
        `vectors of ${model} have ${dimensions} dimensions; a multiple of ${DIMENSION_STEP} is needed`,
      );
    }
    this.#shape = { model, dimensions };
    this.#figures = figures;
    this.#code = new Uint8Array(codeBytes(dimensions));
    this.#nothing = new Int8Array(dimensions);
    this.#sum = new Float64Array(dimensions);
  }

  /** Adds the next document's row, zeros if it has no vector. @throws RangeError for another length */
  add(vector: Int8Array | undefined): void {
    const row = vector ?? this.#nothing;
    if (row.length !== this.#shape.dimensions) {
      throw new RangeError(
        `a vector of ${this.#shape.model} has ${row.length} dimensions, not ${this.#shape.dimensions}`,
      );
    }
    if (vector !== undefined) this.#count(vector);
    writeCode(row, this.#code);
    this.#codes.append(this.#code);
    this.#int8.append(new Uint8Array(row.buffer, row.byteOffset, row.length));
  }

  #count(vector: Int8Array): void {
    this.vectors += 1;
    for (let d = 0; d < vector.length; d++) this.#sum[d]! += vector[d]!;
  }

  manifest(): SpaceManifest {
    return { ...this.#shape, vectors: this.vectors, meanCosine: this.#meanCosine() };
  }

  /**
   * The mean of all dot products is the squared length of the mean vector; pairs of a vector with itself are included.
   */
  #meanCosine(): number {
    const steps = int8Scale(this.#shape.dimensions) * this.vectors;
    return this.#sum.reduce((square, value) => square + (value / steps) ** 2, 0);
  }

  /** The sections, by the suffix of their names. */
  finish(): Record<'codes' | 'int8' | 'figures', Uint8Array> {
    return { codes: this.#codes.view(), int8: this.#int8.view(), figures: this.#figures };
  }
}
