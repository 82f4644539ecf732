export { isPublicAddress } from './address.ts';
export { DownloadError, type DownloadFailure } from './download-error.ts';
export { type DownloadOptions, Fetcher } from './fetcher.ts';
export { BlockedAddress, guardedLookup, type Resolve } from './guard.ts';
