import type { Gif, Preview, Previews } from '@zoetrope/contract';
import type { StoredGif } from '../../index/index.ts';
import { derivativePath, type Fit, mp4Allowed, originalPath, previewSizes } from '../../media/index.ts';

export interface ShownMedia {
  /** Public base address of the media, without a trailing slash. */
  mediaUrl: string;
  /** Whether MP4s can be made here. */
  hasVideo: boolean;
}

/** A GIF as the API shows it. */
export function toGif(gif: StoredGif, { mediaUrl, hasVideo }: ShownMedia): Gif {
  return {
    id: gif.id,
    sha256: gif.verified === 'file' ? gif.sha256 : null,
    verified: gif.verified !== 'nothing',
    url: gif.url ?? mediaUrl + originalPath(gif.id.slice(0, 64), gif.format),
    width: gif.width,
    height: gif.height,
    frames: gif.frames,
    duration: gif.durationMs === null ? null : gif.durationMs / 1000,
    bytes: gif.bytes,
    format: gif.format,
    title: gif.title,
    tags: gif.tags,
    lqip: gif.lqip,
    mp4: hasVideo && mp4Allowed(gif) ? mediaUrl + derivativePath(gif.id, { kind: 'video' }) : null,
    previews: toPreviews(gif, mediaUrl),
  };
}

function toPreviews(gif: StoredGif, mediaUrl: string): Previews {
  const sizes = previewSizes(gif);
  const preview = (fit: Fit): Preview => ({
    width: sizes[fit].width,
    height: sizes[fit].height,
    animated: sizes[fit].animated ? mediaUrl + derivativePath(gif.id, { fit, kind: 'animated' }) : null,
    still: mediaUrl + derivativePath(gif.id, { fit, kind: 'still' }),
  });
  return { small: preview('small'), medium: preview('medium'), w240: preview('w240'), w480: preview('w480') };
}
