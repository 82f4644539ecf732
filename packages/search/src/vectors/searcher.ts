import { type Kernels, openKernels } from './kernels.ts';
import { readBudget } from './lists.ts';
import { MAX_SCORED, NO_ROW, type VectorMemory, type Workspace } from './memory.ts';
import { codeBytes, int8Scale, writeCode, writeInt8 } from './quantise.ts';
import { MAX_NEAR, type VectorHits, type VectorSearchOptions, type Vectors } from './vectors.ts';

/**
 * Number of candidates that the scan leaves for exact scoring. With a million clustered vectors, recall@200 was .971
 * with 1,000 candidates, .986 with 2,000 and .992 with 5,000. Each of these steps took about 1.5 times as long as the
 * previous one.
 */
const CANDIDATES = 2_000;
/**
 * A segment with a small share of the vectors needs fewer candidates: share × CANDIDATES × UNEVENNESS. The factor is
 * for queries whose nearest vectors are mostly in this segment.
 */
const UNEVENNESS = 4;
const FEWEST_CANDIDATES: number = 2 * MAX_NEAR;

/**
 * Finds the documents whose vectors are nearest to a query's vector. It reads the lists whose centroids are nearest
 * (lists.ts). A scan of their sign codes leaves a few thousand candidates, which are scored with eight bits per
 * dimension. A searcher owns one workspace of the memory and runs one search at a time, so each thread needs its own
 * searcher.
 */
export class VectorSearcher implements Vectors {
  readonly #memory: VectorMemory;
  readonly #workspace: Workspace;
  readonly #kernels: Kernels;
  /** The row where each list starts, and the end of the last list. */
  readonly #lists: Uint32Array;
  /** The document of each row. */
  readonly #documents: Uint32Array;
  /** The row of each document. */
  readonly #rows: Uint32Array;
  readonly #budget: number;
  readonly #candidates: number;
  /** Working memory that is not shared: keys of lists or candidates, and numbers of vectors. */
  readonly #keys: Float64Array;
  readonly #bins = new Uint32Array(BINS);

  /** @param share the segment's share of the build's vectors */
  constructor(memory: VectorMemory, thread: number, share = 1) {
    const { buffer } = memory.memory;
    const { parts } = memory;
    this.#memory = memory;
    this.#workspace = memory.workspaces[thread]!;
    this.#kernels = openKernels(memory.memory);
    this.#lists = new Uint32Array(buffer, parts.lists, memory.lists + 1);
    this.#documents = new Uint32Array(buffer, parts.documents, memory.vectors);
    this.#rows = new Uint32Array(buffer, parts.rows, memory.documents);
    this.#budget = readBudget(memory.vectors);
    this.#candidates = Math.min(CANDIDATES, Math.max(FEWEST_CANDIDATES, Math.ceil(UNEVENNESS * share * CANDIDATES)));
    this.#keys = new Float64Array(memory.candidates);
  }

  search(query: Float32Array, options: VectorSearchOptions = {}): VectorHits {
    this.#setQuery(query);
    return this.#nearest(options);
  }

  searchLike(document: number, options: VectorSearchOptions = {}): VectorHits {
    const vector = this.vectorOf(document);
    return vector === undefined ? NO_HITS : this.searchVector(vector, options);
  }

  /** Does the same as `search`, for a vector of another segment. */
  searchVector(vector: Int8Array, options: VectorSearchOptions): VectorHits {
    this.#setVector(vector);
    return this.#nearest(options);
  }

