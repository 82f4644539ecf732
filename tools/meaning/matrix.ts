import { analyse } from '../../packages/search/src/analysis/analyse.ts';
import { featuresOf, hashOf, type TableShape } from '../../packages/search/src/meaning/features.ts';

/** With larger values, titles are found better, but descriptions of scenes are found less often. */
const EMPHASIS = 0.4;

/** The features of all texts, as a sparse matrix: the entries of text n are those from starts[n] to starts[n + 1]. */
export interface Matrix {
  readonly starts: Uint32Array;
  readonly rows: Uint32Array;
  readonly weights: Float32Array;
  /** Number of rows of the table. */
  readonly count: number;
}

/**
 * Returns the hashes of the words that occur most often, ascending. If words occur equally often, the first ones in the
 * texts are chosen.
 */
export function findFrequent(texts: readonly string[], most: number): Uint32Array {
  const counts = new Map<string, number>();
  for (const text of texts) for (const word of analyse(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const frequent = [...counts].sort(([, a], [, b]) => b - a).slice(0, most);
  return Uint32Array.from(new Set(frequent.map(([word]) => hashOf(word)))).sort();
}

/** Returns the features of texts. A text's weights are divided by the root of its number of words. */
export function makeMatrix(texts: readonly string[], known: Uint32Array, shape: TableShape): Matrix {
  const starts = new Uint32Array(new SharedArrayBuffer(4 * (texts.length + 1)));
  const [rows, weights]: [number[], number[]] = [[], []];
  for (const [n, text] of texts.entries()) {
    const found = featuresOf(text, known, shape);
    for (const [i, row] of found.rows.entries()) {
      rows.push(row);
      weights.push(found.weights[i]! / Math.sqrt(found.words));
    }
    starts[n + 1] = rows.length;
  }
  return {
    starts,
    rows: shared(Uint32Array, rows),
    weights: shared(Float32Array, weights),
    count: shape.words + shape.groups,
  };
}

/**
 * Multiplies each row by a power of its idf among the first texts, because rare words say more about a GIF than the
 * encoder's vectors show.
 */
export function emphasiseRareRows(rows: Float32Array, { starts, rows: used, count }: Matrix, texts: number): void {
  const frequencies = new Uint32Array(count);
  for (let n = 0; n < texts; n++) {
    for (const row of new Set(used.subarray(starts[n], starts[n + 1]))) frequencies[row]!++;
  }
  const dimensions = rows.length / count;
  for (const [row, frequency] of frequencies.entries()) {
    const factor = Math.log(1 + texts / (frequency + 1)) ** EMPHASIS;
    for (let i = row * dimensions; i < (row + 1) * dimensions; i++) rows[i]! *= factor;
  }
}

/** Returns numbers in shared memory. */
export function shared<Numbers extends Uint32Array | Float32Array>(
  type: new (buffer: SharedArrayBuffer) => Numbers,
  numbers: readonly number[],
): Numbers {
  const values = new type(new SharedArrayBuffer(4 * numbers.length));
  values.set(numbers);
  return values;
}
