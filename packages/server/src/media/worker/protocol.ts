import type { Fit, MediaFormat, Size } from '../derivatives.ts';
import type { RefusalReason } from '../refusal.ts';
import type { Target } from '../source.ts';
import type { VideoEncoderName } from '../video-encoder.ts';

/** One file and what to make of it; sent to a worker process. */
export interface Job {
  readonly bytes: Uint8Array;
  readonly limits: Limits;
  /**
   * The images to make, in this order: those of some fittings of the image itself, or given ones
   * for an image that was declared to be `of` a size. What is not of that size is fitted inside.
   */
  readonly images: { readonly fits: readonly Fit[] } | { readonly targets: readonly Target[]; readonly of: Size };
  readonly lqip: boolean;
  /** Places in the animation, from 0 for its start to 1 for its end: the frames to give as pixels, see `renderFrames`. */
  readonly frames: readonly number[];
  /** In which size; 224 x 224 if left out. */
  readonly frameSize?: Size;
  /** What a video is made by; without one none is made. */
  readonly videoEncoder?: VideoEncoderName | null;
}

/** What one file may take; see the settings of the same names. */
export interface Limits {
  readonly maxCanvasPixels: number;
  readonly maxTotalPixels: number;
  readonly maxCpuSeconds: number;
  readonly maxMemoryMib: number;
}

/** What was found out about the file. */
export interface Facts {
  readonly format: MediaFormat;
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  readonly durationMs: number;
  readonly truncated: boolean;
}

export interface Output {
  readonly target: Target;
  readonly bytes: Uint8Array;
}

export interface JobResult {
  readonly facts: Facts;
  readonly lqip: string | null;
  readonly frames: Uint8Array;
}

/** What the process has used since it started; decides when it is replaced. */
export interface Usage {
  readonly rssBytes: number;
  readonly cpuSeconds: number;
}

/** A worker's words, in this order: ready, then for each job its outputs and one `done` or `refused`. */
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
