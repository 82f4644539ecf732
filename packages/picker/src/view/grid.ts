import type { Gif } from '@zoetrope/client';
import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { RenderedElement } from '../element.ts';
import type { Motion } from '../settings.ts';
import type { Strings } from '../strings.ts';
import { boxesWithin, type Direction, type Layout, layColumns, layRows, neighbour, stack } from './layout.ts';
import { renderTile, stillFor, type TileEvents } from './tile.ts';

export type LayoutName = 'columns' | 'rows';

/** The data that the grid needs to render. */
export interface GridContent {
  gifs: readonly Gif[];
  /** Number of GIFs in the first list. The other GIFs follow below a heading. */
  found: number;
  heading: string;
  /** The user's own descriptions of the favourites, or empty strings, by id. */
  favourites: ReadonlyMap<string, string>;
  strings: Strings;
  events: Pick<TileEvents, 'pick' | 'similar' | 'favourite' | 'details'> & {
    /** Called when a favourite cannot be shown. */
    lost(gif: Gif): void;
  };
  motion: Motion;
  /** Whether a search is running. Its response needs the bandwidth. Meanwhile, the GIFs are from an earlier search. */
  isSearching: boolean;
  /** Content below the tiles. */
  after: unknown;
}

/** Approximate width of a column, and approximate height of a row, in CSS pixels. */
const TILE = { columns: 150, rows: 110 };
const GAP = 6;
/** Margin beside the tiles, in CSS pixels. The styles use the same number. */
const MARGIN = 10;
/** Height of the heading between two lists, in CSS pixels. The styles use the same number. */
const HEADING = 40;
/** Milliseconds without a scroll event after which the view counts as settled. */
const SETTLED_MS = 150;
/** Milliseconds after which a touch counts as long. */
const LONG_MS = 500;
const NO_TILES: Layout = { boxes: [], height: 0 };
const NONE: ReadonlySet<string> = new Set();
const ARROWS: Record<string, Direction> = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' };

/** Manages the tiles: their positions, and which of them are rendered, playing or focused. */
export class Grid {
  readonly #host: RenderedElement;
  readonly #leave: () => void;
  #layout: Layout = NO_TILES;
  /** Vertical position of the heading above the second list. */
  #second = 0;
  #width = 0;
  #scroll = { top: 0, height: 0 };
  #active = 0;
  /** Index of the hovered or focused tile. This tile plays even with reduced motion. */
  #pointed = -1;
  /** URLs of pictures that have loaded, keyed by the id of their GIF. */
  #loaded = new Map<string, ReadonlySet<string>>();
  #failed = new Set<string>();
  #pictures: (HTMLImageElement | HTMLVideoElement)[] = [];
  #frame = 0;
  /** The timer that runs until the view has settled. */
  #settling: ReturnType<typeof setTimeout> | undefined;
  /** Opens the details of a rendered GIF. */
  #open: (index: number) => void = () => {};
  #isOnScreen = true;
  /** The timer that runs while a tile is touched. */
  #touching: ReturnType<typeof setTimeout> | undefined;
  /** Whether the touch was long, so that its end does not pick the GIF. */
  #wasLong = false;
  #isRtl = false;
  #name: LayoutName = 'columns';
  #resize: ResizeObserver | undefined;
  #sight: IntersectionObserver | undefined;
  readonly #calm = matchMedia('(prefers-reduced-motion: reduce)');
  readonly #again = () => this.#host.requestUpdate();

  /** @param leave called when the focus leaves the grid at its top */
  constructor(host: RenderedElement, leave: () => void) {
    this.#host = host;
    this.#leave = leave;
  }

