import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { timeOnce } from './measure.ts';

/*
 * usearch's HNSW graph, the fastest of the libraries that we tried. It is not in the root's lock file, because it has
 * 23 MB and an install script (which it does not need: the package contains its binaries).
 */

const FOLDER = path.join(import.meta.dirname, '../../tools/bench');

/** The part of the library's API that is used here. */
interface Index {
  add(keys: BigUint64Array, vectors: Float32Array, threads: number): void;
  search(query: Float32Array, limit: number, threads: number): { keys: BigUint64Array };
  save(file: string): void;
  load(file: string): void;
}

interface Library {
  Index: new (config: object) => Index;
}

export interface Graph {
  /** CPU seconds, on one thread. */
  seconds: number;
  /** Size of the file, and of the memory after opening it: vectors and links. */
  megabytes: number;
  /** The same graph, searched with a beam of this width. */
  open(beam: number): (query: Float32Array, limit: number) => Uint32Array;
}

/** Builds the graph and saves it to a file, because the beam can be chosen only when opening. @throws if not installed */
export function buildGraph(vectors: Float32Array, dimensions: number, file: string): Graph {
  const { Index } = loadLibrary();
  // Connectivity and the beam for building are the library's defaults for i8.
  const config = { dimensions, metric: 'cos', quantization: 'i8', connectivity: 16, expansion_add: 96 };
  const { seconds } = timeOnce(() => {
    const index = new Index(config);
    const keys = BigUint64Array.from({ length: vectors.length / dimensions }, (_, document) => BigInt(document));
    index.add(keys, vectors, 1);
    index.save(file);
  });
  return {
    seconds,
    megabytes: fs.statSync(file).size / 1e6,
    open(beam) {
      const index = new Index({ ...config, expansion_search: beam });
      index.load(file);
      return (query, limit) => Uint32Array.from(index.search(query, limit, 1).keys, Number);
    },
  };
}

function loadLibrary(): Library {
  try {
    return createRequire(path.join(FOLDER, 'package.json'))('usearch') as Library;
  } catch (cause) {
    throw new Error('usearch is not installed: npm ci --prefix tools/bench', { cause });
  }
}
