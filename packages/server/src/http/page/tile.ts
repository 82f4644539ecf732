import { stillOf } from '@zoetrope/client';
import type { Gif } from '@zoetrope/contract';
import { nameOfId } from '../../media/index.ts';
import { escapeHtml } from './frame.ts';
import type { Texts } from './words/words.ts';

/** Maximum number of tags that replace a missing title. */
const TITLE_TAGS = 5;

/** Returns a GIF's title, or its first tags if it has no title. */
export function labelOf({ title, tags }: Gif, { words }: Texts): string {
  return title.trim() || tags.slice(0, TITLE_TAGS).join(', ') || words.untitled;
}

/**
 * Returns the path of a GIF's own page. It does not end in `.gif`, because many apps would treat the page as an image.
 */
export function pathOf({ id }: Pick<Gif, 'id'>): string {
  return `/g/${nameOfId(id)}`;
}

/**
 * Returns the tile of a GIF, as an item of a list. A tile has its final size before its picture loads, so nothing
 * shifts. Without a script, the tile shows the animated preview, or the still with reduced motion. With a script, it
 * shows the still until the script allows motion, and the lqip until the still has loaded. On a slow connection, the
 * script loads the small still first. Devices with more pixels get a larger moving preview. The MP4 is not used,
 * because it has no transparency.
 * @param isFirst whether this is one of the first tiles of a page. The browser loads their pictures before it has laid
 *   out the page
 */
export function renderTile(gif: Gif, texts: Texts, isFirst = false): string {
  const { small, medium, w480 } = gif.previews;
  const label = escapeHtml(labelOf(gif, texts));
  const still = stillOf(gif, medium);
  const ratio = medium.width / medium.height;
  const sizes = w480.width > medium.width ? [medium, w480] : [medium.animated === null ? w480 : medium];
  const files = sizes.flatMap(({ animated, width }) => (animated === null ? [] : `${escapeHtml(animated)} ${width}w`));
  const source =
    files.length > 0
      ? `<source media="(scripting: none) and (prefers-reduced-motion: no-preference)" type="image/webp" srcset="${files.join(', ')}" sizes="${sizesOf(ratio)}">`
      : '';
  const lqip = gif.lqip ? ` data-lqip="${escapeHtml(gif.lqip)}"` : '';
  const smaller = still === small.still || still === gif.lqip ? '' : ` data-small="${escapeHtml(small.still)}"`;
  return (
    `<li style="--ratio:${ratio.toFixed(4)}"><a href="${pathOf(gif)}" title="${label}" data-url="${escapeHtml(gif.url)}">` +
    `<picture>${source}<img src="${escapeHtml(still)}" alt="${label}" width="${medium.width}" height="${medium.height}"` +
    `${isFirst ? '' : ' loading="lazy" fetchpriority="low"'} decoding="async"${lqip}${smaller}></picture></a></li>`
  );
}

/** Heights of a row in `tokens.css`, in rem: on pages narrower than 640 pixels, and on wider pages. */
const ROWS = [7, 11.5] as const;

/** Returns the widths at which a tile is shown, so that the browser can choose a file before it has laid out the page. */
function sizesOf(ratio: number): string {
  const [narrow, wide] = ROWS.map((height) => `${(height * ratio).toFixed(1)}rem`);
  return `(max-width: 639px) ${narrow}, ${wide}`;
}
