import type { Readable } from 'node:stream';

/** Bytes `start` to `end` of a blob, both included, counted from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** What a list says of a blob. */
export interface StoredBlob {
  readonly key: string;
  readonly bytes: number;
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
  /**
   * The bytes as a stream, which the caller must read or destroy; null when there is no such blob. A stream that cannot
   * give all of them fails: it never just ends.
   */
  get(key: string, range?: ByteRange): Promise<Readable | null>;
  /** Size in bytes, or null when there is no such blob. */
  head(key: string): Promise<{ bytes: number } | null>;
  /** Removes a blob; removing what is not there is fine. */
  delete(key: string): Promise<void>;
  /** Every blob whose key starts with `prefix`, in no promised order. */
  list(prefix: string): AsyncIterable<StoredBlob>;
}

const KEY = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/;

/** Where a folder keeps what is half-written. */
export const PARTS = 'part';

/** Throws Error for what is no key: a mistake of whoever made it. */
export function assertKey(key: string): void {
  if (!KEY.test(key) || key.startsWith(`${PARTS}/`)) throw new Error(`not a blob key: ${JSON.stringify(key)}`);
}

/** A whole blob in memory, or null when there is no such blob. For blobs of bounded size only. */
export async function readBlob(blobs: Pick<BlobStore, 'get'>, key: string): Promise<Uint8Array | null> {
  const stream = await blobs.get(key);
  if (stream === null) return null;
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
