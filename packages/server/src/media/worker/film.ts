/** Frames for an encoder: RGB, row by row, on black. */
export interface Film {
  readonly width: number;
  readonly height: number;
  /** Average number of frames per second. */
  readonly framesPerSecond: number;
  readonly quality: Quality;
  readonly frames: AsyncIterable<Uint8Array>;
}

/**
 * The quality of a video. `full` does not waste bytes on the dither of GIFs. `preview` is a higher quality, because
 * people compare the moving parts of a small video with those of the animated preview. The encoder from npm has only
 * one quality.
 */
export type Quality = 'full' | 'preview';

/** The encoded film. It has one picture per frame, in order. */
export interface Encoded {
  readonly pictures: readonly Picture[];
  /** The decoder configuration record (ISO/IEC 14496-15). If it is absent, the pictures contain the record. */
  readonly description?: Uint8Array;
}

export interface Picture {
  readonly bytes: Uint8Array;
  /** Whether playback can start at this picture. */
  readonly key: boolean;
}

/** Rounds a side up to an even number. Sides of H.264 pictures in 4:2:0 must be even. */
export function even(side: number): number {
  return side + (side % 2);
}
