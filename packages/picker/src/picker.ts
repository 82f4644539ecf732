import {
  type Attribution,
  createClient,
  createSession,
  type Gif,
  type GifClient,
  GifError,
  type SearchSession,
  type SessionState,
  toImeta,
} from '@zoetrope/client';
import { html, LitElement, type PropertyDeclarations, type TemplateResult } from 'lit';
import { Grid, type LayoutName } from './grid.ts';
import { announcementOf, explain, renderMessage, renderNote, type Told } from './messages.ts';
import { preconnect } from './preconnect.ts';
import { renderSearch, renderTopics } from './search-bar.ts';
import { noteUse, readShelf, type Shelf, toggleFavourite } from './shelf.ts';
import { fill, type Strings, stringsFor } from './strings.ts';
import { styles } from './styles.ts';
import { labelOf } from './tile.ts';
import { type Topic, topicsAt } from './topics.ts';

/** A picked GIF, ready for a note. */
export interface GifPick {
  gif: Gif;
  /** The NIP-92 tag for the note. */
  imeta: string[];
  /** The text for the note, which is the URL exactly as in the tag. */
  text: string;
}

/** The GIFs in the grid. */
type View = { kind: 'search' } | { kind: 'recent' } | { kind: 'favourites' } | Similar;

interface Similar {
  kind: 'similar';
  of: Gif;
  gifs: readonly Gif[] | undefined;
  error: GifError | null;
}

/** Number of panel heights. If fewer are left, the next page is loaded. */
const AHEAD = 2;
const SIMILAR = 50;
/** Maximum number of topics to try as the opening view. */
const OPENINGS = 4;
const SHELVES = ['recent', 'favourites'] as const;

/**
 * `<gif-picker service="https://gifs.example">` searches GIFs. It fires `gif-pick` with a `GifPick` when the user picks
 * a GIF, and `gif-close` when the user presses Escape.
 *
 * Attributes: `service`, the URL of a Zoetrope service; `layout`, `columns` or `rows`; `theme`, `light` or `dark`, by
 * default the device's setting; `lang`, language of the interface. Custom properties: `--gif-picker-background`,
 * `-text`, `-muted`, `-surface`, `-border`, `-accent`, `-on-accent`, `-radius`. Parts: `panel`, `input`, `topics`,
 * `tile`, `attribution`.
 */
export class GifPicker extends LitElement {
  static override readonly styles = styles;
  static override readonly properties: PropertyDeclarations = {
    service: { type: String },
    layout: { type: String },
    theme: { type: String, reflect: true },
    topics: { attribute: false },
  };

  declare service: string;
  declare layout: LayoutName;
  declare theme: 'light' | 'dark' | undefined;
  /** Topic chips. The default depends on the time of day. */
  declare topics: readonly Topic[] | undefined;

  #client: GifClient | undefined;
  #session: SearchSession | undefined;
  #state: SessionState | undefined;
  #strings: Strings = stringsFor([]).strings;
  #locale = 'en';
  /** Whether the surrounding page is right-to-left. */
  #isRtl = false;
  #attribution: Attribution | undefined;
  #shelf: Shelf = { recent: [], favourites: [] };
  #view: View = { kind: 'search' };
  #text = '';
  #option = -1;
  /** Opening topics that have not yet been tried. */
  #openings: string[] = [];
  /** The GIFs that are shown because a query has found none. */
  #others: { query: string; gifs: readonly Gif[] } | undefined;
  #isSuggesting = false;
  readonly #grid = new Grid(this, () => this.focus());
  readonly #again = () => this.requestUpdate();
  readonly #online = () => this.#retry();

