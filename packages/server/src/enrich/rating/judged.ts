/** Frames as the second network takes them; in pixels, and in bytes. */
export const JUDGED_SIDE = 299;
export const JUDGED_BYTES = JUDGED_SIDE * JUDGED_SIDE * 3;

/** One or more frames, one after the other. */
export interface JudgeRequest {
  readonly frames: Uint8Array;
}
