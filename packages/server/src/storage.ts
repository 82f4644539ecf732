import { ServiceError } from './errors.ts';
import type { Log } from './log.ts';
import { type BlobStore, S3Blobs } from './platform/blobs/index.ts';

/**
 * Looks whether a bucket takes the operator's settings. One that cannot be reached now may be later, and searches do not
 * need it. @throws OperatorError naming the setting that is wrong
 */
export async function checkBlobs(blobs: BlobStore, log: Log): Promise<void> {
  if (!(blobs instanceof S3Blobs)) return;
  try {
    await blobs.check();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    log.warn({ err: error }, 'the S3 store of ZOETROPE_S3_ENDPOINT cannot be reached; there are no media until it can');
  }
}
