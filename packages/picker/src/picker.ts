import { type Attribution, createClient, type Gif, type GifClient } from '@zoetrope/client';
import { html, nothing, type TemplateResult } from 'lit-html';
import { Collection } from './collection.ts';
import { Contents } from './contents.ts';
import { RenderedElement } from './element.ts';
import { loadMore, more, SHARED } from './load-more.ts';
import { announcementOf, type PanelState, renderMessage, renderNote } from './messages.ts';
import { pickOf } from './pick.ts';
import { preconnect } from './preconnect.ts';
import { asMotion, keepMotion, MOTIONS, type Motion, readMotion } from './settings.ts';
import { fill, loadStrings, localeFor, type Strings, stringsIn } from './strings.ts';
import { type Topic, topicsAt } from './topics.ts';
import { Grid, type LayoutName } from './view/grid.ts';
import { focusBack, renderSearch, renderTopics } from './view/search-bar.ts';
import { styleSheet } from './view/styles.ts';
import { labelOf, largeOf } from './view/tile.ts';

/** The next page is loaded if fewer than this number of panel heights are left below the visible part. */
const AHEAD = 2;
/**
 * Maximum wait for the strings of another language, in milliseconds. Until the strings are loaded, the interface is in
 * English.
 */
const STRINGS_MS = 2_000;
const SHELVES = ['recent', 'favourites'] as const;

/**
 * `<gif-picker service="https://gifs.example">` searches GIFs. It fires `gif-pick` with a `GifPick` when the user picks
 * a GIF, and `gif-close` when the user presses Escape. With the attribute `saves`, the user can also save a GIF, and
 * `gif-save` has the same `GifPick`.
 *
 * Attributes: `service`, the URL of a Zoetrope service; `layout`, `columns` or `rows`; `theme`, `light` or `dark`, by
 * default the device's setting; `motion`, `system`, `always` or `never`, unless the user has chosen a setting; `lang`,
 * language of the interface; `blossom-servers`, URLs separated by spaces. Custom properties: `--gif-picker-background`, `-text`, `-muted`, `-surface`, `-border`,
 * `-accent`, `-on-accent`, `-radius`. Parts: `panel`, `input`, `topics`, `tile`, `attribution`.
 */
export class GifPicker extends RenderedElement {
  static readonly observedAttributes: readonly string[] = ['service', 'layout', 'theme', 'motion'];

  declare service: string | undefined;
  declare layout: LayoutName | undefined;
  declare theme: 'light' | 'dark' | undefined;
  declare motion: Motion | undefined;
  /**
   * A client for searching, for example one with an API key, or one that uses a proxy. It replaces the client for
   * `service`.
   */
  declare client: GifClient | undefined;
  /** The topics of the chips, instead of the service's topics. */
  declare topics: readonly Topic[] | undefined;

