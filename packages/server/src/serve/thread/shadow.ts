import { ServiceError } from '../../base/errors.ts';
import { goOn, type Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { type FoundSearch, findGifs } from '../../http/index.ts';
import type { Search } from '../../index/index.ts';

/** Number of GIFs that are compared: the first page of most apps. */
const PAGE = 24;
/** Maximum number of comparisons of a thread at the same time. Other searches are not compared. */
const MOST = 4;

interface ShadowOptions {
  /** Share of the searches that are compared. */
  share: number;
  /** Returns a number from 0 to below 1. */
  random: () => number;
  metrics: Metrics;
  log: Log;
}

/**
 * Repeats a share of the searches with another engine after their responses, and counts how many of the same GIFs it
 * finds. Callers notice nothing, even if the other engine fails or hangs.
 */
export class Shadow {
  readonly #options: ShadowOptions;
  #index: Search | undefined;
  #running = 0;
  #isFailing = false;

  constructor(options: ShadowOptions) {
    this.#options = options;
  }

  /** Compares later searches with this index. */
  use(index: Search): void {
    this.#index = index;
  }

  /** Compares a search later, or not at all. Never fails. */
  readonly compare = (found: FoundSearch): void => {
    const { random, share, metrics, log } = this.#options;
    if (random() >= share) return;
    const index = this.#index;
    if (index === undefined) metrics.countNoComparison('missing');
    else if (this.#running >= MOST) metrics.countNoComparison('busy');
    else {
      this.#running++;
      // The response is sent before the comparison starts.
      setImmediate(() => goOn(this.#compare(found, index), log));
    }
  };

  async #compare({ q, mode, language, vector, ranked }: FoundSearch, index: Search): Promise<void> {
    const { metrics, log } = this.#options;
    try {
      const start = performance.now();
      const other = await findGifs({ q, mode, rank: 'anonymous' }, index.forRequest().in(language), {
        embed: async () => vectorOr(vector),
      });
      const others = await other.ranked.gifs(0, PAGE);
      const milliseconds = performance.now() - start;
      metrics.countComparison({ overlap: overlapOf(await ranked.gifs(0, PAGE), others), milliseconds });
      this.#isFailing = false;
    } catch (error) {
      metrics.countNoComparison('failed');
      if (!this.#isFailing) log.warn({ err: error }, 'could not compare a search with the search cluster');
      this.#isFailing = true;
    } finally {
      this.#running--;
    }
  }
}

/** @throws ServiceError if the search was made without a vector, so that the other engine also searches without it */
function vectorOr(vector: FoundSearch['vector']): Float32Array | null {
  if (vector !== undefined) return vector;
  throw new ServiceError('embedder_unavailable', 'this search was made without a vector');
}

/** Returns the share of GIFs that are in both lists. */
function overlapOf(one: readonly { id: string }[], other: readonly { id: string }[]): number {
  const most = Math.max(one.length, other.length);
  if (most === 0) return 1;
  const ids = new Set(one.map(({ id }) => id));
  return other.filter(({ id }) => ids.has(id)).length / most;
}
