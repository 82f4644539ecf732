import {
  createSession,
  type Gif,
  type GifClient,
  GifError,
  type SearchSession,
  type SessionState,
} from '@zoetrope/client';
import { explain } from './messages.ts';
import { Opening } from './opening.ts';
import type { Topic } from './topics.ts';
import type { Shelf } from './view/shelf.ts';

/** The GIFs in the grid. */
export type View = { kind: 'opening' | 'search' | 'recent' | 'favourites' } | Similar;

interface Similar {
  kind: 'similar';
  of: Gif;
  gifs: readonly Gif[] | undefined;
  error: GifError | null;
}

/** A view that the user has left, and can return to. */
interface Step {
  view: View;
  text: string;
  /** The query of the search. */
  query: string;
  topic: string | undefined;
  /** The scroll position. */
  top: number;
}

/** The panel around the contents. */
interface Panel {
  /** Topics for a service that has no GIFs to start with. */
  topics(): readonly Topic[];
  shelf(): Shelf;
  /** Returns the scroll position. */
  top(): number;
  /** Called after each change. */
  change(): void;
  /** Called when other GIFs are shown. @param top the new scroll position */
  turn(top: number): void;
}

const SIMILAR = 50;
/** A search with fewer GIFs does not fill the panel, so popular GIFs follow. */
const FEW = 6;
/** The state before the first search. */
const IDLE: Pick<SessionState, 'status' | 'gifs' | 'count'> = { status: 'idle', gifs: [], count: 0 };
/** Maximum number of earlier views to which the user can return. */
const STEPS = 20;
/** Number of GIFs of a search that are checked for transparency. */
const LOOKED_THROUGH = 240;

/**
 * Decides which GIFs the panel shows: the GIFs to start with, the results of a search, the user's own GIFs, or similar
 * GIFs. It also remembers earlier views.
 */
export class Contents {
  readonly #panel: Panel;
  #client: GifClient | undefined;
  #session: SearchSession | undefined;
  #state: SessionState | undefined;
  #opening: Opening | undefined;
  #view: View = { kind: 'opening' };
  #steps: Step[] = [];
  /** The text in the search field. */
  text = '';
  /** The query of the topic that the user has chosen. */
  topic: string | undefined;
  /** Whether only transparent GIFs are shown. */
  isTransparent = false;

  constructor(panel: Panel) {
    this.#panel = panel;
  }

  get isOpen(): boolean {
    return this.#session !== undefined;
  }