  #client: GifClient | undefined;
  #locale = 'en';
  /** Whether the surrounding page is right-to-left. */
  #isRtl = false;
  #attribution: Attribution | undefined;
  /** The reason why there is no client. It is for developers. */
  #mistake = '';
  /** Whether completions of the typed text are shown. */
  #isTyping = false;
  /** Index of the chosen completion, or -1. */
  #option = -1;
  /** When GIFs move, if the user has chosen a setting. */
  #choice = readMotion();
  #isMenuOpen = false;
  /** Whether a file without favourites was chosen. */
  #isUnreadable = false;
  /** The GIF whose details are open. */
  #detailed: Gif | undefined;
  readonly #grid = new Grid(this, () => this.focus());
  readonly #collection = new Collection({
    change: () => this.requestUpdate(),
    servers: () => this.getAttribute('blossom-servers') ?? '',
  });
  readonly #contents = new Contents({
    topics: () => this.#topics,
    shelf: () => this.#collection.shelf,
    top: () => this.#grid.top,
    change: () => this.requestUpdate(),
    turn: (top) => this.#grid.reset(top),
  });
  readonly #again = () => this.requestUpdate();
  readonly #online = () => this.#contents.retry();

  constructor() {
    super(styleSheet, ['service', 'layout', 'theme', 'motion', 'client', 'topics']);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#grid.connect();
    window.addEventListener('online', this.#online);
    window.addEventListener('offline', this.#again);
    if (this.#client !== undefined && !this.#contents.isOpen) this.#contents.open(this.#client);
  }

  disconnectedCallback(): void {
    this.#grid.disconnect();
    window.removeEventListener('online', this.#online);
    window.removeEventListener('offline', this.#again);
    // If an element is moved within the page, the browser disconnects it and immediately connects it again.
    queueMicrotask(() => {
      if (!this.isConnected) this.#contents.close();
    });
  }

  /** Focuses the search field, waiting for the first rendering if necessary. */
  override focus(options?: FocusOptions): void {
    if (this.#input !== null) this.#input.focus(options);
    else void this.updateComplete.then(() => this.#input?.focus(options));
  }

  protected override async prepare(changed: ReadonlySet<string>): Promise<void> {
    if (this.theme === undefined) this.removeAttribute('theme');
    else this.setAttribute('theme', this.theme);
    if (changed.has('service') || changed.has('client')) this.#connect();
    this.#locale = localeFor([this.lang, document.documentElement.lang, ...navigator.languages].filter(Boolean));
    await loadStrings(this.#locale, STRINGS_MS);
  }

  protected override willRender(): void {
    // The interface language does not determine the direction, because a page can be in a language without a
    // translation.
    this.#isRtl = this.dir === '' && getComputedStyle(this).direction === 'rtl';
    this.#grid.lay(this.#contents, this.layout ?? 'columns', this.#direction === 'rtl');
  }

  protected override updated(): void {
    this.#grid.updated();
    if (this.#grid.heightsLeft < AHEAD) this.#contents.more();
  }

  get #strings(): Strings {
    return stringsIn(this.#locale);
  }

  #connect(): void {
    this.#contents.close();
    this.#client = undefined;
    this.#attribution = undefined;
    try {
      this.#client = this.client ?? createClient({ url: this.service ?? '' });
    } catch {
      this.#mistake = `gif-picker: service is "${this.service ?? ''}" but must be a URL such as https://gifs.example`;
      console.error(this.#mistake);
      return;
    }
    preconnect(this.#client.url);
    // If there is a client, the attribute only names the place in the storage.
    this.#collection.open(this.service || this.#client.url, this.#client);
    this.#contents.open(this.#client);
    this.#client.attribution().then(
      (attribution) => {
        this.#attribution = attribution;
        this.requestUpdate();
      },
      () => {}, // Without the attribution, the credit line names the service's host.
    );
  }

  get #topics(): readonly Topic[] {
    return this.topics ?? topicsAt(new Date().getHours(), this.#contents.topics, this.#strings.topicNames);
  }

  get #input(): HTMLInputElement | null {
    return this.renderRoot.querySelector('input');
  }

  readonly #events = {
    pick: (gif: Gif) => {
      this.#collection.use(gif);
      if (this.#detailed !== undefined) this.#closeDetails();
      this.#fire('gif-pick', gif);
    },
    similar: (gif: Gif) => {
      this.#isTyping = false;
      this.#detailed = undefined;
      void this.#contents.showSimilar(gif);
      void this.updateComplete.then(() => focusBack(this.renderRoot) || this.focus());
    },
    favourite: (gif: Gif) => this.#collection.toggle(gif),
    lost: (gif: Gif) => this.#collection.seek([gif]),
    details: (gif: Gif) =>
      loadMore(() => {
        this.#detailed = gif;
        this.requestUpdate();
        void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('.details .retry')?.focus());
      }),
  };

  #typed(text: string): void {
    if (text.trim() === '') {
      this.#enter('');
      return;
    }
    this.#contents.type(text, !this.#isTyping);
    this.#isTyping = true;
    this.#option = -1;
  }

  get #options(): readonly string[] {
    return this.#isTyping ? this.#contents.completions : [];
  }

  #inputKey(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const options = this.#options;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && options.length > 0) {
      // The arrow keys lead from the last option to the typed text, then to the first option.
      this.#option = ((this.#option + 1 + step + options.length + 1) % (options.length + 1)) - 1;
    } else if (event.key === 'ArrowDown') this.#grid.focus();
    else if (event.key === 'Enter') this.#enter(options[this.#option] ?? this.#contents.text);
    else if (event.key === 'Escape') this.#escape();
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.requestUpdate();
  }

  #enter(text: string): void {
    this.#isTyping = false;
    if (text.trim() === '') this.#contents.begin();
    else this.#contents.submit(text);
  }

  /**
   * Handles Escape. Each press does the first possible step: close what is open, go back to a search, clear the text,
   * close the panel.
   */
  #escape(): void {
    const isTyping = this.#options.length > 0;
    this.#isTyping = false;
    if (isTyping) return;
    if (this.#isMenuOpen) this.#openMenu(false);
    else if (this.#contents.kind === 'search') this.#contents.begin();
    else if (this.#contents.kind !== 'opening') this.#contents.back();
    else this.#fire('gif-close');
  }

  #fire(type: string, gif?: Gif): void {
    const detail = gif && pickOf(gif, this.#collection.alts.get(gif.id) ?? '');
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }

  get #direction(): 'ltr' | 'rtl' {
    if (this.dir === 'rtl' || this.dir === 'ltr') return this.dir;
    return this.#isRtl || this.#locale === 'ar' ? 'rtl' : 'ltr';
  }

  protected override render(): TemplateResult {
    const { search } = this.#strings;
    if (this.#client === undefined)
      return html`<div class="panel"><p class="message" role="alert">${this.#mistake}</p></div>`;
    return html`<div class="panel" part="panel" role="group" aria-label=${search} lang=${this.#locale} dir=${this.#direction}>
      <div class="main" ?inert=${this.#detailed !== undefined} @pointerdown=${this.#touch} @keydown=${this.#key}>
        ${this.#renderSearch()} ${this.#renderTopics()} ${renderNote(this.#told)}
        ${this.#grid.render({
          gifs: this.#contents.gifs,
          found: this.#contents.found,
          heading: this.#strings.trending,
          favourites: this.#collection.alts,
          strings: this.#strings,
          events: this.#events,
          motion: this.#motion,
          isSearching: this.#contents.isLoading,
          after: renderMessage(this.#told, () => this.#contents.retry()),
        })}
        <footer part="attribution">${this.#renderAttribution()}</footer>
        <div class="hidden" role="status">${announcementOf(this.#told)}</div>
      </div>
      ${this.#detailed === undefined ? nothing : this.#renderDetails(this.#detailed)}
    </div>`;
  }

  /** Closes the menu if something outside it is touched. */
  readonly #touch = ({ target }: Event): void => {
    if (this.#isMenuOpen && !(target as Element).closest('.menu, .settings')) this.#openMenu(false);
  };

  /** Closes the menu with Escape. */
  readonly #key = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !this.#isMenuOpen) return;
    event.preventDefault();
    event.stopPropagation();
    this.#openMenu(false);
    this.renderRoot.querySelector<HTMLElement>('.settings')!.focus();
  };

  get #motion(): Motion {
    return this.#choice ?? asMotion(this.motion) ?? 'system';
  }

  #renderDetails(gif: Gif): TemplateResult {
    const { alts } = this.#collection;
    const [alt, isFavourite, strings] = [alts.get(gif.id) ?? '', alts.has(gif.id), this.#strings];
    const large = largeOf(gif, this.#motion !== 'never');
    const details = { gif, label: labelOf(gif, strings), alt, ...large, isFavourite, strings };
    return more!.renderDetails(SHARED, details, {
      ...this.#events,
      save: this.hasAttribute('saves') && (() => this.#fire('gif-save', gif)),
      describe: (text) => this.#collection.describe(gif, text),
      close: () => this.#closeDetails(),
    });
  }

  #closeDetails(): void {
    this.#detailed = undefined;
    this.requestUpdate();
    // The tiles cannot take the focus before they are rendered.
    void this.updateComplete.then(() => this.#grid.focus());
  }

  get #menu(): TemplateResult | undefined {
    if (!this.#isMenuOpen) return undefined;
    const { isTransparent } = this.#contents;
    const hasFavourites = this.#collection.shelf.favourites.length > 0;
    const menu = {
      motions: MOTIONS,
      motion: this.#motion,
      isTransparent,
      hasFavourites,
      isUnreadable: this.#isUnreadable,
    };
    return more!.renderMenu(SHARED, menu, this.#strings, {
      move: (motion) => {
        this.#choice = motion;
        keepMotion(motion);
        this.requestUpdate();
      },
      showTransparent: (isOn) => this.#contents.showTransparent(isOn),
      save: () => void this.#collection.save(),
      load: (file) => void this.#import(file),
    });
  }

  #openMenu(isOpen: boolean): void {
    this.#isMenuOpen = isOpen;
    this.#isUnreadable = false;
    this.requestUpdate();
  }

  async #import(file: File): Promise<void> {
    try {
      await this.#collection.load(file);
    } catch {
      this.#isUnreadable = true;
      this.requestUpdate();
      return;
    }
    this.#openMenu(false);
    this.#contents.showShelf('favourites');
  }

  #renderSearch(): TemplateResult {
    const { text, canGoBack } = this.#contents;
    const field = { text, options: this.#options, option: this.#option, canGoBack, menu: this.#menu };
    return renderSearch(field, this.#strings, {
      back: () => this.#contents.back(),
      type: (text) => this.#typed(text),
      key: (event) => this.#inputKey(event),
      leave: () => {
        this.#isTyping = false;
        this.requestUpdate();
      },
      clear: () => {
        this.#enter('');
        this.focus();
      },
      choose: (term) => this.#enter(term),
      openMenu: () => (this.#isMenuOpen ? this.#openMenu(false) : loadMore(() => this.#openMenu(true))),
    });
  }

  #renderTopics(): TemplateResult {
    const contents = this.#contents;
    const { kind, isTransparent, isTrending } = contents;
    const shelves = SHELVES.filter((name) => this.#collection.shelf[name].length > 0 || kind === name);
    const query = kind === 'search' ? contents.topic : undefined;
    const like = kind === 'similar' ? fill(this.#strings.similarTo, { q: this.#about }) : undefined;
    const bar = { isTrending, shelves, topics: this.#topics, kind, query, like, isTransparent };
    return renderTopics(bar, this.#strings, {
      trending: () => contents.begin(),
      shelf: (name) => contents.showShelf(name),
      topic: (topic) => contents.choose(topic),
      back: () => contents.back(),
      showAll: () => contents.showTransparent(false),
    });
  }

  get #about(): string {
    const { about } = this.#contents;
    return typeof about === 'string' ? about : labelOf(about, this.#strings);
  }

  get #told(): PanelState {
    const { kind, total, corrected, gifs, error, isLoading } = this.#contents;
    const host = new URL(this.#client!.url).host;
    const about = this.#about;
    return {
      kind,
      total,
      about,
      corrected,
      host,
      hasGifs: gifs.length > 0,
      error,
      isLoading,
      strings: this.#strings,
    };
  }

  #renderAttribution(): TemplateResult {
    const { url } = this.#client!;
    const { text, homePage } = this.#attribution ?? { text: `GIFs from ${new URL(url).host}`, homePage: url };
    return html`<a href=${homePage} target="_blank" rel="noopener noreferrer">${text}</a>`;
  }
}
