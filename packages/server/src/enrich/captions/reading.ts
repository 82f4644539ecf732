/** Consecutive frames of one size: RGB, row by row. */
export interface ReadRequest {
  readonly frames: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** A line of text in a frame. */
export interface Line {
  readonly text: string;
  /** Confidence of the reader, from 0 to 1. */
  readonly mean: number;
}
