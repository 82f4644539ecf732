import type { Readable } from 'node:stream';

/** Bytes `start` to `end` of a blob, inclusive, counted from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** An entry in a list of blobs. */
export interface StoredBlob {
  readonly key: string;
  readonly bytes: number;
}

export interface PutOptions {
  /**
   * A file on this machine with the same bytes. Nobody changes this file in place. A folder on the same disk stores a
   * link to the file, so that the bytes are on the disk only once.
   */
  readonly sameAs?: string | undefined;
}

/**
 * Stores immutable bytes under a key. The interface has only operations that both folders and S3 buckets support. A key
 * consists of names separated by `/`. Names consist of letters, digits, `.`, `_` and `-`. The content under a key never
 * changes, so storing it twice is harmless.
 */
export interface BlobStore {
  /**
   * Stores the bytes durably and completely, or not at all. Throws ServiceError `upstream_unavailable` if the store is
   * full or cannot be written.
   */
  put(key: string, bytes: Uint8Array, options?: PutOptions): Promise<void>;
  /**
   * Returns the bytes as a stream, or null if there is no such blob. The caller must read or destroy the stream. If the
   * data ends too early, the stream fails.
   */
  get(key: string, range?: ByteRange): Promise<Readable | null>;
  /** Returns the size in bytes, or null if there is no such blob. */
  head(key: string): Promise<{ bytes: number } | null>;
  /** Deletes a blob, if it exists. */
  delete(key: string): Promise<void>;
  /** Yields all blobs whose key starts with `prefix`, in any order. */
  list(prefix: string): AsyncIterable<StoredBlob>;
}

const KEY = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/;

/** Folder for incomplete files. */
export const PARTS = 'part';

/** Throws Error for an invalid key, which is a programming error. */
export function assertKey(key: string): void {
  if (!KEY.test(key) || key.startsWith(`${PARTS}/`)) throw new Error(`not a blob key: ${JSON.stringify(key)}`);
}

/** Reads a whole blob into memory. Returns null if there is no such blob. Use this only for blobs of limited size. */
export async function readBlob(blobs: Pick<BlobStore, 'get'>, key: string): Promise<Uint8Array | null> {
  const stream = await blobs.get(key);
  if (stream === null) return null;
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
