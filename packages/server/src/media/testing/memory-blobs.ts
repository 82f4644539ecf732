import { Readable } from 'node:stream';
import type { BlobStore, ByteRange, StoredBlob } from '../../platform/blobs/index.ts';

/** A blob store in memory that counts writes and can fail on request. */
export class MemoryBlobs implements BlobStore {
  readonly blobs = new Map<string, Uint8Array>();
  readonly puts: string[] = [];
  failure: Error | null = null;

  async put(key: string, bytes: Uint8Array): Promise<void> {
    this.puts.push(key);
    if (this.failure !== null) throw this.failure;
    this.blobs.set(key, bytes);
  }

  async get(key: string, range?: ByteRange): Promise<Readable | null> {
    const blob = this.blobs.get(key);
    if (blob === undefined) return null;
    return Readable.from([Buffer.from(range === undefined ? blob : blob.subarray(range.start, range.end + 1))]);
  }

  async head(key: string): Promise<{ bytes: number } | null> {
    const blob = this.blobs.get(key);
    return blob === undefined ? null : { bytes: blob.length };
  }

  async delete(key: string): Promise<void> {
    this.blobs.delete(key);
  }

  async *list(prefix: string): AsyncIterable<StoredBlob> {
    for (const [key, { length: bytes }] of this.blobs) if (key.startsWith(prefix)) yield { key, bytes };
  }
}
