import { type Kernels, openKernels } from './kernels.ts';
import { MAX_CANDIDATES, type VectorMemory, type Workspace } from './memory.ts';
import { codeBytes, int8Scale, writeCode, writeInt8 } from './quantise.ts';

/** Maximum number of hits. Source: the API contract, `count`. */
const MAX_HITS = 200;

/**
 * Number of candidates that the scan leaves for rescoring. With a million clustered vectors, 1,000 gave recall@200 of
 * .971, 2,000 .986, 5,000 .992; each step took about 1.5 times as long as the previous one.
 */
const CANDIDATES = 2_000;

export interface VectorSearchOptions {
  /** Maximum number of hits; default and limit 200. */
  limit?: number | undefined;
  /** Only documents below this number are scanned: the safe ones. Default: all. */
  documents?: number | undefined;
  /** One bit per document, document d in byte d >> 3 at 1 << (d & 7); a set bit hides the document. */
  hidden?: Uint8Array | undefined;
}

/** Results of a search, nearest first. */
export interface VectorHits {
  documents: Uint32Array;
  /** Cosine with the query, as exact as eight bits per dimension allow; always positive. */
  scores: Float64Array;
}

/**
 * Finds the documents whose vectors are nearest to a query's: a scan of all sign codes leaves a few thousand
 * candidates, which are scored with eight bits. It owns one workspace of the memory and runs one search at a time, so
 * each thread needs its own.
 */
export class VectorSearcher {
  readonly #memory: VectorMemory;
  readonly #workspace: Workspace;
  readonly #kernels: Kernels;

  constructor(memory: VectorMemory, thread: number) {
    this.#memory = memory;
    this.#workspace = memory.workspaces[thread]!;
    this.#kernels = openKernels(memory.memory);
  }

  /** The nearest documents to a vector of length 1; equally near ones in the order of their numbers. */
  search(query: Float32Array, options: VectorSearchOptions = {}): VectorHits {
    this.#setQuery(query);
    return this.#nearest(options);
  }

  /** The nearest documents to one of them, which comes first; none if it has no vector. */
  searchLike(document: number, options: VectorSearchOptions = {}): VectorHits {
    this.#setRow(this.#row(document));
    return this.#nearest(options);
  }

  /**
   * Filters documents (at most 65,536), in order: drops those whose cosine with an earlier one is at least
   * `sameCosine`. Documents without a vector are kept.
   */
  distinct(documents: Uint32Array, sameCosine: number): Uint32Array {
    const same = sameCosine * int8Scale(this.#memory.dimensions) ** 2;
    const candidates = new Uint32Array(this.#memory.memory.buffer, this.#workspace.candidates, MAX_CANDIDATES);
    const kept: number[] = [];
    let rest = documents;
    while (rest.length > 0) {
      const [first, ...others] = rest as unknown as [number, ...number[]];
      kept.push(first);
      this.#setRow(this.#row(first));
      candidates.set(others);
      const dots = this.#dots(others.length);
      rest = Uint32Array.from(others.filter((_, i) => dots[i]! < same));
    }
    return Uint32Array.from(kept);
  }

  /** Whether the document has a vector. */
  has(document: number): boolean {
    return this.#row(document).some((value) => value !== 0);
  }

  #row(document: number): Int8Array {
    const { memory, dimensions, vectors } = this.#memory;
    return new Int8Array(memory.buffer, vectors + document * dimensions, dimensions);
  }

  #setRow(row: Int8Array): void {
    const { memory, dimensions } = this.#memory;
    writeCode(row, new Uint8Array(memory.buffer, this.#workspace.queryCode, codeBytes(dimensions)));
    new Int8Array(memory.buffer, this.#workspace.queryInt8, dimensions).set(row);
  }

  #nearest(options: VectorSearchOptions): VectorHits {
    const limit = Math.min(options.limit ?? MAX_HITS, MAX_HITS);
    const count = Math.min(options.documents ?? this.#memory.documents, this.#memory.documents);
    const found = this.#scan(count);
    const candidates = new Uint32Array(this.#memory.memory.buffer, this.#workspace.candidates, found);
    return this.#select(candidates, limit, options.hidden);
  }

  /** Cosines of the given documents (at most 65,536) with a vector of length 1, in order. */
  score(query: Float32Array, documents: Uint32Array): Float64Array {
    this.#setQuery(query);
    return this.#cosines(documents);
  }

  /** Cosines of the given documents (at most 65,536) with one document, in order; 0 if either has no vector. */
  scoreLike(document: number, documents: Uint32Array): Float64Array {
    this.#setRow(this.#row(document));
    return this.#cosines(documents);
  }

  #cosines(documents: Uint32Array): Float64Array {
    new Uint32Array(this.#memory.memory.buffer, this.#workspace.candidates, MAX_CANDIDATES).set(documents);
    const unit = int8Scale(this.#memory.dimensions) ** 2;
    return new Float64Array(this.#dots(documents.length)).map((dot) => dot / unit);
  }

  #setQuery(query: Float32Array): void {
    const { memory, dimensions } = this.#memory;
    const { queryCode, queryInt8 } = this.#workspace;
    writeCode(query, new Uint8Array(memory.buffer, queryCode, codeBytes(dimensions)));
    writeInt8(query, new Int8Array(memory.buffer, queryInt8, dimensions));
  }

  /** Collects all documents that are as near as the nearest `CANDIDATES`. @returns their number */
  #scan(count: number): number {
    const { dimensions, codes } = this.#memory;
    const { queryCode, histogram, distances, candidates } = this.#workspace;
    const bytes = codeBytes(dimensions);
    const { nearest } = this.#kernels;
    return nearest(codes, count, bytes, queryCode, CANDIDATES, histogram, candidates, distances, MAX_CANDIDATES);
  }

  /** Dot products of the query with the documents in the workspace's candidate list. */
  #dots(count: number): Int32Array {
    const { memory, dimensions, vectors } = this.#memory;
    const { queryInt8, candidates, dots } = this.#workspace;
    this.#kernels.dots(vectors, candidates, count, dimensions, queryInt8, dots);
    return new Int32Array(memory.buffer, dots, count);
  }

  /** For a few thousand candidates, sorting combined keys of score and number is faster than a heap. */
  #select(candidates: Uint32Array, limit: number, hidden: Uint8Array | undefined): VectorHits {
    const dots = this.#dots(candidates.length);
    const keys = new Float64Array(candidates.length);
    let shown = 0;
    for (let i = 0; i < candidates.length; i++) {
      const document = candidates[i]!;
      if (dots[i]! <= 0 || (hidden !== undefined && isSet(hidden, document))) continue;
      keys[shown++] = dots[i]! * NUMBERS - document;
    }
    const best = keys.subarray(0, shown).sort().reverse().subarray(0, limit);
    const unit = int8Scale(this.#memory.dimensions) ** 2;
    const documents = Uint32Array.from(best, (key) => Math.ceil(key / NUMBERS) * NUMBERS - key);
    const scores = Float64Array.from(best, (key) => Math.ceil(key / NUMBERS) / unit);
    return { documents, scores };
  }
}

/** Document numbers are below this (see MAX_DOCUMENTS), so a key holds a dot product and a number without loss. */
const NUMBERS = 2 ** 24;

function isSet(bits: Uint8Array, i: number): boolean {
  return ((bits[i >> 3] ?? 0) & (1 << (i & 7))) !== 0;
}