  constructor() {
    super();
    this.service = '';
    this.layout = 'columns';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener('online', this.#online);
    window.addEventListener('offline', this.#again);
    if (this.#client !== undefined && this.#session === undefined) this.#open();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener('online', this.#online);
    window.removeEventListener('offline', this.#again);
    // If an element is moved within the page, the browser disconnects it and immediately connects it again.
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.#session?.close();
      this.#session = undefined;
    });
  }

  /** Focuses the search field, waiting for the first rendering if necessary. */
  override focus(options?: FocusOptions): void {
    if (this.#input !== null) this.#input.focus(options);
    else void this.updateComplete.then(() => this.#input?.focus(options));
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    // The direction cannot be derived from the interface language, because a page can be in a language without a
    // translation.
    this.#isRtl = this.dir === '' && getComputedStyle(this).direction === 'rtl';
    const languages = [this.lang, document.documentElement.lang, ...navigator.languages].filter(Boolean);
    ({ strings: this.#strings, locale: this.#locale } = stringsFor(languages));
    if (changed.has('service')) this.#connect();
    this.#grid.lay(this.#gifs, this.layout, this.#direction === 'rtl');
  }

  protected override updated(): void {
    if (this.#view.kind === 'search' && this.#grid.heightsLeft < AHEAD) this.#session?.more();
  }

  #connect(): void {
    this.#session?.close();
    this.#session = undefined;
    this.#client = undefined;
    this.#attribution = undefined;
    if (this.service === '') return;
    this.#client = createClient({ url: this.service });
    preconnect(this.service);
    this.#shelf = readShelf(this.service);
    this.#open();
    this.#client.attribution().then(
      (attribution) => {
        this.#attribution = attribution;
        this.requestUpdate();
      },
      () => {}, // Without the attribution, the credit line names the service's host.
    );
  }

  #open(): void {
    this.#session = createSession(this.#client!, {
      onChange: (state) => {
        if (state.query !== this.#state?.query) this.#grid.reset();
        this.#state = state;
        explain(state.error);
        this.requestUpdate();
        if (state.status === 'ready' && state.count === 0) this.#missed(state.query);
      },
    });
    if (this.#text === '') this.#begin();
    else this.#session.submit(this.#text);
  }

  /** Shows the opening view. It contains the GIFs of the first topic for which the service has GIFs. */
  #begin(): void {
    this.#search('');
    this.#openings = this.#topics.slice(0, OPENINGS).map(({ query }) => query);
    this.#session?.submit(this.#openings.shift() ?? '');
  }

  /** Tries the next opening topic, or shows other GIFs, because a query has found none. */
  #missed(query: string): void {
    const next = this.#openings.shift();
    if (next !== undefined) this.#session?.submit(next);
    else if (query !== '' && query !== this.#others?.query) void this.#findOthers(query);
  }

  /** Shows the GIFs of the first topic for which the service has GIFs. */
  async #findOthers(query: string): Promise<void> {
    const client = this.#client!;
    this.#others = { query, gifs: [] };
    for (const topic of this.#topics.slice(0, OPENINGS)) {
      const gifs = await client.search(topic.query).then(
        ({ items }) => items,
        () => [],
      );
      if (gifs.length === 0) continue;
      if (this.#others.query === query) this.#others = { query, gifs };
      this.requestUpdate();
      return;
    }
  }

  /** GIFs that are shown although the query has found none. */
  get #instead(): readonly Gif[] {
    const { status, count, query } = this.#state ?? {};
    const isMissed = this.#view.kind === 'search' && status === 'ready' && count === 0;
    return isMissed && this.#others?.query === query ? this.#others!.gifs : [];
  }

  get #topics(): readonly Topic[] {
    return this.topics ?? topicsAt(new Date().getHours(), this.#strings.topicNames);
  }

  get #gifs(): readonly Gif[] {
    if (this.#instead.length > 0) return this.#instead;
    if (this.#view.kind === 'search') return this.#state?.gifs ?? [];
    return this.#view.kind === 'similar' ? (this.#view.gifs ?? []) : this.#shelf[this.#view.kind];
  }

  get #input(): HTMLInputElement | null {
    return this.renderRoot.querySelector('input');
  }

  #show(view: View): void {
    this.#view = view;
    this.#isSuggesting = false;
    this.#grid.reset();
    this.requestUpdate();
  }

  #search(text: string): void {
    this.#text = text;
    this.#openings = [];
    this.#show({ kind: 'search' });
    if (text !== '') this.#session?.submit(text);
  }