  /** Returns a document's vector, as a view, or undefined if it has none. */
  vectorOf(document: number): Int8Array | undefined {
    const { memory, dimensions, parts } = this.#memory;
    if (!this.has(document)) return undefined;
    return new Int8Array(memory.buffer, parts.int8 + this.#rows[document]! * dimensions, dimensions);
  }

  distinct(documents: Uint32Array, sameCosine: number): Uint32Array {
    const { memory, dimensions, parts } = this.#memory;
    const { candidates, distances } = this.#workspace;
    const count = documents.length;
    const rows = new Uint32Array(memory.buffer, candidates, count);
    for (let i = 0; i < count; i++) rows[i] = this.#rows[documents[i]!]!;
    const marks = new Uint8Array(memory.buffer, distances, count).fill(0);
    const same = Math.ceil(sameCosine * int8Scale(dimensions) ** 2);
    const farthest = farthestCode(sameCosine, dimensions);
    const bytes = codeBytes(dimensions);
    this.#kernels.markSame(parts.codes, parts.int8, candidates, count, bytes, farthest, same, distances);
    return documents.filter((_, i) => marks[i] === 0);
  }

  /** Returns whether the document has a vector. */
  has(document: number): boolean {
    return this.#rows[document] !== NO_ROW;
  }

  score(query: Float32Array, documents: Uint32Array): Float64Array {
    this.#setQuery(query);
    return this.#cosines(documents);
  }

  scoreLike(document: number, documents: Uint32Array): Float64Array {
    const vector = this.vectorOf(document);
    return vector === undefined ? new Float64Array(documents.length) : this.scoreVector(vector, documents);
  }

  /** Does the same as `score`, for a vector of another segment. */
  scoreVector(vector: Int8Array, documents: Uint32Array): Float64Array {
    this.#setVector(vector);
    return this.#cosines(documents);
  }

  #cosines(documents: Uint32Array): Float64Array {
    const rows = new Uint32Array(this.#memory.memory.buffer, this.#workspace.candidates, MAX_SCORED);
    for (let i = 0; i < documents.length; i++) rows[i] = this.has(documents[i]!) ? this.#rows[documents[i]!]! : 0;
    const dots = this.#dots(documents.length);
    const unit = int8Scale(this.#memory.dimensions) ** 2;
    const cosines = new Float64Array(documents.length);
    for (let i = 0; i < cosines.length; i++) if (this.has(documents[i]!)) cosines[i] = dots[i]! / unit;
    return cosines;
  }

  #setQuery(query: Float32Array): void {
    const { memory, dimensions } = this.#memory;
    const { queryCode, queryInt8 } = this.#workspace;
    writeCode(query, new Uint8Array(memory.buffer, queryCode, codeBytes(dimensions)));
    writeInt8(query, new Int8Array(memory.buffer, queryInt8, dimensions));
  }

  #setVector(vector: Int8Array): void {
    const { memory, dimensions } = this.#memory;
    writeCode(vector, new Uint8Array(memory.buffer, this.#workspace.queryCode, codeBytes(dimensions)));
    new Int8Array(memory.buffer, this.#workspace.queryInt8, dimensions).set(vector);
  }

  #nearest(options: VectorSearchOptions): VectorHits {
    const limit = Math.min(options.limit ?? MAX_NEAR, MAX_NEAR);
    return this.#select(this.#scan(this.#chooseLists()), limit, options.hidden);
  }

  /** Writes the rows of the lists nearest to the query as ranges. @returns the number of ranges */
  #chooseLists(): number {
    const { memory, lists, parts } = this.#memory;
    const { candidates, ranges } = this.#workspace;
    const numbers = new Uint32Array(memory.buffer, candidates, lists);
    for (let list = 0; list < lists; list++) numbers[list] = list;
    const nearest = this.#sortedKeys(this.#near(this.#dots(lists, parts.centroids)));
    const out = new Uint32Array(memory.buffer, ranges, 2 * lists);
    let chosen = 0;
    for (let read = 0; read < this.#budget && chosen < nearest.length; chosen++) {
      const list = numberOf(nearest[nearest.length - 1 - chosen]!);
      const [start, end] = [this.#lists[list]!, this.#lists[list + 1]!];
      out[2 * chosen] = start;
      out[2 * chosen + 1] = end;
      read += end - start;
    }
    return chosen;
  }

  /**
   * Selects the lists with the largest dot products and writes their keys into `#keys` in any order. It selects enough
   * lists for the budget, and perhaps a few more. Sorting all lists would take as long as reading the selected ones.
   * @returns the number of lists
   */
  #near(dots: Int32Array): number {
    const [least, greatest] = rangeOf(dots);
    const step = (greatest - least) / BINS + 1;
    const vectors = this.#bins.fill(0);
    for (let list = 0; list < dots.length; list++) {
      vectors[Math.floor((dots[list]! - least) / step)]! += this.#lists[list + 1]! - this.#lists[list]!;
    }
    let bin = BINS - 1;
    for (let read = vectors[bin]!; read < this.#budget && bin > 0; read += vectors[bin]!) bin--;
    let count = 0;
    for (let list = 0; list < dots.length; list++) {
      if (Math.floor((dots[list]! - least) / step) >= bin) this.#keys[count++] = dots[list]! * NUMBERS - list;
    }
    return count;
  }

  /** Returns the first `count` keys, ascending. */
  #sortedKeys(count: number): Float64Array {
    return this.#keys.subarray(0, count).sort();
  }

  /** Writes the rows with the nearest codes into the workspace. @returns the number of rows */
  #scan(ranges: number): number {
    const { dimensions, parts } = this.#memory;
    const bytes = codeBytes(dimensions);
    const { nearest } = this.#kernels;
    const { ranges: at, queryCode, histogram, candidates, distances } = this.#workspace;
    return nearest(parts.codes, at, ranges, bytes, queryCode, this.#candidates, histogram, candidates, distances);
  }

  /** Returns the dot products of the query with the rows in the workspace's candidate list. */
  #dots(count: number, rows: number = this.#memory.parts.int8): Int32Array {
    const { memory, dimensions } = this.#memory;
    const { queryInt8, candidates, dots } = this.#workspace;
    this.#kernels.dots(rows, candidates, count, dimensions, queryInt8, dots);
    return new Int32Array(memory.buffer, dots, count);
  }

