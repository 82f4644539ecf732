/** Consecutive frames. The descriptor is computed from the first `described` frames. */
export interface LookRequest {
  readonly frames: Uint8Array;
  readonly described: number;
}

/** All results for a GIF's frames. */
export interface PictureLook {
  /** The descriptor: 1,344 numbers. */
  readonly descriptor: Float32Array;
  /** Probability that the worst frame is hentai or porn, from 0 to 1. The rating starts with this value. */
  readonly suspicion: number;
  /** One hash for each described frame (see `pictureHash`). */
  readonly hashes: readonly bigint[];
}
