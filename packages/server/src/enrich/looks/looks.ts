import type { Log } from '../../base/log.ts';
import { MODELS_ADVICE, modelFile } from '../../platform/models/index.ts';
import { Model } from '../process/model.ts';
import { FRAME_BYTES, FRAME_SIDE } from './frame.ts';
import { pictureHash } from './hash.ts';
import type { LookRequest, Sight } from './sight.ts';

/** Three frames take a twentieth of a second. */
const LIMIT_MS = 10_000;
/** It takes 150 MB, and does not grow. */
const MAX_RSS_BYTES = 600_000_000;

/** Which frames of a GIF to describe it by, as places in the animation, see `Media.frames`. */
export const LOOKS_PLACES: readonly number[] = [0, 1 / 3, 2 / 3];
/** Which frames to rate it by: those it is described by and some between. */
export const RATED_PLACES: readonly number[] = [...LOOKS_PLACES, 1 / 6, 1 / 2, 5 / 6];

export interface LooksOptions {
  readonly log: Log;
  /** How long one GIF may take; 10,000 ms if left out. */
  readonly limitMs?: number;
}

/** Tells what GIFs look like, in a process of its own at low priority, which starts with the first GIF. */
export interface Looks {
  /**
   * Looks at a GIF once. `frames` is one or more pictures of 224 x 224 x 3 bytes, one after the other, as `Media.frames`
   * gives them at LOOKS_PLACES or RATED_PLACES. The descriptor, to be given to `fitLooks` and `projectLooks` of the search
   * engine, is made of the first three and is the same for the mirror image; the suspicion of all of them. GIFs are looked
   * at one at a time, in order. Throws RangeError for frames of another length; ModelError when the process died of
   * them twice or took too long twice; OperatorError when the network is missing or cannot be loaded; ServiceError
   * `upstream_unavailable` after `close`.
   */
  look(frames: Uint8Array): Promise<Sight>;
  /** The descriptor of `look` alone. */
  describe(frames: Uint8Array): Promise<Float32Array>;
  /** Ends the process; what is not described yet is rejected. */
  close(): Promise<void>;
  /** The process while it lives, for tests and for an operator's eyes. */
  readonly pid: number | undefined;
}

export function createLooks({ log, limitMs = LIMIT_MS }: LooksOptions): Looks {
  const model = new Model<LookRequest, Sight>({
    log,
    limitMs,
    does: 'looks at GIFs',
    advice: MODELS_ADVICE,
    program: () => ({ entry: new URL('./child.ts', import.meta.url), args: [modelFile('looks.onnx')] }),
    maxRssBytes: MAX_RSS_BYTES,
  });
  const look = async (frames: Uint8Array): Promise<Sight> => {
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
 * What pictures are known again by, in frames as `look` takes them: 64 bits each, of which few change when a picture is
 * scaled or recompressed; 0 for a picture of one colour. Throws RangeError like `look`.
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
