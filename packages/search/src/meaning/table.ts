import { featuresOf, hashBytes, type TableShape } from './features.ts';

/** Increases when the features or the layout of a table change. */
const TABLE_VERSION = 1;
const HEADER_BYTES = 28;
/** "ZMT" and a line feed, little-endian. */
const MAGIC = 0x0a544d5a;

/**
 * A table that gives texts vectors of meaning: each known word has a row of small integers, and the
 * vector of a text is the weighted sum of its rows, with length 1. The rows are learned so that the sum is near to the
 * vector that a sentence encoder gives the same text (tools/meaning). All steps are exact or correctly rounded,
 * so the vectors have the same bits on every platform.
 */
export class MeaningTable {
  /** Differs between tables with different contents, because their vectors cannot be compared. */
  readonly id: string;
  readonly #shape: TableShape;
  /** Hashes of the known words, ascending. The place of a hash is its row. */
  readonly #known: Uint32Array;
  /** For each row, the number by which its integers are multiplied. */
  readonly #scales: Float32Array;
  readonly #values: Int8Array;

  /**
   * @param bytes from `writeTable`. They are not copied, can be in shared memory, and start at a multiple of 4
   * @throws RangeError if they are no table of this version
   */
  constructor(bytes: Uint8Array) {
    const start = new Uint8Array(HEADER_BYTES);
    start.set(bytes.subarray(0, HEADER_BYTES));
    const header = new Uint32Array(start.buffer);
    const [magic, version, dimensions, words, groups, ...print] = Array.from(header);
    if (magic !== MAGIC) throw new RangeError('this is no table of meanings');
    if (version !== TABLE_VERSION)
      throw new RangeError(`a table of meanings of version ${version}, not ${TABLE_VERSION}`);
    const shape = { dimensions: dimensions!, words: words!, groups: groups! };
    const { length, hashes, scales, values } = layoutOf(shape);
    if (bytes.length !== length) throw new RangeError(`a table of meanings of ${bytes.length} bytes, not ${length}`);
    this.#shape = shape;
    this.id = `table:${print.map((part) => part.toString(16).padStart(8, '0')).join('')}/${shape.dimensions}`;
    const at = (offset: number): number => bytes.byteOffset + offset;
    this.#known = new Uint32Array(bytes.buffer, at(hashes), shape.words);
    this.#scales = new Float32Array(bytes.buffer, at(scales), rowsOf(shape));
    this.#values = new Int8Array(bytes.buffer, at(values), rowsOf(shape) * shape.dimensions);
  }

  get dimensions(): number {
    return this.#shape.dimensions;
  }

  /**
   * Returns the vector, with length 1, of texts that together have one meaning. Returns null if no text has a word that
   * can be read.
   */
  vectorOf(texts: readonly string[]): Float32Array | null {
    const total = new Float64Array(this.#shape.dimensions);
    for (const text of texts) {
      const sum = this.#sumOf(text);
      const length = lengthOf(sum);
      if (length > 0) for (let i = 0; i < sum.length; i++) total[i]! += sum[i]! / length;
    }
    const length = lengthOf(total);
    return length > 0 ? Float32Array.from(total, (value) => value / length) : null;
  }

  /** Returns the share of a text's words that have a row of their own, from 0 to 1. It is 0 if no word can be read. */
  knownShare(text: string): number {
    const { rows, words } = featuresOf(text, this.#known, this.#shape);
    return words === 0 ? 0 : rows.filter((row) => row < this.#shape.words).length / words;
  }

  #sumOf(text: string): Float64Array {
    const { dimensions } = this.#shape;
    const sum = new Float64Array(dimensions);
    const { rows, weights } = featuresOf(text, this.#known, this.#shape);
    for (let n = 0; n < rows.length; n++) {
      const row = rows[n]!;
      const scale = weights[n]! * this.#scales[row]!;
      const start = row * dimensions;
      for (let i = 0; i < dimensions; i++) sum[i]! += scale * this.#values[start + i]!;
    }
    return sum;
  }
}

/**
 * Returns the bytes of a table.
 * @param known hashes of the known words, ascending
 * @param rows of all features, in the order of `TableShape`. They are rounded to 8 bits
 */
export function writeTable(shape: TableShape, known: Uint32Array, rows: Float32Array): Uint8Array {
  const { dimensions, words, groups } = shape;
  const layout = layoutOf(shape);
  const bytes = new Uint8Array(layout.length);
  new Uint32Array(bytes.buffer, 0, 5).set([MAGIC, TABLE_VERSION, dimensions, words, groups]);
  new Uint32Array(bytes.buffer, layout.hashes, words).set(known);
  const scales = new Float32Array(bytes.buffer, layout.scales, rowsOf(shape));
  const values = new Int8Array(bytes.buffer, layout.values);
  for (let row = 0; row < scales.length; row++) {
    const start = row * dimensions;
    let most = 0;
    for (let i = 0; i < dimensions; i++) most = Math.max(most, Math.abs(rows[start + i]!));
    if (most === 0) continue;
    scales[row] = most / 127;
    for (let i = 0; i < dimensions; i++) values[start + i] = Math.round((rows[start + i]! / most) * 127);
  }
  const contents = bytes.subarray(HEADER_BYTES);
  new Uint32Array(bytes.buffer, 20, 2).set([hashBytes(contents, 0), hashBytes(contents, 1)]);
  return bytes;
}

function rowsOf({ words, groups }: TableShape): number {
  return words + groups;
}

function layoutOf(shape: TableShape): { hashes: number; scales: number; values: number; length: number } {
  const hashes = HEADER_BYTES;
  const scales = hashes + 4 * shape.words;
  const values = scales + 4 * rowsOf(shape);
  return { hashes, scales, values, length: values + rowsOf(shape) * shape.dimensions };
}

function lengthOf(vector: Float64Array): number {
  let square = 0;
  for (const value of vector) square += value * value;
  return Math.sqrt(square);
}