  readonly #events = {
    pick: (gif: Gif) => {
      this.#shelf = noteUse(this.service, gif);
      const detail: GifPick = { gif, imeta: toImeta(gif), text: gif.url };
      this.dispatchEvent(new CustomEvent('gif-pick', { detail, bubbles: true, composed: true }));
    },
    similar: (gif: Gif) => void this.#showSimilar(gif),
    favourite: (gif: Gif) => {
      this.#shelf = toggleFavourite(this.service, gif);
      this.requestUpdate();
    },
  };

  async #showSimilar(of: Gif): Promise<void> {
    const view: Similar = { kind: 'similar', of, gifs: undefined, error: null };
    this.#show(view);
    this.focus();
    const changes = await this.#client!.similar(of.id, { limit: SIMILAR }).then(
      ({ items }) => ({ gifs: items }),
      (error: unknown) => ({ error: error instanceof GifError ? error : null, gifs: [] }),
    );
    if (this.#view === view) this.#show({ ...view, ...changes });
  }

  #retry(): void {
    if (this.#view.kind === 'similar' && this.#view.error !== null) void this.#showSimilar(this.#view.of);
    else this.#session?.retry();
    this.requestUpdate();
  }

  #typed(text: string): void {
    if (text.trim() === '') {
      this.#begin();
      return;
    }
    this.#text = text;
    this.#openings = [];
    this.#isSuggesting = true;
    this.#option = -1;
    this.#view = { kind: 'search' };
    this.#session?.type(text);
    this.requestUpdate();
  }

  get #options(): readonly string[] {
    const typed = this.#text.trim().toLowerCase();
    if (!this.#isSuggesting || typed === '') return [];
    return (this.#state?.terms ?? []).map(({ term }) => term).filter((term) => term !== typed);
  }

  #inputKey(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const options = this.#options;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && options.length > 0) {
      // The arrow keys lead from the last option to the typed text, then to the first option.
      this.#option = ((this.#option + 1 + step + options.length + 1) % (options.length + 1)) - 1;
    } else if (event.key === 'ArrowDown') this.#grid.focus();
    else if (event.key === 'Enter') this.#enter(options[this.#option] ?? this.#text);
    else if (event.key === 'Escape') this.#escape();
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.requestUpdate();
  }

  #enter(text: string): void {
    if (text.trim() === '') this.#begin();
    else this.#search(text);
  }

  /** Handles Escape, which closes the completions, then clears the text, then closes the panel. */
  #escape(): void {
    if (this.#options.length > 0) this.#isSuggesting = false;
    else if (this.#view.kind !== 'search') this.#show({ kind: 'search' });
    else if (this.#text !== '') this.#begin();
    else this.dispatchEvent(new CustomEvent('gif-close', { bubbles: true, composed: true }));
    this.requestUpdate();
  }

  get #direction(): 'ltr' | 'rtl' {
    if (this.dir === 'rtl' || this.dir === 'ltr') return this.dir;
    return this.#isRtl || this.#locale === 'ar' ? 'rtl' : 'ltr';
  }

  protected override render(): TemplateResult {
    const { search } = this.#strings;
    if (this.#client === undefined) return html`<div class="panel"><p class="message">gif-picker: service=""</p></div>`;
    return html`<div class="panel" part="panel" role="group" aria-label=${search} lang=${this.#locale} dir=${this.#direction}>
      ${this.#renderSearch()} ${this.#renderTopics()} ${renderNote(this.#told)}
      ${this.#grid.render({
        gifs: this.#gifs,
        favourites: new Set(this.#shelf.favourites.map(({ id }) => id)),
        strings: this.#strings,
        events: this.#events,
        isSearching: this.#isLoading,
        after: renderMessage(this.#told, () => this.#retry()),
      })}
      <footer part="attribution">${this.#renderAttribution()}</footer>
      <div class="hidden" role="status">${announcementOf(this.#told)}</div>
    </div>`;
  }

  #renderSearch(): TemplateResult {
    const field = { text: this.#text, options: this.#options, option: this.#option };
    return renderSearch(field, this.#strings, {
      type: (text) => this.#typed(text),
      key: (event) => this.#inputKey(event),
      leave: () => {
        this.#isSuggesting = false;
        this.requestUpdate();
      },
      clear: () => this.#clear(),
      choose: (term) => this.#search(term),
    });
  }

  #renderTopics(): TemplateResult {
    const { kind } = this.#view;
    const shelves = SHELVES.filter((name) => this.#shelf[name].length > 0 || kind === name);
    const query = kind === 'search' ? this.#state?.query : undefined;
    const like = this.#view.kind === 'similar' ? fill(this.#strings.similarTo, { q: this.#about }) : undefined;
    return renderTopics({ shelves, topics: this.#topics, kind, query, like }, this.#strings, {
      shelf: (name) => this.#show({ kind: name }),
      topic: (topic) => this.#choose(topic),
      back: () => this.#show({ kind: 'search' }),
    });
  }

  #clear(): void {
    this.#begin();
    this.focus();
  }

  #choose({ query }: Topic): void {
    this.#search(query);
    this.#text = '';
  }

  get #error(): GifError | null {
    if (this.#view.kind === 'similar') return this.#view.error;
    return this.#view.kind === 'search' ? (this.#state?.error ?? null) : null;
  }

  get #isLoading(): boolean {
    const { kind } = this.#view;
    if (kind === 'similar') return this.#view.gifs === undefined;
    return kind === 'search' && (this.#state === undefined || this.#state.status === 'loading');
  }

  /** Returns the query that found the shown GIFs. */
  get #about(): string {
    return this.#view.kind === 'similar' ? labelOf(this.#view.of, this.#strings) : (this.#state?.query ?? '');
  }

  get #told(): Told {
    const { kind } = this.#view;
    const total = kind === 'search' ? (this.#state?.count ?? 0) : this.#gifs.length;
    const about = this.#about;
    const host = new URL(this.#client!.url).host;
    const corrected = kind === 'search' ? (this.#state?.corrected ?? null) : null;
    return {
      ...{ kind, total, about, corrected, host },
      hasOthers: this.#instead.length > 0,
      error: this.#error,
      isLoading: this.#isLoading,
      strings: this.#strings,
    };
  }

  #renderAttribution(): TemplateResult {
    const { url } = this.#client!;
    const { text, homePage } = this.#attribution ?? { text: `GIFs from ${new URL(url).host}`, homePage: url };
    return html`<a href=${homePage} target="_blank" rel="noopener noreferrer">${text}</a>`;
  }
}
