import type { Readable } from 'node:stream';

/** Bytes `start` to `end` of a blob, both included, counted from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Immutable bytes under a key. The interface holds only what both a folder and an S3 bucket can do.
 * A key is made of `/`-separated names of letters, digits, `.`, `_`, `-`; what stands under a key never changes,
 * so putting it twice is harmless.
 */
export interface BlobStore {
  /**
   * Stores all of the bytes durably, or nothing of them.
   * Throws ServiceError `upstream_unavailable` when the store is full or cannot be written.
   */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** The bytes as a stream, which the caller must read or destroy; null when there is no such blob. */
  get(key: string, range?: ByteRange): Promise<Readable | null>;
  /** Size in bytes, or null when there is no such blob. */
  head(key: string): Promise<{ bytes: number } | null>;
  /** Removes a blob; removing what is not there is fine. */
  delete(key: string): Promise<void>;
  /** Every key that starts with `prefix`, in no promised order. */
  list(prefix: string): AsyncIterable<string>;
}

/** A whole blob in memory, or null when there is no such blob. For blobs of bounded size only. */
export async function readBlob(blobs: BlobStore, key: string): Promise<Uint8Array | null> {
  const stream = await blobs.get(key);
  if (stream === null) return null;
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
