export { type BlobStore, type ByteRange, readBlob } from './blob-store.ts';
export { FolderBlobs } from './folder-blobs.ts';
