import type { Gif, Preview } from './contract.ts';

/**
 * Returns the URL of an MP4 that shows what the GIF shows, or null if there is none. The MP4 of a transparent GIF does
 * not: it has a black background, on which dark pixels cannot be seen. Use the animated preview instead.
 */
export function videoOf({ mp4, transparent }: Gif): string | null {
  return transparent ? null : mp4;
}

/**
 * Returns the URL of a preview's still. If the still shows nothing, returns the GIF's placeholder as a data URI, which
 * shows a later frame.
 */
export function stillOf({ lqip, blankStill }: Gif, { still }: Preview): string {
  return (blankStill ? lqip : null) ?? still;
}
