import type { Gif, Preview } from '@zoetrope/contract';
import { even } from '../../media/index.ts';

type Size = Pick<Preview, 'width' | 'height'>;

/** A file of a GIF. */
export interface Rendition {
  url: string;
  width: number;
  height: number;
  /** Size of the file, if it is known. */
  bytes: number | null;
}

/** The files of a GIF. Each face returns them under its own names. */
export interface Renditions {
  original: Rendition;
  /**
   * Animated WebP of at most 480 px, of at most 240 px, and of at most 192 and 96 px in height. If the GIF is too large
   * to animate, these files are the original.
   */
  w480: Rendition;
  w240: Rendition;
  medium: Rendition;
  small: Rendition;
  /** First frames as PNG. */
  still480: Rendition;
  still240: Rendition;
  /** H.264 without sound. Null if the GIF has no MP4. */
  mp4: Rendition | null;
  /** H.264 of at most 240 px in width. Null if the GIF may have no such MP4. */
  smallMp4: Rendition | null;
}

export function renditionsOf(gif: Gif): Renditions {
  const { url, sha256, width, height, bytes, mp4, previewMp4 } = gif;
  const { w480, w240, medium, small } = gif.previews;
  const film = mp4 === null ? null : { url: mp4, ...evenSizeOf({ width, height }) };
  const original = { url, width, height, bytes };
  const moving = (preview: Preview): Rendition =>
    preview.animated === null ? original : { ...sizeOf(preview), url: preview.animated };
  const still = (preview: Preview): Rendition => ({ ...sizeOf(preview), url: preview.still });
  return {
    original,
    w480: moving(w480),
    w240: moving(w240),
    medium: moving(medium),
    small: moving(small),
    still480: still(w480),
    still240: still(w240),
    mp4: film,
    // A transparent GIF has no small MP4. Before the file has been read, its transparency is unknown.
    smallMp4: previewMp4 === null || sha256 === null ? null : { url: previewMp4, ...evenSizeOf(w240) },
  };
}

/** Returns the size of an MP4. The sides of an MP4 are even, so odd sides are rounded up by one pixel. */
function evenSizeOf({ width, height }: Size): Omit<Rendition, 'url'> {
  return { width: even(width), height: even(height), bytes: null };
}

function sizeOf({ width, height }: Size): Omit<Rendition, 'url'> {
  return { width, height, bytes: null };
}
