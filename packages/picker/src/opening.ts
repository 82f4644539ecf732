import { type Gif, type GifClient, GifError, stillOf } from '@zoetrope/client';
import { explain } from './messages.ts';
import type { Topic } from './topics.ts';

/** Maximum number of topics to try if a service has no list of GIFs to start with. */
const TRIED = 4;

/** The GIFs and the topics that people see before they search. */
export class Opening {
  gifs: readonly Gif[] = [];
  /** Total number of GIFs, including those that are not loaded yet. */
  count = 0;
  error: GifError | null = null;
  isLoading = true;
  /** The service's topics, an empty list if it has none, or undefined until it has responded. */
  topics: readonly Topic[] | undefined;
  /** Whether the service has a list of GIFs to start with. */
  isTrending = true;
  readonly #client: GifClient;
  readonly #others: () => readonly Topic[];
  readonly #change: () => void;

  /**
   * @param others topics for a service that has no list of GIFs to start with
   * @param change called after each change
   */
  constructor(client: GifClient, others: () => readonly Topic[], change: () => void) {
    this.#client = client;
    this.#others = others;
    this.#change = change;
  }

  /** Loads the first GIFs and the topics. */
  async load(): Promise<void> {
    this.isLoading = true;
    this.error = null;
    const topics = this.#loadTopics();
    try {
      const { items, count } = await this.#trending(0).catch(() => this.#search(topics));
      this.gifs = items;
      this.count = count;
    } catch (error) {
      this.error = error instanceof GifError ? error : new GifError('unreadable', String(error), { cause: error });
      explain(this.error);
    }
    this.isLoading = false;
    this.#change();
  }

  /** Loads the next page. Without one, people can still search. */
  async more(): Promise<void> {
    if (this.isLoading || !this.isTrending || this.gifs.length >= this.count) return;
    this.isLoading = true;
    const none = { items: [], count: this.gifs.length };
    const { items, count } = await this.#trending(this.gifs.length).catch(() => none);
    const known = new Set(this.gifs.map(({ id }) => id));
    const others = items.filter(({ id }) => !known.has(id));
    this.gifs = [...this.gifs, ...others];
    this.count = others.length === 0 ? this.gifs.length : count;
    this.isLoading = false;
    this.#change();
  }

  /** Rejects, instead of throwing, if an app's own client can only search. */
  async #trending(offset: number): Promise<{ items: readonly Gif[]; count: number }> {
    return this.#client.trending({ offset });
  }

  /** Returns the GIFs of the first topic that has some. Rejects with the reason if the service cannot be reached. */
  async #search(topics: Promise<void>): Promise<{ items: readonly Gif[]; count: number }> {
    this.isTrending = false;
    await topics;
    for (const { query } of this.#others().slice(0, TRIED)) {
      const { items } = await this.#client.search(query);
      if (items.length > 0) return { items, count: items.length };
    }
    return { items: [], count: 0 };
  }

  async #loadTopics(): Promise<void> {
    try {
      const categories = await this.#client.categories();
      this.topics = categories.map(({ name, term, cover }) => {
        return { label: name, query: term, picture: stillOf(cover, cover.previews.small) };
      });
    } catch {
      this.topics = [];
    }
    this.#change();
  }
}
