/** Frames as an encoder gets them: red, green and blue, row by row, on black. */
export interface Film {
  readonly width: number;
  readonly height: number;
  /** On average. */
  readonly framesPerSecond: number;
  readonly frames: AsyncIterable<Uint8Array>;
}

/** What an encoder made of a film, one picture for each frame, in order. */
export interface Encoded {
  readonly pictures: readonly Picture[];
  /** The decoder's configuration record (ISO/IEC 14496-15); without it the pictures carry their own. */
  readonly description?: Uint8Array;
}

export interface Picture {
  readonly bytes: Uint8Array;
  /** Whether playing may start here. */
  readonly key: boolean;
}

/** Sides of H.264 pictures in 4:2:0 are even. */
export function even(side: number): number {
  return side + (side % 2);
}
