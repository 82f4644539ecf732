import type { Log } from '../../base/log.ts';
import { MODELS_ADVICE, modelFile } from '../../platform/models/index.ts';
import { Model } from '../process/model.ts';
import { FRAME_BYTES, FRAME_SIDE } from './frame.ts';
import { pictureHash } from './hash.ts';
import type { LookRequest, PictureLook } from './sight.ts';

/** Maximum memory of the process. The process takes 150 MB and does not grow. */
const MAX_RSS_BYTES = 600_000_000;

/** The frames from which a GIF is described, as places in the animation (see `Media.frames`). */
export const LOOKS_PLACES: readonly number[] = [0, 1 / 3, 2 / 3];
/**
 * The frames from which a GIF is rated. These are the frames from which the GIF is described, and some frames in
 * between.
 */
export const RATED_PLACES: readonly number[] = [...LOOKS_PLACES, 1 / 6, 1 / 2, 5 / 6];

export interface LooksOptions {
  readonly log: Log;
  /** Time limit for one GIF. The default is that of `Model`. */
  readonly limitMs?: number;
}

/** Describes the appearance of GIFs, in a low-priority process that starts with the first GIF. */
export interface Looks {
  /**
   * Describes a GIF. `frames` is one or more consecutive pictures of 224 x 224 x 3 bytes, as `Media.frames` returns
   * them at LOOKS_PLACES or RATED_PLACES. The descriptor is for `fitLooks` and `projectLooks` of the search engine. It
   * is computed from the first three frames, and is the same for the mirror image. The suspicion is computed from all
   * frames. GIFs are processed one at a time, in order. Throws RangeError for frames of another length. Throws
   * ModelError if the process crashed or timed out twice. Throws OperatorError if the network is missing or cannot be
   * loaded. Throws ServiceError `upstream_unavailable` after `close`.
   */
  look(frames: Uint8Array): Promise<PictureLook>;
  /** Returns only the descriptor that `look` would return. */
  describe(frames: Uint8Array): Promise<Float32Array>;
  /** Ends the process. Pending requests are rejected. */
  close(): Promise<void>;
  /** The running process, for tests and operators. */
  readonly pid: number | undefined;
}

export function createLooks({ log, limitMs }: LooksOptions): Looks {
  const model = new Model<LookRequest, PictureLook>({
    log,
    limitMs,
    does: 'describes pictures',
    advice: MODELS_ADVICE,
    program: () => ({ entry: new URL('./child.ts', import.meta.url), args: [modelFile('looks.onnx')] }),
    maxRssBytes: MAX_RSS_BYTES,
  });
  const look = async (frames: Uint8Array): Promise<PictureLook> => {
    checkFrames(frames);
    return model.ask({ frames, described: LOOKS_PLACES.length });
  };
  return {
    look,
    describe: async (frames) => (await look(frames)).descriptor,
    close: () => model.close(),
    get pid() {
      return model.pid;
    },
  };
}

/**
 * Returns the perceptual hashes of frames in the format of `look`. Each hash has 64 bits, and few of them change when a
 * picture is scaled or recompressed. The hash of a picture of a single colour is 0. Throws RangeError like `look`.
 */
export function pictureHashes(frames: Uint8Array): bigint[] {
  checkFrames(frames);
  return Array.from({ length: frames.length / FRAME_BYTES }, (_, i) =>
    pictureHash({ side: FRAME_SIDE, pixels: frames.subarray(i * FRAME_BYTES, (i + 1) * FRAME_BYTES) }),
  );
}

function checkFrames(frames: Uint8Array): void {
  if (frames.length === 0 || frames.length % FRAME_BYTES !== 0) {
    throw new RangeError(`frames is ${frames.length} bytes; a multiple of ${FRAME_BYTES} is needed`);
  }
}
