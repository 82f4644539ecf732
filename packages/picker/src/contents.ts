import {
  createSession,
  type Gif,
  type GifClient,
  GifError,
  type SearchSession,
  type SessionState,
} from '@zoetrope/client';
import { explain } from './messages.ts';
import type { Topic } from './topics.ts';
import type { Shelf } from './view/shelf.ts';

/** The GIFs in the grid. */
export type View = { kind: 'search' } | { kind: 'recent' } | { kind: 'favourites' } | Similar;

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
  /** The opening topics. Before the user searches, the GIFs of the first topic with GIFs are shown. */
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
/** Maximum number of topics to try as the opening view. */
const OPENINGS = 4;
/** Maximum number of earlier views to which the user can return. */
const STEPS = 20;
/** Number of GIFs of a search that are checked for transparency. */
const LOOKED_THROUGH = 240;

/**
 * Decides which GIFs the panel shows: the results of a search, the user's own GIFs, or similar GIFs. It also remembers
 * earlier views.
 */
export class Contents {
  readonly #panel: Panel;
  #client: GifClient | undefined;
  #session: SearchSession | undefined;
  #state: SessionState | undefined;
  #view: View = { kind: 'search' };
  #steps: Step[] = [];
  /** Opening topics that have not yet been tried. */
  #openings: string[] = [];
  /** Other GIFs, which are shown because a query has found none. */
  #others: { query: string; gifs: readonly Gif[] } | undefined;
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
   * Starts to search with a client. It searches for the text in the search field, or for the opening topics if there is
   * no text.
   */
  open(client: GifClient): void {
    this.#client = client;
    this.#session = createSession(client, {
      onChange: (state) => {
        if (state.query !== this.#state?.query) this.#panel.turn(0);
        this.#state = state;
        explain(state.error);
        this.#panel.change();
        if (state.status === 'ready' && state.count === 0) this.#missed(state.query);
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

  get gifs(): readonly Gif[] {
    const gifs = this.#allGifs;
    return this.isTransparent ? gifs.filter(({ transparent }) => transparent) : gifs;
  }

  get #allGifs(): readonly Gif[] {
    if (this.hasOthers) return this.#others!.gifs;
    if (this.#view.kind === 'search') return this.#state?.gifs ?? [];
    return this.#view.kind === 'similar' ? (this.#view.gifs ?? []) : this.#panel.shelf()[this.#view.kind];
  }

  /** Whether other GIFs are shown, because the query has found none. */
  get hasOthers(): boolean {
    const { status, count, query } = this.#state ?? {};
    const isMissed = this.kind === 'search' && status === 'ready' && count === 0;
    return isMissed && this.#others?.query === query && this.#others!.gifs.length > 0;
  }

  /** Total number of GIFs, including those of a search that are not loaded yet. */
  get total(): number {
    return this.kind === 'search' && !this.isTransparent ? (this.#state?.count ?? 0) : this.gifs.length;
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
    return this.kind === 'search' ? (this.#state?.error ?? null) : null;
  }

  get isLoading(): boolean {
    if (this.#view.kind === 'similar') return this.#view.gifs === undefined;
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

  /** Shows the opening view. It contains the GIFs of the first topic for which the service has GIFs. */
  begin(): void {
    this.#search('');
    this.#steps = [];
    this.#openings = this.#panel
      .topics()
      .slice(0, OPENINGS)
      .map(({ query }) => query);
    this.#session?.submit(this.#openings.shift() ?? '');
  }

  /**
   * Searches after a pause in typing. @param isFirst whether this is the first change of the text since the user's last
   * choice
   */
  type(text: string, isFirst: boolean): void {
    // All typing up to the user's next choice is one step.
    if (isFirst) this.#leave();
    this.text = text;
    this.topic = undefined;
    this.#openings = [];
    this.#view = { kind: 'search' };
    this.#session?.type(text);
    this.#panel.change();
  }

  /** Searches immediately. */
  submit(text: string): void {
    const isShown = this.kind === 'search' && text.trim() === this.#state?.query;
    if (!isShown) this.#leave();
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

  /** Loads the next page of a search. */
  more(): void {
    const isEnough = this.isTransparent && (this.#state?.gifs.length ?? 0) >= LOOKED_THROUGH;
    if (this.kind === 'search' && !isEnough) this.#session?.more();
  }

  retry(): void {
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
    this.#openings = [];
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
    this.#openings = [];
    this.#show({ kind: 'search' });
    if (text !== '') this.#session?.submit(text);
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

  /** Called when a query has found no GIFs. Tries the next opening topic, or shows other GIFs. */
  #missed(query: string): void {
    const next = this.#openings.shift();
    if (next !== undefined) this.#session?.submit(next);
    else if (query !== '' && query !== this.#others?.query) void this.#findOthers(query);
  }

  /** Shows the GIFs of the first topic for which the service has GIFs. */
  async #findOthers(query: string): Promise<void> {
    const client = this.#client!;
    this.#others = { query, gifs: [] };
    for (const topic of this.#panel.topics().slice(0, OPENINGS)) {
      const gifs = await client.search(topic.query).then(
        ({ items }) => items,
        () => [],
      );
      if (gifs.length === 0) continue;
      if (this.#others.query === query) this.#others = { query, gifs };
      this.#panel.change();
      return;
    }
  }
}
