import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { BlobStore } from '../platform/blobs/index.ts';
import type { Fetcher } from '../platform/fetch/index.ts';
import type { MediaConfig } from './config.ts';
import type { LinkBook } from './linked/link-book.ts';
import type { VideoEncoderName } from './video-encoder.ts';

export interface MediaOptions {
  readonly blobs: BlobStore;
  readonly fetcher: Pick<Fetcher, 'download' | 'probe' | 'beginning'>;
  /**
   * The known facts about linked GIFs. Without a link book, the only known URL of a linked GIF is the URL from its
   * source.
   */
  readonly links?: LinkBook;
  readonly config: MediaConfig;
  readonly log: Log;
  readonly clock: Clock;
  /** The video encoder. Null if there is none. */
  readonly videoEncoder?: VideoEncoderName | null;
}
