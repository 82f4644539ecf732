/** Frames to look at, one after the other, of which the first `described` are what the descriptor is made of. */
export interface LookRequest {
  readonly frames: Uint8Array;
  readonly described: number;
}

/** What one look at a GIF gives. */
export interface Sight {
  /** What it looks like: 1,344 numbers. */
  readonly descriptor: Float32Array;
  /** How likely the worst of the frames is hentai or porn, from 0 to 1: the first opinion of the rating. */
  readonly suspicion: number;
  /** Of each described frame, see `pictureHash`. */
  readonly hashes: readonly bigint[];
}
