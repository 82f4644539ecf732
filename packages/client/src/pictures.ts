import type { Gif, Preview } from './contract.ts';

/**
 * Returns the URL of an MP4 that looks like the GIF, or null if there is none. For a transparent GIF, it returns null,
 * because dark pixels cannot be seen on the black background of an MP4. If it returns null, use the animated preview.
 */
export function videoOf({ mp4, transparent }: Gif): string | null {
  return transparent ? null : mp4;
}

/**
 * Returns the URL of an MP4 that looks like a preview and has fewer bytes, or null if there is none. Only previews in the
 * size of `w240` have one. For a transparent GIF, it returns null. If the MP4 does not load, use the animated preview.
 */
export function previewVideoOf({ previewMp4, transparent, previews }: Gif, { width }: Preview): string | null {
  // Services of earlier versions do not have the field.
  return transparent || width !== previews.w240.width ? null : (previewMp4 ?? null);
}

/**
 * Returns the URL of a preview's still. If the still is blank, returns the GIF's placeholder as a data URI, which shows
 * a later frame.
 */
export function stillOf({ lqip, blankStill }: Gif, { still }: Preview): string {
  return (blankStill ? lqip : null) ?? still;
}
