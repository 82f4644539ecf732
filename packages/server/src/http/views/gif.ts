import type { Gif, Preview, Previews } from '@zoetrope/contract';
import type { StoredGif } from '../../index/index.ts';
import { type Fit, originalPath, previewPath, previewSizes } from '../../media/index.ts';

/**
 * A GIF as the API shows it.
 * @param mediaUrl public base address of the media, without a trailing slash
 */
export function toGif(gif: StoredGif, mediaUrl: string): Gif {
  return {
    id: gif.id,
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
    // No MP4 is made yet; null is what the contract says where there is none.
    mp4: null,
    previews: toPreviews(gif, mediaUrl),
  };
}

function toPreviews(gif: StoredGif, mediaUrl: string): Previews {
  const sizes = previewSizes(gif);
  const preview = (fit: Fit): Preview => ({
    width: sizes[fit].width,
    height: sizes[fit].height,
    animated: sizes[fit].animated ? mediaUrl + previewPath(gif.id, { fit, kind: 'animated' }) : null,
    still: mediaUrl + previewPath(gif.id, { fit, kind: 'still' }),
  });
  return { small: preview('small'), medium: preview('medium'), w240: preview('w240'), w480: preview('w480') };
}
