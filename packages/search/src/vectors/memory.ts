import { longestList, readBudget } from './lists.ts';
import { codeBytes, DIMENSION_STEP } from './quantise.ts';

/*
 * One WebAssembly memory, which all threads share, contains the vectors of a build and the working memory of each
 * thread that searches them. A row is the place of a vector in the order of the lists (lists.ts):
 *
 *   | codes | int8 vectors | centroids | lists | documents | rows | thread 0 | thread 1 | ...
 *
 *   a thread:  | query code | query int8 | histogram u32 | ranges u32 | candidates u32 | their distances u16 | their dots i32 |
 */

const PAGE = 65_536;
const MAX_PAGES = 65_536;

/** Maximum number of documents to score in one call. */
export const MAX_SCORED = 4_096;

/** This value in `rows` means that the document has no vector. */
export const NO_ROW = 0xff_ff_ff_ff;

export interface VectorShape {
  /** Number of documents that can be found. */
  documents: number;
  /** Number of documents with a vector. */
  vectors: number;
  /** Number of lists that the vectors are divided into. */
  lists: number;
  /** A multiple of 128. */
  dimensions: number;
  /** Number of threads that search concurrently. */
  threads: number;
}

/** The suffixes of the names of a space's sections (see ../build/manifest.ts). */
const SPACE_PARTS = ['codes', 'int8', 'centroids', 'lists', 'documents', 'rows'] as const;
export type SpacePart = (typeof SPACE_PARTS)[number];

/** Byte offsets of a thread's working memory. */
export interface Workspace {
  queryCode: number;
  queryInt8: number;
  histogram: number;
  ranges: number;
  candidates: number;
  distances: number;
  dots: number;
}

/** The vectors of one build. The object can be sent to other threads, which then share its memory. */
export interface VectorMemory extends VectorShape {
  memory: WebAssembly.Memory;
  /** Byte offset of each part. */
  parts: Record<SpacePart, number>;
  /** Maximum number of rows in a workspace. */
  candidates: number;
  workspaces: Workspace[];
}

/**
 * Allocates memory for the vectors of a build.
 * @throws RangeError if the dimensions are not a multiple of 128, or more than 4 GiB would be needed
 */
export function allocateVectors(shape: VectorShape): VectorMemory {
  const { vectors, lists, dimensions, threads } = shape;
  if (dimensions % DIMENSION_STEP !== 0)
    throw new RangeError(`dimensions must be a multiple of 128, not ${dimensions}`);
  let end = PAGE;
  const take = (bytes: number): number => {
    const start = end;
    end += Math.ceil(bytes / 64) * 64;
    return start;
  };
  const sizes = partSizes(shape);
  const parts = Object.fromEntries(SPACE_PARTS.map((part) => [part, take(sizes[part])])) as Record<SpacePart, number>;
  const candidates = Math.max(MAX_SCORED, lists, Math.min(vectors, readBudget(vectors) + longestList(vectors)));
  const workspaces = Array.from({ length: threads }, () => ({
    queryCode: take(codeBytes(dimensions)),
    queryInt8: take(dimensions),
    histogram: take(4 * (dimensions + 1)),
    ranges: take(8 * lists),
    candidates: take(4 * candidates),
    distances: take(2 * candidates),
    dots: take(4 * candidates),
  }));
  const pages = Math.ceil(end / PAGE);
  if (pages > MAX_PAGES) throw new RangeError(`${vectors} vectors of ${dimensions} dimensions need more than 4 GiB`);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  return { ...shape, memory, parts, candidates, workspaces };
}

function partSizes({ documents, vectors, lists, dimensions }: VectorShape): Record<SpacePart, number> {
  return {
    codes: vectors * codeBytes(dimensions),
    int8: vectors * dimensions,
    centroids: lists * dimensions,
    lists: 4 * (lists + 1),
    documents: 4 * vectors,
    rows: 4 * documents,
  };
}

/** Returns the memory into which a space's sections are read. */
export function spaceBytes(target: VectorMemory): Record<SpacePart, Uint8Array> {
  const sizes = partSizes(target);
  const view = (part: SpacePart) => new Uint8Array(target.memory.buffer, target.parts[part], sizes[part]);
  return Object.fromEntries(SPACE_PARTS.map((part) => [part, view(part)])) as Record<SpacePart, Uint8Array>;
}

/** Returns whether a document has a vector. Adult documents have none. */
export function hasVector({ memory, parts, documents }: VectorMemory, document: number): boolean {
  return document < documents && new Uint32Array(memory.buffer, parts.rows, documents)[document] !== NO_ROW;
}
