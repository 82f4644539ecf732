/** Frames of one size, one after the other: red, green and blue, row by row. */
export interface ReadRequest {
  readonly frames: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** A line of text in a frame. */
export interface Line {
  readonly text: string;
  /** How sure the reader is, from 0 to 1. */
  readonly mean: number;
}
