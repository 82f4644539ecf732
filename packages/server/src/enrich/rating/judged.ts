/** Side in pixels, and size in bytes, of the frames for the second network. */
export const JUDGED_SIDE = 299;
export const JUDGED_BYTES = JUDGED_SIDE * JUDGED_SIDE * 3;

/** One or more consecutive frames. */
export interface JudgeRequest {
  readonly frames: Uint8Array;
}
