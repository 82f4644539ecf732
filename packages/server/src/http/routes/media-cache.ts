import { LRUCache } from 'lru-cache';

/** A file as it is sent. */
export interface CachedFile {
  readonly body: Uint8Array;
  readonly contentType: string;
  readonly etag: string;
}

/** Maximum size of a cached file, as a share of the cache size. Previews for grids are small, and there are many. */
const LARGEST_PART = 1 / 32;

/**
 * Caches recently requested small files, keyed by path. The cache is emptied when a build is swapped in or a GIF is
 * hidden.
 */
export class MediaCache {
  readonly #files: LRUCache<string, CachedFile> | undefined;
  /** Maximum size of a cached file, in bytes. */
  readonly largest: number;
  #epoch = '';

  constructor(maxBytes: number) {
    this.largest = Math.floor(maxBytes * LARGEST_PART);
    if (maxBytes === 0) return;
    this.#files = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ body }, path) => body.length + path.length });
  }

  get(epoch: string, path: string): CachedFile | undefined {
    if (epoch !== this.#epoch) {
      this.#files?.clear();
      this.#epoch = epoch;
    }
    return this.#files?.get(path);
  }

  set(epoch: string, path: string, file: CachedFile): void {
    if (epoch === this.#epoch) this.#files?.set(path, file);
  }
}
