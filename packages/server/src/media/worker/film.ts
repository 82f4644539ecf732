/** Frames for an encoder: RGB, row by row, on black. */
export interface Film {
  readonly width: number;
  readonly height: number;
  /** Average. */
  readonly framesPerSecond: number;
  readonly frames: AsyncIterable<Uint8Array>;
}

/** The encoded film: one picture per frame, in order. */
export interface Encoded {
  readonly pictures: readonly Picture[];
  /** The decoder configuration record (ISO/IEC 14496-15); if absent, the pictures contain it. */
  readonly description?: Uint8Array;
}

export interface Picture {
  readonly bytes: Uint8Array;
  /** Whether playback can start here. */
  readonly key: boolean;
}

/** Sides of H.264 pictures in 4:2:0 must be even. */
export function even(side: number): number {
  return side + (side % 2);
}
