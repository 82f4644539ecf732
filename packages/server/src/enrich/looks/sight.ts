/** Consecutive frames. The descriptor is made from the first `described` frames. */
export interface LookRequest {
  readonly frames: Uint8Array;
  readonly described: number;
}

/** Everything that is computed for a GIF's frames. */
export interface PictureLook {
  /** The descriptor: 1,344 numbers. */
  readonly descriptor: Float32Array;
  /** Probability that the worst frame is hentai or porn, from 0 to 1. The rating starts with this value. */
  readonly suspicion: number;
  /** One hash per described frame (see `pictureHash`). */
  readonly hashes: readonly bigint[];
}
