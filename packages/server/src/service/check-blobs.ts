import { ServiceError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { type BlobStore, S3Blobs } from '../platform/blobs/index.ts';

/**
 * Checks that a bucket accepts the operator's settings. An unreachable bucket is not an error, because it can become
 * reachable later, and searches do not need it. @throws OperatorError naming the setting that is wrong
 */
export async function checkBlobs(blobs: BlobStore, log: Log): Promise<void> {
  if (!(blobs instanceof S3Blobs)) return;
  try {
    await blobs.check();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    log.warn(
      { err: error },
      'the S3 service at ZOETROPE_S3_ENDPOINT is unavailable; media cannot be served until it is back',
    );
  }
}
