import type { Gif } from '@zoetrope/contract';

/** Returns the URL of a GIF's still. If the still shows nothing, returns the placeholder, which shows a later frame. */
export function stillOf({ previews, lqip, blankStill }: Gif): string {
  return (blankStill ? lqip : null) ?? previews.medium.still;
}
