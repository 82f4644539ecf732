import { OperatorError } from '../base/errors.ts';
import { damageOf } from '../media/index.ts';
import { type Copied, copyBlobs, FolderBlobs, S3Blobs } from '../platform/blobs/index.ts';
import type { Service } from '../service/index.ts';

/** push: from the folder to the bucket. pull: from the bucket to the folder. */
export type Direction = 'push' | 'pull';

export interface CopyTask {
  onProgress(progress: { phase: 'originals' | 'derivatives'; done: number; total: number }): void;
  signal: AbortSignal;
  /** Whether to skip files that can be regenerated. */
  originalsOnly: boolean;
}

/**
 * Copies media that are missing in the folder or the bucket, originals first. Deletes nothing, and does not copy
 * damaged files.
 * @throws OperatorError if there is no bucket
 */
export async function copyMedia({ store, blobs }: Service, direction: Direction, task: CopyTask): Promise<Copied> {
  if (!(blobs instanceof S3Blobs)) {
    throw new OperatorError('No bucket is configured: set ZOETROPE_S3_ENDPOINT, ZOETROPE_S3_BUCKET and the keys');
  }
  await blobs.check();
  const folder = new FolderBlobs(store.media);
  const [from, to] = direction === 'push' ? [folder, blobs] : [blobs, folder];
  const sum: Copied = { copied: 0, bytes: 0, there: 0, damaged: [] };
  for (const phase of task.originalsOnly ? (['originals'] as const) : (['originals', 'derivatives'] as const)) {
    const copied = await copyBlobs(from, to, {
      prefix: phase === 'originals' ? 'orig/' : 'd/',
      damageOf,
      onProgress: (done, total) => task.onProgress({ phase, done, total }),
      signal: task.signal,
    });
    sum.copied += copied.copied;
    sum.bytes += copied.bytes;
    sum.there += copied.there;
    sum.damaged.push(...copied.damaged);
  }
  return sum;
}
