import type { BlobStore } from './blob-store.ts';
import type { S3Config } from './config.ts';
import { FolderBlobs } from './folder-blobs.ts';
import { S3Blobs } from './s3-blobs.ts';

export { type BlobStore, type ByteRange, readBlob, type StoredBlob } from './blob-store.ts';
export { S3Config } from './config.ts';
export { type Copied, copyBlobs } from './copy.ts';
export { eachBlob } from './each-blob.ts';
export { FolderBlobs } from './folder-blobs.ts';
export { S3Blobs } from './s3-blobs.ts';

/**
 * Opens the configured store, which is a bucket or the folder. On the folder's disk, `reserve` bytes are kept free.
 * @throws OperatorError if a setting is missing
 */
export function openBlobs(config: S3Config, folder: string, reserve: number): BlobStore {
  return config.endpoint === '' ? new FolderBlobs(folder, reserve) : new S3Blobs(config);
}

/** Opens the configured store for processes that only read blobs. */
export function openServedBlobs(config: S3Config, folder: string): BlobStore {
  return config.endpoint === '' ? new FolderBlobs(folder) : new S3Blobs(config, { remembers: true });
}
