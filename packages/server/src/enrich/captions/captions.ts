import type { Log } from '../../base/log.ts';
import { Model } from '../process/model.ts';
import { captionOf } from './caption.ts';
import type { Line, ReadRequest } from './reading.ts';

/** Maximum memory of the process. The process takes 450 MB and grows with the number of lines. */
const MAX_RSS_BYTES = 700_000_000;

/**
 * The frames to read, as places in the animation (see `Media.frames`). Several frames are read, because captions
 * change.
 */
export const CAPTION_PLACES: readonly number[] = [1 / 6, 1 / 2, 5 / 6];

/**
 * Limits for the sides of a picture. Smaller pictures have no readable text. All other pictures are scaled until the
 * longer side is within these limits.
 */
const MIN_SIDE = 64;
const LEAST_LONG_SIDE = 320;
const MOST_LONG_SIDE = 640;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Returns the size to which a picture is scaled for reading, or null if the picture is too small for text. */
export function captionSize({ width, height }: Size): Size | null {
  if (Math.min(width, height) < MIN_SIDE) return null;
  const long = Math.max(width, height);
  const scale = Math.min(Math.max(long, LEAST_LONG_SIDE), MOST_LONG_SIDE) / long;
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Reads the text in pictures, in a low-priority process that starts with the first GIF. */
export interface CaptionReader {
  /**
   * Returns the caption of a GIF, in Latin letters or Chinese, or an empty string if no caption is credible. `frames`
   * are consecutive pictures of one size, as `Media.frames` returns them at CAPTION_PLACES. Throws like `Looks.look`.
   */
  read(frames: Uint8Array, size: Size): Promise<string>;
  close(): Promise<void>;
  readonly pid: number | undefined;
}

export function createCaptionReader({ log }: { readonly log: Log }): CaptionReader {
  const model = new Model<ReadRequest, Line[][]>({
    log,
    does: 'reads captions',
    advice: 'In a clone, `npm start` installs it. Otherwise set ZOETROPE_CAPTIONS=off',
    program: () => ({ entry: new URL('./child.ts', import.meta.url), args: [] }),
    maxRssBytes: MAX_RSS_BYTES,
  });
  return {
    read: async (frames, { width, height }) => {
      const bytes = width * height * 3;
      if (frames.length === 0 || frames.length % bytes !== 0) {
        throw new RangeError(`frames is ${frames.length} bytes; a multiple of ${bytes} is needed`);
      }
      return captionOf(await model.ask({ frames, width, height }));
    },
    close: () => model.close(),
    get pid() {
      return model.pid;
    },
  };
}
