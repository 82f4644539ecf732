import { GrowingBytes, GrowingUint32 } from '../build/growing.ts';
import { makeLists } from './lists.ts';
import { MeanCosine } from './mean-cosine.ts';
import { allocateVectors, NO_ROW, type SpacePart, spaceBytes, type VectorMemory } from './memory.ts';
import { codeBytes, DIMENSION_STEP, writeCode } from './quantise.ts';

/** The two vector spaces: the meaning of a document's texts, and the appearance of its picture. */
export const SPACES = ['meaning', 'looks'] as const;
export type SpaceName = (typeof SPACES)[number];

export interface SpaceShape {
  /** Name of the model. Vectors of different models cannot be compared. */
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
  /** Number of lists that the vectors are divided into. */
  lists: number;
  /** Mean cosine of two vectors of the space. It is the usual similarity of unrelated documents. */
  meanCosine: number;
}

/** The finished space. */
export interface WrittenSpace {
  manifest: SpaceManifest;
  /** The sections, keyed by the suffix of their names. */
  sections: Record<SpacePart | 'figures', Uint8Array>;
}

/** Collects the vectors of the safe documents and divides them into lists for searching. */
export class SpaceWriter {
  readonly #shape: Omit<SpaceShape, 'figures'>;
  readonly #figures: Uint8Array;
  #documents = 0;
  /** The documents with a vector. There is a row for each of them. */
  readonly #described = new GrowingUint32();
  readonly #int8 = new GrowingBytes();

  /** @throws RangeError if the dimensions are not a multiple of 128 */
  constructor({ model, dimensions, figures = new Uint8Array() }: SpaceShape) {
    if (!(dimensions > 0) || dimensions % DIMENSION_STEP !== 0) {
      throw new RangeError(
        `vectors of ${model} have ${dimensions} dimensions; a multiple of ${DIMENSION_STEP} is needed`,
      );
    }
    this.#shape = { model, dimensions };
    this.#figures = figures;
  }

  /** Returns the number of documents with a vector. */
  get vectors(): number {
    return this.#described.length;
  }

  /** Adds the next document, with or without a vector. @throws RangeError if the vector has another length */
  add(vector: Int8Array | undefined): void {
    const { model, dimensions } = this.#shape;
    if (vector !== undefined && vector.length !== dimensions) {
      throw new RangeError(`a vector of ${model} has ${vector.length} dimensions, not ${dimensions}`);
    }
    if (vector?.some((value) => value !== 0)) {
      this.#described.push(this.#documents);
      this.#int8.append(new Uint8Array(vector.buffer, vector.byteOffset, vector.length));
    }
    this.#documents += 1;
  }

  /** Returns the finished space. Call this method only once, after all documents. */
  finish(): WrittenSpace {
    const { dimensions } = this.#shape;
    const bytes = this.#int8.view();
    const source = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    const { order, starts, centroids } = makeLists(source, dimensions);
    const int8 = new Int8Array(source.length);
    const codes = new Uint8Array(order.length * codeBytes(dimensions));
    const documents = new Uint32Array(order.length);
    const rows = new Uint32Array(this.#documents).fill(NO_ROW);
    const described = this.#described.view();
    for (const [row, from] of order.entries()) {
      const vector = source.subarray(from * dimensions, (from + 1) * dimensions);
      int8.set(vector, row * dimensions);
      writeCode(vector, codes.subarray(row * codeBytes(dimensions), (row + 1) * codeBytes(dimensions)));
      documents[row] = described[from]!;
      rows[described[from]!] = row;
    }
    return {
      manifest: {
        ...this.#shape,
        vectors: this.vectors,
        lists: starts.length - 1,
        meanCosine: meanOf(source, dimensions),
      },
      sections: {
        codes,
        int8: new Uint8Array(int8.buffer),
        centroids: new Uint8Array(centroids.buffer),
        lists: new Uint8Array(starts.buffer),
        documents: new Uint8Array(documents.buffer),
        rows: new Uint8Array(rows.buffer),
        figures: this.#figures,
      },
    };
  }
}

function meanOf(int8: Int8Array, dimensions: number): number {
  const mean = new MeanCosine(dimensions);
  for (let at = 0; at < int8.length; at += dimensions) mean.add(int8.subarray(at, at + dimensions));
  return mean.value;
}

/**
 * Returns a space in memory, outside a build, for programs that compare vectors and store nothing.
 * @param vectors the vectors of documents 0, 1, 2, …, with undefined for a document without a vector
 */
export function vectorsInMemory(
  vectors: Iterable<Int8Array | undefined>,
  dimensions: number,
  threads = 1,
): VectorMemory {
  const writer = new SpaceWriter({ model: 'none', dimensions });
  let documents = 0;
  for (const vector of vectors) {
    writer.add(vector);
    documents += 1;
  }
  const { manifest, sections } = writer.finish();
  const memory = allocateVectors({ ...manifest, documents, threads });
  for (const [part, bytes] of Object.entries(spaceBytes(memory))) bytes.set(sections[part as SpacePart]);
  return memory;
}
