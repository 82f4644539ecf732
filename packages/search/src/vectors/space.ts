import { GrowingBytes } from '../build/growing.ts';
import { codeBytes, DIMENSION_STEP, int8Scale, writeCode } from './quantise.ts';

/** The two spaces a document can have a vector in: what its words mean, and what its picture looks like. */
export const SPACES = ['meaning', 'looks'] as const;
export type SpaceName = (typeof SPACES)[number];

export interface SpaceShape {
  /** Names what made the vectors: those of another model mean something else. */
  model: string;
  /** A multiple of 128. */
  dimensions: number;
  /** What else is to be known of the model, to be kept with its vectors. */
  figures?: Uint8Array;
}

/** What a build says of a space. */
export interface SpaceManifest extends Omit<SpaceShape, 'figures'> {
  /** How many safe documents have a vector. */
  vectors: number;
  /** The mean cosine of two of them: how near to each other things are that have nothing in common. */
  meanCosine: number;
}

/** Gathers the vectors of the safe documents, a row each: sign codes and int8, as the scan wants them. */
export class SpaceWriter {
  readonly #shape: Omit<SpaceShape, 'figures'>;
  readonly #figures: Uint8Array;
  /** How many documents have a vector. */
  vectors = 0;
  readonly #codes = new GrowingBytes();
  readonly #int8 = new GrowingBytes();
  readonly #code: Uint8Array;
  readonly #nothing: Int8Array;
  readonly #sum: Float64Array;

  /** @throws RangeError when the dimensions are no multiple of 128 */
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

  /** Adds the row of the next document, of zeros where it has no vector. @throws RangeError for another length */
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

  /** The square of the length of the mean vector, as the mean of all dot products is; whole vectors with themselves left in. */
  #meanCosine(): number {
    const steps = int8Scale(this.#shape.dimensions) * this.vectors;
    return this.#sum.reduce((square, value) => square + (value / steps) ** 2, 0);
  }

  /** The sections, by the ends of their names. */
  finish(): Record<'codes' | 'int8' | 'figures', Uint8Array> {
    return { codes: this.#codes.view(), int8: this.#int8.view(), figures: this.#figures };
  }
}