  /**
   * Selects the best candidates. For a few thousand candidates, sorting combined keys of score and number is faster
   * than a heap.
   */
  #select(count: number, limit: number, hidden: Uint8Array | undefined): VectorHits {
    const rows = new Uint32Array(this.#memory.memory.buffer, this.#workspace.candidates, count);
    const dots = this.#dots(count);
    let shown = 0;
    for (let i = 0; i < count; i++) {
      const document = this.#documents[rows[i]!]!;
      if (dots[i]! <= 0 || (hidden !== undefined && isSet(hidden, document))) continue;
      this.#keys[shown++] = dots[i]! * NUMBERS - document;
    }
    const keys = this.#sortedKeys(shown);
    const unit = int8Scale(this.#memory.dimensions) ** 2;
    const documents = new Uint32Array(Math.min(limit, shown));
    const scores = new Float64Array(documents.length);
    for (let i = 0; i < documents.length; i++) {
      const key = keys[shown - 1 - i]!;
      documents[i] = numberOf(key);
      scores[i] = Math.ceil(key / NUMBERS) / unit;
    }
    return { documents, scores };
  }
}

const NO_HITS: VectorHits = { documents: new Uint32Array(), scores: new Float64Array() };

/** Number of equal ranges into which the dot products of centroids are divided. */
const BINS = 256;

function rangeOf(numbers: Int32Array): [least: number, greatest: number] {
  let least = numbers[0]!;
  let greatest = least;
  for (let i = 1; i < numbers.length; i++) {
    if (numbers[i]! < least) least = numbers[i]!;
    else if (numbers[i]! > greatest) greatest = numbers[i]!;
  }
  return [least, greatest];
}

/**
 * Numbers of documents and lists are below this value (see MAX_DOCUMENTS), so that a key can contain a dot product and
 * a number.
 */
const NUMBERS = 2 ** 24;

/** Returns the number in a key: dot product × 2^24 − number. */
function numberOf(key: number): number {
  return Math.ceil(key / NUMBERS) * NUMBERS - key;
}

/**
 * Returns the maximum number of bits in which the sign codes of two vectors with at least this cosine differ. Each bit
 * differs with a probability of angle / pi (Charikar 2002). Once in a billion pairs, more bits differ than the mean
 * plus six deviations.
 */
function farthestCode(cosine: number, dimensions: number): number {
  const share = Math.acos(cosine) / Math.PI;
  return Math.ceil(dimensions * share + 6 * Math.sqrt(dimensions * share * (1 - share)));
}

function isSet(bits: Uint8Array, i: number): boolean {
  return ((bits[i >> 3] ?? 0) & (1 << (i & 7))) !== 0;
}
