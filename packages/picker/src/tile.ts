import { type Gif, type Preview, stillOf, videoOf } from '@zoetrope/client';
import { html, type TemplateResult } from 'lit';
import { icon } from './icons.ts';
import type { Box } from './layout.ts';
import type { Strings } from './strings.ts';

/** The current state of a tile. */
export interface TileState {
  layout: 'columns' | 'rows';
  box: Box;
  index: number;
  count: number;
  /** Whether the tile is visible and motion is allowed. */
  isPlaying: boolean;
  /**
   * Whether the tile's picture has loaded. If so, the placeholder is removed, because the picture can be transparent.
   */
  isSeen: boolean;
  /** Picture URLs that failed to load. */
  failed: ReadonlySet<string>;
  /** Whether this tile is in the tab order. */
  isActive: boolean;
  isFavourite: boolean;
}

/** Callbacks of a tile. */
export interface TileEvents {
  pick(gif: Gif): void;
  similar(gif: Gif): void;
  favourite(gif: Gif): void;
  seen(gif: Gif): void;
  failed(address: string): void;
}

/**
 * Matches placeholders that are safe as styles. The page's policy can forbid style attributes, so styles are set as
 * properties, from checked values.
 */
const PLACEHOLDER = /^data:image\/[\w+.-]+;base64,[\w+/=]+$/;

/** Minimum duration of a long clip, in seconds. For such clips, an MP4 is much smaller. */
const FILM_S = 8;

/** Candidate URLs for a tile's picture, best first. */
export interface Pictures {
  video: string | null;
  images: string[];
}

/** Maximum factor by which a preview can be enlarged without looking blurred. */
const STRETCHED = 1.15;

/** Returns the smaller of the two previews for columns or rows, if the smaller one is large enough. */
function previewFor({ previews: { small, medium, w240, w480 } }: Gif, { box, layout }: TileState): Preview {
  const ratio = Math.min(2, devicePixelRatio) / STRETCHED;
  if (layout === 'rows') return small.height >= box.height * ratio ? small : medium;
  return w240.width >= box.width * ratio ? w240 : w480;
}

/**
 * Returns the files that show a GIF. The file is an MP4 if there is no animated preview or the GIF is long, otherwise
 * it is the preview. A transparent GIF has no MP4 that shows it. While the tile is not playing, the file is the
 * preview's first frame, or the placeholder if that frame shows nothing.
 */
function picturesOf(gif: Gif, state: TileState): Pictures {
  const preview = previewFor(gif, state);
  const { isPlaying } = state;
  const still = stillOf(gif, preview);
  if (!isPlaying) return { video: null, images: [still] };
  const isFilm = preview.animated === null || (gif.duration ?? 0) >= FILM_S;
  const images = preview.animated === null ? [still] : [preview.animated, still];
  return { video: isFilm ? videoOf(gif) : null, images };
}

export function labelOf({ title, tags }: Gif, strings: Strings): string {
  return title.trim() || tags.slice(0, 4).join(', ') || strings.untitled;
}

export function renderTile(gif: Gif, state: TileState, strings: Strings, events: TileEvents): TemplateResult {
  const { box, index, count, isSeen, isActive, isFavourite } = state;
  const label = labelOf(gif, strings);
  const place = `inset-inline-start:${box.left}px;top:${box.top}px;width:${box.width}px;height:${box.height}px;`;
  const placeholder = !isSeen && PLACEHOLDER.test(gif.lqip ?? '') ? `background-image:url(${gif.lqip})` : '';
  const tabindex = isActive ? 0 : -1;
  const keep = isFavourite ? strings.removeFavourite : strings.addFavourite;
  return html`<li
    class="tile"
    part="tile"
    .style=${place + placeholder}
    aria-setsize=${count}
    aria-posinset=${index + 1}
  >
    <button class="pick" data-index=${index} tabindex=${tabindex} aria-label=${label} title=${label} @click=${() => events.pick(gif)}>
      ${renderPicture(gif, state, events) ?? html`<span class="title">${label}</span>`}
    </button>
    <div class="actions">
      <button tabindex=${tabindex} aria-pressed=${isFavourite} aria-label=${`${keep}: ${label}`} title=${keep} @click=${() => events.favourite(gif)}>
        ${icon('star')}
      </button>
      <button tabindex=${tabindex} aria-label=${`${strings.similar}: ${label}`} title=${strings.similar} @click=${() => events.similar(gif)}>
        ${icon('similar')}
      </button>
    </div>
  </li>`;
}

function renderPicture(gif: Gif, state: TileState, events: TileEvents): TemplateResult | undefined {
  const { video, images } = picturesOf(gif, state);
  const sources = video === null ? images : [video, ...images];
  const source = sources.find((address) => !state.failed.has(address));
  if (source === undefined) return undefined;
  const fail = () => events.failed(source);
  if (source === video) {
    return html`<video
      src=${source}
      poster=${images.at(-1)!}
      .muted=${true}
      loop
      autoplay
      playsinline
      @loadeddata=${() => events.seen(gif)}
      @error=${fail}
    ></video>`;
  }
  return html`<img src=${source} alt="" decoding="async" draggable="false" @load=${() => events.seen(gif)} @error=${fail} />`;
}
