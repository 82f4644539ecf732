import { type Cluster, openClusterSearch, type SharedCluster } from '../../cluster/index.ts';
import type { Lease } from '../../http/index.ts';
import { Languages, openBuildSearch, type Search, Synonyms, type Withheld } from '../../index/index.ts';
import type { SharedIndex, ThreadData, Words } from '../messages.ts';
import { collectAfterSwap } from './collect.ts';

/** Maximum time that a request waits for the cluster. Proxies in front of the service give up after three seconds. */
const CLUSTER_MS = 2_500;

/** The data with which a thread was started (see `ThreadData`). */
type Started = Pick<ThreadData, 'config' | 'thread' | 'embedder' | 'gen'> & {
  first: Omit<NonNullable<ThreadData['first']>, 'shadow'>;
};

/** The index that a thread serves, and the words and hidden GIFs that change its responses. */
export class CurrentIndex {
  readonly #languages = Languages.empty();
  #hasLanguages = false;
  readonly #cluster: Cluster | undefined;
  readonly #started: Omit<Started, 'first'>;
  readonly #gen: Int32Array;
  #index: Search;
  #withheld: Withheld;
  #lease: Lease;
  /**
   * Number of updates of hidden GIFs and of the operator's words that have arrived. Each update arrives shortly before
   * or after the generation increases.
   */
  #changes = 0;
  #leased = 0;

  constructor({ first, ...started }: Started, cluster: Cluster | undefined) {
    this.#started = started;
    this.#cluster = cluster;
    this.#gen = new Int32Array(started.gen);
    this.#use(first.words);
    this.#withheld = first.withheld;
    this.#index = this.#open(first.index);
    this.#lease = { index: this.#index, withheld: this.#withheld, gen: -1, epoch: '' };
  }

  /** Returns the index, words and hidden GIFs that a request uses until it ends. */
  readonly lease = (): Lease => {
    const gen = Atomics.load(this.#gen, 0);
    const { index, withheld, changes } = { index: this.#index, withheld: this.#withheld, changes: this.#changes };
    if (this.#lease.index !== index || this.#lease.gen !== gen || this.#leased !== changes) {
      this.#leased = changes;
      this.#lease = { index, withheld, gen, epoch: `${index.buildId} ${gen} ${changes}` };
    }
    return this.#lease;
  };

  /**
   * Returns the dictionary of all languages, with the operator's words. Undefined while `npm start` is still making it.
   */
  get languages(): Languages | undefined {
    return this.#hasLanguages ? this.#languages : undefined;
  }

  swap(next: SharedIndex): void {
    this.#index = this.#open(next);
    collectAfterSwap();
  }

  withhold(withheld: Withheld): void {
    this.#withheld = withheld;
    this.#changes++;
  }

  replaceWords(words: Words): void {
    this.#use(words);
    this.#changes++;
  }

  /** Opens an index in a cluster, with the words and the hidden GIFs of the served index. */
  openIn({ client }: Cluster, shared: SharedCluster): Search {
    const hidden = () => this.#withheld.ids;
    return openClusterSearch(shared, { ...this.#reader, client, hidden, deadlineMs: CLUSTER_MS });
  }

  #open(shared: SharedIndex): Search {
    return 'state' in shared ? this.openIn(this.#cluster!, shared) : openBuildSearch(shared, this.#reader);
  }

  get #reader() {
    const { config, thread, embedder } = this.#started;
    return { thread, embedder, languages: this.#languages, typing: config.index };
  }

  #use({ languages: own, synonyms, packs }: Words): void {
    if (own !== undefined) {
      this.#languages.useOwn(own);
      this.#hasLanguages = true;
    }
    this.#languages.synonyms = new Synonyms(synonyms);
    this.#languages.usePacks(packs);
  }
}
