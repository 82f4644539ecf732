import { codeBytes, DIMENSION_STEP, writeCode, writeInt8 } from './quantise.ts';

/*
 * The vectors of a build and the working memory of the threads that search them are in one WebAssembly memory that
 * all threads share:
 *
 *   | codes, a row per document | int8 vectors, a row per document | thread 0 | thread 1 | ...
 *
 *   a thread:  | query code | query int8 | histogram u32 | candidates u32 | their distances u16 | their dots i32 |
 */

const PAGE = 65_536;
const MAX_PAGES = 65_536;

/** Maximum number of candidates to rescore, including ties at the last distance. */
export const MAX_CANDIDATES: number = 65_536;

export interface VectorShape {
  /** Number of documents with a row; those that must not be found come last and are not scanned. */
  documents: number;
  /** A multiple of 128. */
  dimensions: number;
  /** Number of threads that search concurrently. */
  threads: number;
}

/** Byte offsets of a thread's working memory. */
export interface Workspace {
  queryCode: number;
  queryInt8: number;
  histogram: number;
  candidates: number;
  distances: number;
  dots: number;
}

/** The vectors of one build. Can be sent to other threads, which then share its memory. */
export interface VectorMemory extends VectorShape {
  memory: WebAssembly.Memory;
  codes: number;
  vectors: number;
  workspaces: Workspace[];
}

/**
 * Allocates memory for the vectors of a build; until it is set, a document's vector is zero, which no search finds.
 * @throws RangeError if the dimensions are not a multiple of 128, or more than 4 GiB would be needed
 */
export function allocateVectors(shape: VectorShape): VectorMemory {
  const { documents, dimensions, threads } = shape;
  if (dimensions % DIMENSION_STEP !== 0)
    throw new RangeError(`dimensions must be a multiple of 128, not ${dimensions}`);
  let end = PAGE;
  const take = (bytes: number): number => {
    const start = end;
    end += Math.ceil(bytes / 64) * 64;
    return start;
  };
  const codes = take(documents * codeBytes(dimensions));
  const vectors = take(documents * dimensions);
  const workspaces = Array.from({ length: threads }, () => ({
    queryCode: take(codeBytes(dimensions)),
    queryInt8: take(dimensions),
    histogram: take(4 * (dimensions + 1)),
    candidates: take(4 * MAX_CANDIDATES),
    distances: take(2 * MAX_CANDIDATES),
    dots: take(4 * MAX_CANDIDATES),
  }));
  const pages = Math.ceil(end / PAGE);
  if (pages > MAX_PAGES) throw new RangeError(`${documents} vectors of ${dimensions} dimensions need more than 4 GiB`);
  return {
    ...shape,
    memory: new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true }),
    codes,
    vectors,
    workspaces,
  };
}

/** The memory into which a space's sections are read: the sign codes and int8 vectors of all documents. */
export function spaceBytes({ memory, documents, dimensions, codes, vectors }: VectorMemory): {
  codes: Uint8Array;
  int8: Uint8Array;
} {
  return {
    codes: new Uint8Array(memory.buffer, codes, documents * codeBytes(dimensions)),
    int8: new Uint8Array(memory.buffer, vectors, documents * dimensions),
  };
}

/** Sets the vector of a document; it must have length 1, as embedders return it. */
export function setVector(target: VectorMemory, document: number, vector: Float32Array): void {
  const { memory, dimensions, codes, vectors } = target;
  const bytes = codeBytes(dimensions);
  writeCode(vector, new Uint8Array(memory.buffer, codes + document * bytes, bytes));
  writeInt8(vector, new Int8Array(memory.buffer, vectors + document * dimensions, dimensions));
}