  connect(): void {
    this.#calm.addEventListener('change', this.#again);
    this.#sight = new IntersectionObserver((entries) => {
      const { isIntersecting } = entries.at(-1)!;
      if (isIntersecting === this.#isOnScreen) return;
      this.#isOnScreen = isIntersecting;
      this.#again();
    });
    this.#sight.observe(this.#host);
    this.#resize = new ResizeObserver(() => this.#measure());
    const scroller = this.#scroller;
    if (scroller !== null) this.#resize.observe(scroller);
  }

  disconnect(): void {
    this.#calm.removeEventListener('change', this.#again);
    this.#sight?.disconnect();
    this.#resize?.disconnect();
    clearTimeout(this.#touching);
    clearTimeout(this.#settling);
    this.#settling = undefined;
  }

  /** Observes the scroller when it is rendered. Observing it again has no effect. */
  updated(): void {
    this.#stopRemoved();
    const scroller = this.#scroller;
    // A picture can load after the picker was removed. An observer would then keep the picker in memory.
    if (scroller === null || !this.#host.isConnected) return;
    this.#resize?.observe(scroller);
    // The observer first fires with the next frame, and results can arrive before that.
    if (this.#width === 0 && scroller.clientWidth > 0) this.#measure();
  }

  /** Returns the part of the grid below the visible part, in panel heights. */
  get heightsLeft(): number {
    const { top, height } = this.#scroll;
    return height === 0 ? Number.POSITIVE_INFINITY : (this.#layout.height - top - height) / height;
  }

  /** The scroll position, in CSS pixels. The browser reports it only with the next frame. */
  get top(): number {
    return this.#scroller?.scrollTop ?? this.#scroll.top;
  }

  /** Lays out the tiles. For `found`, see `GridContent`. */
  lay({ gifs, found }: Pick<GridContent, 'gifs' | 'found'>, name: LayoutName, isRtl: boolean): void {
    const options = { width: this.#width, gap: GAP, size: TILE[name] ?? TILE.columns };
    const lay = (of: readonly Gif[]) => (name === 'rows' ? layRows : layColumns)(of, options);
    this.#isRtl = isRtl;
    this.#name = name === 'rows' ? 'rows' : 'columns';
    this.#layout = this.#width === 0 ? NO_TILES : lay(gifs.slice(0, found));
    this.#second = this.#layout.height;
    if (this.#width > 0 && found < gifs.length) this.#layout = stack(this.#layout, lay(gifs.slice(found)), HEADING);
    this.#active = Math.min(this.#active, Math.max(0, gifs.length - 1));
  }

  /** Resets the focus and all failures when another list of GIFs is shown. @param top the scroll position */
  reset(top = 0): void {
    this.#active = 0;
    this.#pointed = -1;
    this.#failed = new Set();
    this.#scroller?.scrollTo({ top });
    this.#scroll = { ...this.#scroll, top };
    // A longer list must be rendered before it can be scrolled.
    if (top > 0) void this.#host.updateComplete.then(() => this.#scroller?.scrollTo({ top }));
  }

  /** Focuses a tile. By default, it focuses the tile that last had the focus. */
  focus(index: number = this.#active): void {
    const box = this.#layout.boxes[index];
    const scroller = this.#scroller;
    if (box === undefined || scroller === null) return;
    this.#active = index;
    const below = box.top + box.height - scroller.clientHeight;
    scroller.scrollTop = Math.max(below, Math.min(box.top, scroller.scrollTop));
    this.#scroll = { ...this.#scroll, top: scroller.scrollTop };
    this.#again();
    void this.#host.updateComplete.then(() => {
      this.#host.renderRoot.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus({ preventScroll: true });
    });
  }

  render(shown: GridContent): TemplateResult {
    return html`<div
      class="scroll"
      @scroll=${this.#noteScroll}
      @keydown=${this.#key}
      @focusin=${this.#point}
      @focusout=${this.#point}
      @pointerover=${this.#point}
      @pointerleave=${this.#point}
      @pointerdown=${this.#touch}
      @pointerup=${this.#release}
      @pointercancel=${this.#release}
      @contextmenu=${this.#keepMenu}
    >
      ${this.#renderTiles(shown)} ${shown.after}
    </div>`;
  }

  #renderTiles({
    gifs,
    found,
    heading,
    favourites,
    strings,
    events,
    motion: choice,
    isSearching,
  }: GridContent): TemplateResult | typeof nothing {
    const { top, height } = this.#scroll;
    const visible = new Set(boxesWithin(this.#layout, top, top + height));
    const rendered = new Set([...boxesWithin(this.#layout, top - height, top + 2 * height), this.#active]);
    const numbers = [...rendered].filter((i) => i < this.#layout.boxes.length).sort((a, b) => a - b);
    this.#forgetOthers(new Set(numbers.map((i) => gifs[i]!.id)));
    if (numbers.length === 0) return nothing;
    const pick = (gif: Gif) => !this.#wasLong && events.pick(gif);
    this.#open = (index) => events.details(gifs[index]!);
    const failed = (gif: Gif, address: string, isStill: boolean) => {
      this.#failed.add(address);
      if (isStill && favourites.has(gif.id)) events.lost(gif);
      this.#again();
    };
    const all = { ...events, pick, seen: this.#noteLoad, failed };
    // The visible stills load first. Other stills and motion load later, because motion has several times as many
    // bytes.
    const areSeen = [...visible].every((i) => this.#hasStill(gifs[i]!, i));
    const motion = areSeen && !isSearching && this.#settling === undefined;
    const isCalm = choice === 'system' ? this.#calm.matches : choice === 'never';
    const isPlaying = (i: number) => (isCalm ? i === this.#pointed && choice === 'system' : visible.has(i));
    const tile = (i: number) => {
      const gif = gifs[i]!;
      const [from, to] = i < found ? [0, found] : [found, gifs.length];
      const state = {
        layout: this.#name,
        ...{ box: this.#layout.boxes[i]!, index: i, place: i - from + 1, count: to - from },
        isActive: i === this.#active,
        isPlaying: this.#isOnScreen && isPlaying(i),
        loads: { stills: !isSearching && (areSeen || visible.has(i)), motion },
        loaded: this.#loaded.get(gif.id) ?? NONE,
        failed: this.#failed,
        isFavourite: favourites.has(gif.id),
        alt: favourites.get(gif.id) ?? '',
      };
      return renderTile(gif, state, strings, all);
    };
    const list = (isOwn: boolean, name: string | typeof nothing) => {
      const own = numbers.filter((i) => i < found === isOwn);
      return html`<ul role="list" aria-labelledby=${name}>${repeat(own, (i) => gifs[i]!.id, tile)}</ul>`;
    };
    const others = html`<div class="heading" id="popular" .style=${`top:${this.#second}px`}>${heading}</div>${list(false, 'popular')}`;
    return html`<div class="grid" .style=${`height:${this.#layout.height}px`}>
      ${list(true, nothing)} ${found < gifs.length ? others : nothing}
    </div>`;
  }

  get #scroller(): HTMLElement | null {
    return this.#host.renderRoot?.querySelector('.scroll') ?? null;
  }

  readonly #measure = (): void => {
    const scroller = this.#scroller!;
    // On some systems scroll bars take up space. The margin must be the same on all systems.
    const bar = scroller.offsetWidth - scroller.clientWidth;
    scroller.style.marginInlineEnd = `${Math.max(0, MARGIN - bar)}px`;
    const { clientWidth: width, clientHeight: height, scrollTop: top } = scroller;
    if (width === this.#width && height === this.#scroll.height && top === this.#scroll.top) return;
    this.#width = width;
    this.#scroll = { top, height };
    this.#again();
  };

  /** Returns whether a picture of a GIF has loaded, or its still has failed, so that waiting for it is pointless. */
  #hasStill(gif: Gif, index: number): boolean {
    const place = { layout: this.#name, box: this.#layout.boxes[index]! };
    return this.#loaded.has(gif.id) || this.#failed.has(stillFor(gif, place));
  }

  /** Forgets that pictures have loaded if their GIFs are not rendered, because their elements are removed. */
  #forgetOthers(rendered: ReadonlySet<string>): void {
    for (const id of this.#loaded.keys()) if (!rendered.has(id)) this.#loaded.delete(id);
  }

  /** Stops loading the pictures of removed tiles. Otherwise, they would load until they are garbage-collected. */
  #stopRemoved(): void {
    const root = this.#host.renderRoot;
    for (const picture of this.#pictures) {
      if (root.contains(picture)) continue;
      picture.removeAttribute('src');
      if (picture instanceof HTMLVideoElement) picture.load();
    }
    this.#pictures = [...root.querySelectorAll<HTMLImageElement | HTMLVideoElement>('img, video')];
  }

  readonly #settle = (): void => {
    this.#settling = undefined;
    this.#again();
  };

  readonly #noteScroll = (): void => {
    clearTimeout(this.#settling);
    this.#settling = setTimeout(this.#settle, SETTLED_MS);
    this.#measure();
  };

  readonly #noteLoad = ({ id }: Gif, address: string): void => {
    const before = this.#loaded.get(id) ?? NONE;
    if (before.has(address)) return;
    this.#loaded.set(id, new Set([...before, address]));
    // Several images can load between two frames. Their placeholders are removed together.
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(this.#again);
  };

  readonly #key = (event: KeyboardEvent): void => {
    this.#wasLong = false;
    let to: number | undefined;
    if (event.key in ARROWS) to = neighbour(this.#layout, this.#active, this.#turned(ARROWS[event.key]!));
    else if (event.key === 'Home') to = 0;
    else if (event.key === 'End') to = this.#layout.boxes.length - 1;
    else if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    // Moving up from the first row, or pressing Escape anywhere, returns to the search field.
    if (to !== undefined) this.focus(to);
    else if (event.key === 'ArrowUp' || event.key === 'Escape') this.#leave();
  };

  /** Mirrors left and right in right-to-left text. */
  #turned(direction: Direction): Direction {
    if (!this.#isRtl || direction === 'up' || direction === 'down') return direction;
    return direction === 'left' ? 'right' : 'left';
  }

  readonly #touch = (event: PointerEvent): void => {
    this.#wasLong = false;
    const index = indexAt(event);
    if (event.pointerType !== 'touch' || index < 0) return;
    this.#touching = setTimeout(() => {
      this.#wasLong = true;
      this.#open(index);
    }, LONG_MS);
  };

  readonly #release = (): void => clearTimeout(this.#touching);

  /** A long touch opens the details instead of the browser's menu. */
  readonly #keepMenu = (event: PointerEvent): void => {
    if (event.pointerType === 'touch') event.preventDefault();
  };

  readonly #point = (event: Event): void => {
    const isLeaving = event.type === 'focusout' || event.type === 'pointerleave';
    const index = isLeaving ? -1 : indexAt(event);
    if (event.type === 'focusin' && index >= 0) this.#active = index;
    if (index === this.#pointed) return;
    this.#pointed = index;
    this.#again();
  };
}

/** Returns the index of the tile where an event happened, or -1. */
function indexAt(event: Event): number {
  const tile = (event.target as Element).closest('.tile');
  return Number(tile?.querySelector<HTMLElement>('.pick')?.dataset['index'] ?? -1);
}
