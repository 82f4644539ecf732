import { type BlobStore, readBlob, type StoredBlob } from './blob-store.ts';
import { eachBlob } from './each-blob.ts';

export interface CopyOptions {
  /** Prefix of the keys to copy. */
  readonly prefix: string;
  /** Returns the reason why a blob is damaged and must not be copied, or null if the blob is intact. */
  damageOf(key: string, bytes: Uint8Array): string | null;
  onProgress(done: number, total: number): void;
  readonly signal: AbortSignal;
}

export interface Copied {
  /** Number of copied blobs, and their total size in bytes. */
  copied: number;
  bytes: number;
  /** Number of blobs that already existed. */
  there: number;
  damaged: { key: string; damage: string }[];
}

/**
 * Copies the blobs that are not in the other store. Blobs are compared by key and size. Stops between two blobs when
 * `signal` aborts. A later call continues the copying. Throws ServiceError `upstream_unavailable`.
 */
export async function copyBlobs(from: BlobStore, to: BlobStore, options: CopyOptions): Promise<Copied> {
  const { prefix, damageOf, onProgress, signal } = options;
  const known = new Map<string, number>();
  for await (const { key, bytes } of to.list(prefix)) known.set(key, bytes);
  const missing: StoredBlob[] = [];
  const result: Copied = { copied: 0, bytes: 0, there: 0, damaged: [] };
  for await (const blob of from.list(prefix)) {
    if (known.get(blob.key) === blob.bytes) result.there++;
    else missing.push(blob);
  }
  let done = 0;
  await eachBlob(missing, async ({ key }) => {
    signal.throwIfAborted();
    const bytes = await readBlob(from, key);
    const damage = bytes === null ? null : damageOf(key, bytes);
    if (damage !== null) result.damaged.push({ key, damage });
    if (bytes !== null && damage === null) {
      await to.put(key, bytes);
      result.copied++;
      result.bytes += bytes.length;
    }
    onProgress(++done, missing.length);
  });
  return result;
}