  /**
   * Starts with a client. It searches for the text in the search field, or shows the GIFs to start with if there is no
   * text.
   */
  open(client: GifClient): void {
    this.#client = client;
    this.#opening = new Opening(
      client,
      () => this.#panel.topics(),
      () => this.#panel.change(),
    );
    void this.#opening.load();
    this.#session = createSession(client, {
      onChange: (state) => {
        if (state.query !== this.#state?.query) this.#panel.turn(0);
        this.#state = state;
        explain(state.error);
        this.#panel.change();
      },
    });
    if (this.text === '') this.begin();
    else this.#session.submit(this.text);
  }

  close(): void {
    this.#session?.close();
    this.#session = undefined;
  }

  get kind(): View['kind'] {
    return this.#view.kind;
  }

  /** The GIFs in the grid: those that belong to the view, and then the popular GIFs that follow a short list. */
  get gifs(): readonly Gif[] {
    return this.#shown([...this.#own, ...this.#others]);
  }

  /** Number of the GIFs that belong to the view. */
  get found(): number {
    return this.#shown(this.#own).length;
  }

  #shown(gifs: readonly Gif[]): readonly Gif[] {
    return this.isTransparent ? gifs.filter(({ transparent }) => transparent) : gifs;
  }

  get #own(): readonly Gif[] {
    const view = this.#view;
    if (view.kind === 'similar') return view.gifs ?? [];
    if (view.kind === 'recent' || view.kind === 'favourites') return this.#panel.shelf()[view.kind];
    return view.kind === 'opening' || this.#isFirst ? this.#firstGifs : this.#state!.gifs;
  }

  /** The popular GIFs that follow the results of a search with few or no results. */
  get #others(): readonly Gif[] {
    const { status, gifs, count } = this.#state ?? IDLE;
    if (this.kind !== 'search' || this.#isFirst || status === 'failed' || count >= FEW || !this.isTrending) return [];
    const own = new Set(gifs.map(({ id }) => id));
    return this.#firstGifs.filter(({ id }) => !own.has(id));
  }

  get #firstGifs(): readonly Gif[] {
    return this.#opening?.gifs ?? [];
  }

  /** Whether the first search is running. The GIFs to start with are shown until it has results. */
  get #isFirst(): boolean {
    const { status, gifs } = this.#state ?? IDLE;
    return gifs.length === 0 && (status === 'idle' || status === 'loading');
  }

  /** Total number of GIFs, including those that are not loaded yet. */
  get total(): number {
    if (this.isTransparent) return this.found;
    if (this.kind === 'opening') return this.#opening?.count ?? 0;
    return this.kind === 'search' ? (this.#state?.count ?? 0) : this.found;
  }

  /** The service's topics, an empty list if it has none, or undefined until it has responded. */
  get topics(): readonly Topic[] | undefined {
    return this.#opening?.topics;
  }

  /** Whether the service has a list of GIFs to start with. */
  get isTrending(): boolean {
    return this.#opening?.isTrending ?? false;
  }

  /** The query that found the shown GIFs, or the GIF to which the shown GIFs are similar. */
  get about(): string | Gif {
    return this.#view.kind === 'similar' ? this.#view.of : (this.#state?.query ?? '');
  }

  /** The corrected query that was searched instead. */
  get corrected(): string | null {
    return this.kind === 'search' ? (this.#state?.corrected ?? null) : null;
  }

  get error(): GifError | null {
    if (this.#view.kind === 'similar') return this.#view.error;
    if (this.kind === 'opening') return this.#opening?.error ?? null;
    return this.kind === 'search' ? (this.#state?.error ?? null) : null;
  }

  get isLoading(): boolean {
    if (this.#view.kind === 'similar') return this.#view.gifs === undefined;
    if (this.kind === 'opening') return this.#opening?.isLoading ?? true;
    return this.kind === 'search' && (this.#state === undefined || this.#state.status === 'loading');
  }

  /** Terms that begin with the typed text. */
  get completions(): readonly string[] {
    const typed = this.text.trim().toLowerCase();
    // Leaves out terms that only resemble the text, because they are guesses, and a term that equals the text.
    const terms = (this.#state?.terms ?? []).filter(({ term, fuzzy }) => !fuzzy && term !== typed);
    return typed === '' ? [] : terms.map(({ term }) => term);
  }

  get canGoBack(): boolean {
    return this.#steps.length > 0;
  }

  /** Shows the GIFs to start with. */
  begin(): void {
    this.text = '';
    this.topic = undefined;
    this.#steps = [];
    this.#session?.submit('');
    this.#show({ kind: 'opening' });
  }

  /**
   * Searches after a pause in typing. @param isFirst whether this is the first change of the text since the user's last
   * choice
   */
  type(text: string, isFirst: boolean): void {
    // Everything typed up to the user's next choice counts as one step back.
    if (isFirst) this.#leave();
    this.text = text;
    this.topic = undefined;
    this.#view = { kind: 'search' };
    this.#session?.type(text);
    this.#panel.change();
  }

  /** Searches immediately. */
  submit(text: string): void {
    // The previous view was already stored when the user began to type this text.
    const isTyped = this.kind === 'search' && text.trim() === this.text.trim();
    if (!isTyped) this.#leave();
    this.#search(text);
  }

  choose({ query }: Topic): void {
    this.#leave();
    this.#search(query);
    this.topic = query;
    this.text = '';
  }

  showShelf(kind: 'recent' | 'favourites'): void {
    this.#leave();
    this.#show({ kind });
  }

  async showSimilar(of: Gif): Promise<void> {
    this.#leave();
    await this.#findSimilar(of);
  }

  showTransparent(isOn: boolean): void {
    this.isTransparent = isOn;
    this.#panel.turn(0);
    this.#panel.change();
  }

  /** Loads the next page. */
  more(): void {
    if (this.isTransparent && this.#own.length >= LOOKED_THROUGH) return;
    if (this.kind === 'search') this.#session?.more();
    else if (this.kind === 'opening') void this.#opening?.more();
  }

  retry(): void {
    if (this.#opening?.error) void this.#opening.load();
    if (this.#view.kind === 'similar' && this.#view.error !== null) void this.#findSimilar(this.#view.of);
    else this.#session?.retry();
    this.#panel.change();
  }

  /** Returns to the previous view. */
  back(): void {
    const step = this.#steps.pop();
    if (step === undefined) return;
    this.text = step.text;
    this.topic = step.topic;
    const isSame = step.query === this.#state?.query;
    this.#show(step.view, isSame || step.view.kind !== 'search' ? step.top : 0);
    if (!isSame) this.#session?.submit(step.query);
  }

  /** Stores the current view, so that the user can return to it. */
  #leave(): void {
    const { query = '' } = this.#state ?? {};
    const step = { view: this.#view, text: this.text, query, topic: this.topic, top: this.#panel.top() };
    this.#steps = [...this.#steps, step].slice(-STEPS);
  }

  #show(view: View, top = 0): void {
    this.#view = view;
    this.#panel.change();
    this.#panel.turn(top);
  }

  #search(text: string): void {
    this.text = text;
    this.topic = undefined;
    this.#show({ kind: 'search' });
    this.#session?.submit(text);
  }

  async #findSimilar(of: Gif): Promise<void> {
    const view: Similar = { kind: 'similar', of, gifs: undefined, error: null };
    this.#show(view);
    const changes = await this.#client!.similar(of.id, { limit: SIMILAR }).then(
      ({ items }) => ({ gifs: items }),
      (error: unknown) => ({ error: error instanceof GifError ? error : null, gifs: [] }),
    );
    if (this.#view === view) this.#show({ ...view, ...changes });
  }
}
