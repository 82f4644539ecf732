import { type Gif, type Preview, previewVideoOf, stillOf, videoOf } from '@zoetrope/client';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Strings } from '../strings.ts';
import { icon } from './icons.ts';
import type { Box } from './layout.ts';

/** The place of a tile. */
export interface Place {
  layout: 'columns' | 'rows';
  box: Box;
}

/** The current state of a tile. */
export interface TileState extends Place {
  /** Index in all lists together. */
  index: number;
  /** Number of the tile in its list, counted from 1. */
  place: number;
  /** Number of tiles in its list. */
  count: number;
  /** Whether the tile is visible and motion is allowed. */
  isPlaying: boolean;
  /** The kinds of files that are allowed to load now. A file that has already loaded is shown anyway. */
  loads: { stills: boolean; motion: boolean };
  /**
   * URLs of the tile's pictures that have loaded. If there are any, the placeholder is removed, because pictures can be
   * transparent.
   */
  loaded: ReadonlySet<string>;
  /** Picture URLs that failed to load. */
  failed: ReadonlySet<string>;
  /** Whether this tile is in the tab order. */
  isActive: boolean;
  isFavourite: boolean;
  /** The user's own description, or an empty string. */
  alt: string;
}

/** Callbacks of a tile. */
export interface TileEvents {
  pick(gif: Gif): void;
  similar(gif: Gif): void;
  favourite(gif: Gif): void;
  details(gif: Gif): void;
  seen(gif: Gif, address: string): void;
  /** @param isStill whether the GIF cannot be shown at all, because even its still has failed */
  failed(gif: Gif, address: string, isStill: boolean): void;
}

/**
 * Matches placeholders that are safe as styles. The page's policy can forbid style attributes, so styles are set as
 * properties, from checked values.
 */
const PLACEHOLDER = /^data:image\/[\w+.-]+;base64,[\w+/=]+$/;

/** Minimum duration of a long clip, in seconds. For such clips, an MP4 is much smaller. */
const FILM_S = 8;

/** Maximum factor by which a preview can be enlarged without looking blurred. */
const STRETCHED = 1.15;

/**
 * Returns one of the two previews for columns or rows: the smaller one if it is large enough, otherwise the larger one.
 */
function previewFor({ previews: { small, medium, w240, w480 } }: Gif, { box, layout }: Place): Preview {
  const ratio = Math.min(2, devicePixelRatio) / STRETCHED;
  if (layout === 'rows') return small.height >= box.height * ratio ? small : medium;
  return w240.width >= box.width * ratio ? w240 : w480;
}

/** Returns the URL of the preview's first frame, or of the placeholder if that frame is blank. */
export function stillFor(gif: Gif, place: Place): string {
  return stillOf(gif, previewFor(gif, place));
}

/**
 * Returns the files that show the motion of a GIF, best first. An MP4 in the size of the preview is best. The MP4 in the
 * original size is next if there is no animated preview or the GIF is long. The MP4s of a transparent GIF are never used.
 */
function motionOf(gif: Gif, state: TileState): string[] {
  const preview = previewFor(gif, state);
  const { animated } = preview;
  const isFilm = animated === null || (gif.duration ?? 0) >= FILM_S;
  return [previewVideoOf(gif, preview), isFilm ? videoOf(gif) : null, animated].filter((address) => address !== null);
}

export function labelOf({ title, tags }: Gif, strings: Strings): string {
  return title.trim() || tags.slice(0, 4).join(', ') || strings.untitled;
}

/** Returns the URL of a GIF's large picture. @param moves whether motion is allowed */
export function largeOf(gif: Gif, moves: boolean): { picture: string; isVideo: boolean } {
  const preview = gif.previews.w480;
  const video = moves && preview.animated === null ? videoOf(gif) : null;
  if (video !== null) return { picture: video, isVideo: true };
  return { picture: (moves && preview.animated) || stillOf(gif, preview), isVideo: false };
}

export function renderTile(gif: Gif, state: TileState, strings: Strings, events: TileEvents): TemplateResult {
  const { box, index, loaded, isActive, isFavourite } = state;
  const label = state.alt || labelOf(gif, strings);
  const place = `inset-inline-start:${box.left}px;top:${box.top}px;width:${box.width}px;height:${box.height}px;`;
  const placeholder = loaded.size === 0 && PLACEHOLDER.test(gif.lqip ?? '') ? `background-image:url(${gif.lqip})` : '';
  const tabindex = isActive ? 0 : -1;
  const keep = isFavourite ? strings.removeFavourite : strings.addFavourite;
  const picture = renderPicture(gif, state, events);
  const name = picture === undefined ? `${label}: ${strings.unavailable}` : label;
  const action = (text: string, drawing: Parameters<typeof icon>[0], act: (gif: Gif) => void, isPressed?: boolean) =>
    html`<button tabindex=${tabindex} aria-pressed=${isPressed ?? nothing} aria-label=${`${text}: ${label}`} title=${text} @click=${() => act(gif)}>
      ${icon(drawing)}
    </button>`;
  return html`<li
    class="tile"
    part="tile"
    .style=${place + placeholder}
    aria-setsize=${state.count}
    aria-posinset=${state.place}
  >
    <button
      class="pick"
      data-index=${index}
      tabindex=${tabindex}
      aria-label=${name}
      aria-disabled=${picture === undefined}
      title=${name}
      @click=${() => picture && events.pick(gif)}
    >
      ${picture ?? html`<span class="title">${label} <em>${strings.unavailable}</em></span>`}
    </button>
    <div class="actions">
      ${action(keep, 'star', events.favourite, isFavourite)} ${action(strings.similar, 'similar', events.similar)}
      ${action(strings.details, 'more', events.details)}
    </div>
  </li>`;
}

/**
 * Renders the first file that has not failed and is allowed to load. The placeholder is shown until the still has
 * loaded. Browsers show the still in the same element until the motion has loaded. Returns undefined if all files have
 * failed.
 */
function renderPicture(gif: Gif, state: TileState, events: TileEvents): TemplateResult | undefined {
  const { isPlaying, loads, loaded, failed } = state;
  const still = stillFor(gif, state);
  const motion = isPlaying ? motionOf(gif, state) : [];
  const files = [...motion, still].filter((address) => !failed.has(address));
  if (files.length === 0) return undefined;
  const isAllowed = (address: string) => loaded.has(address) || (address === still ? loads.stills : loads.motion);
  const source = files.find(isAllowed);
  const see = () => events.seen(gif, source!);
  const fail = () => events.failed(gif, source!, source === still);
  if (source !== undefined && (source === videoOf(gif) || source === gif.previewMp4)) {
    // Some devices play no videos by themselves, for example to save power. Then the animated preview is shown.
    const play = ({ currentTarget }: Event) => {
      see();
      (currentTarget as HTMLVideoElement).play().catch(({ name }) => name === 'NotAllowedError' && fail());
    };
    return html`<video
      src=${source}
      poster=${still}
      .muted=${true}
      loop
      autoplay
      playsinline
      @loadeddata=${play}
      @error=${fail}
    ></video>`;
  }
  return html`<img fetchpriority="low" src=${source ?? nothing} alt="" decoding="async" draggable="false" @load=${see} @error=${fail} />`;
}
