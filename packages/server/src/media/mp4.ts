/**
 * Whether an animation gets an MP4, by the bounds of the specification: not a still, at most 60 s,
 * at most 1800 frames, under 4096 px a side. What is not known is not promised.
 */
export function mp4Allowed(image: {
  readonly width: number;
  readonly height: number;
  readonly frames: number | null;
  readonly durationMs: number | null;
}): boolean {
  const { width, height, frames, durationMs } = image;
  if (frames === null || durationMs === null) return false;
  return frames > 1 && frames <= 1800 && durationMs <= 60_000 && width < 4096 && height < 4096;
}
