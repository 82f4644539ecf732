import type { Fit, MediaFormat, Size } from '../derivatives.ts';
import type { RefusalReason } from '../refusal.ts';
import type { Target } from '../source.ts';
import type { VideoEncoderName } from '../video-encoder.ts';

/** A job for a worker process: a file, and the outputs to make from the file. */
export interface Job {
  readonly bytes: Uint8Array;
  readonly limits: Limits;
  /**
   * The images to make, in order. The images are either fits of the image itself (animated and still, or only still),
   * or the given targets for an image whose declared size is `of`. An image of another size is fitted into each target.
   */
  readonly images:
    | { readonly fits: readonly Fit[]; readonly stillsOnly?: boolean }
    | { readonly targets: readonly Target[]; readonly of: Size };
  /** Whether to read the facts that need decoded frames. */
  readonly frameFacts: boolean;
  /** Places in the animation (0 is the start, 1 the end) of frames to return as pixels (see `renderFrames`). */
  readonly frames: readonly number[];
  /** Size of the frames in `frames`. The default is 224 x 224. */
  readonly frameSize?: Size;
  /** The video encoder. Without an encoder, no video is made. */
  readonly videoEncoder?: VideoEncoderName | null;
}

/** Limits for one file (see the settings with these names). */
export interface Limits {
  readonly maxCanvasPixels: number;
  readonly maxTotalPixels: number;
  readonly maxCpuSeconds: number;
  readonly maxMemoryMib: number;
}

/** The facts that were found in the file. */
export interface Facts {
  readonly format: MediaFormat;
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  readonly durationMs: number;
  readonly truncated: boolean;
}

/** The facts that were found in decoded frames. */
export interface FrameFacts {
  /**
   * A tiny placeholder as a data URI, made from the first frame that is not blank. Null if all frames are transparent.
   */
  readonly lqip: string | null;
  /** Whether pixels that are not opaque were found. Frames late in a large animation are not searched. */
  readonly transparent: boolean;
  /** Whether the first frame, and so every still, is blank: it has only one colour or is transparent. */
  readonly blankStill: boolean;
}

export interface Output {
  readonly target: Target;
  readonly bytes: Uint8Array;
}

export interface JobResult {
  readonly facts: Facts;
  /** Null if the facts were not requested. */
  readonly frameFacts: FrameFacts | null;
  readonly frames: Uint8Array;
}

/** Resource use of the process since its start. The resource use decides when the process is replaced. */
export interface Usage {
  readonly rssBytes: number;
  readonly cpuSeconds: number;
}

/**
 * A worker's messages. The first message is `ready`. After that, each job has its outputs, followed by one `done` or
 * `refused`.
 */
export type WorkerMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'output'; readonly output: Output }
  | { readonly type: 'done'; readonly result: JobResult; readonly usage: Usage }
  | {
      readonly type: 'refused';
      readonly reason: RefusalReason;
      readonly message: string;
      readonly usage: Usage;
    };
