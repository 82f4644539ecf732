import { LRUCache } from 'lru-cache';
import { ServiceError } from '../base/errors.ts';
import type { Batch } from './batch.ts';

/** Maximum number of waiting queries. If more queries waited, responses would be too late. */
const MAX_WAITING = 64;
/**
 * Maximum number of queries per batch. In a batch of 16, the time per query is a fifth of the time for a single query,
 * and the whole run takes about 15 ms.
 */
const BATCH = 16;
/**
 * Maximum number of anonymous queries per batch, so that a registered caller who arrives in the meantime waits only
 * briefly.
 */
const ANONYMOUS_BATCH = 4;
/**
 * Maximum duration of a run. A process that does not respond within this time has hung. No caller waits that long for a
 * query.
 */
const LIMIT_MS = 2_000;

/** Registered callers have priority over anonymous callers. */
export type Rank = 'registered' | 'anonymous';

interface Job {
  readonly query: string;
  /** The texts to embed. The query's vector is the sum of their vectors. */
  readonly texts: readonly string[];
  readonly outcome: PromiseWithResolvers<Float32Array | null>;
  /** Callers that are still waiting. */
  callers: number;
  rank: Rank;
}

/** Queued and running queries, and the cached vectors of earlier queries. */
export class Queries {
  readonly #cache: LRUCache<string, { vector: Float32Array | null }>;
  readonly #waiting = new Map<string, Job>();
  readonly #flying = new Map<string, Job>();

  constructor(cacheEntries: number) {
    this.#cache = new LRUCache({ max: cacheEntries });
  }

  /** Returns the cached vector of a query, or undefined if it is not cached. */
  known(query: string): { vector: Float32Array | null } | undefined {
    return this.#cache.get(query);
  }

  /** Whether a query waits for its vector. */
  get isBusy(): boolean {
    return this.#waiting.size > 0 || this.#flying.size > 0;
  }

  /**
   * Returns the vector of a query, of unit length. Rejects with ServiceError `embedder_unavailable`.
   * @param texts texts that mean the same, whose vectors are added up. By default, it is the query itself
   */
  embed(query: string, deadlineMs: number, rank: Rank, texts = [query]): Promise<Float32Array | null> {
    const job = this.#flying.get(query) ?? this.#waiting.get(query) ?? this.#add({ query, texts, rank });
    if (job === null) return Promise.reject(unavailable(`there are already ${MAX_WAITING} queries waiting`));
    job.callers++;
    if (rank === 'registered') job.rank = rank;
    const { promise, resolve, reject } = Promise.withResolvers<Float32Array | null>();
    const timer = setTimeout(() => {
      this.#leave(job);
      reject(unavailable(`no vector within ${deadlineMs} ms`));
    }, deadlineMs);
    void job.outcome.promise.then(resolve, reject).finally(() => clearTimeout(timer));
    return promise;
  }

  take(): Batch | undefined {
    const waiting = [...this.#waiting.values()];
    const registered = waiting.filter(isRegistered);
    // Registered and anonymous queries are never mixed in a batch, because each query waits for the whole batch.
    const jobs = registered.length > 0 ? registered.slice(0, BATCH) : waiting.slice(0, ANONYMOUS_BATCH);
    if (jobs.length === 0) return undefined;
    for (const job of jobs) {
      this.#waiting.delete(job.query);
      this.#flying.set(job.query, job);
    }
    return {
      kind: 'query',
      texts: jobs.flatMap((job) => job.texts),
      limitMs: LIMIT_MS,
      done: (vectors) => {
        for (const job of jobs) this.#finish(job, sumOf(vectors.splice(0, job.texts.length)));
      },
      failed: (error) => {
        for (const job of jobs) this.#fail(job, error);
      },
    };
  }

  rejectAll(error: Error): void {
    for (const job of [...this.#waiting.values(), ...this.#flying.values()]) this.#fail(job, error);
  }

  #add({ query, texts, rank }: Pick<Job, 'query' | 'texts' | 'rank'>): Job | null {
    if (this.#waiting.size >= MAX_WAITING && !(rank === 'registered' && this.#makeWay())) return null;
    const job: Job = { query, texts, outcome: Promise.withResolvers(), callers: 0, rank };
    this.#waiting.set(query, job);
    return job;
  }

  /** Drops the last anonymous query. @returns whether there was such a query */
  #makeWay(): boolean {
    const last = [...this.#waiting.values()].findLast((job) => !isRegistered(job));
    if (last === undefined) return false;
    this.#fail(last, new Error(`there are already ${MAX_WAITING} queries waiting`));
    return true;
  }

  /** Drops a query for which nobody is waiting any more, so that other queries are processed sooner. */
  #leave(job: Job): void {
    job.callers--;
    if (job.callers === 0) this.#waiting.delete(job.query);
  }

  #finish(job: Job, vector: Float32Array | null): void {
    this.#flying.delete(job.query);
    this.#cache.set(job.query, { vector });
    job.outcome.resolve(vector);
  }

  #fail(job: Job, error: Error): void {
    this.#flying.delete(job.query);
    this.#waiting.delete(job.query);
    job.outcome.reject(unavailable(error.message, error));
  }
}

function isRegistered({ rank }: Job): boolean {
  return rank === 'registered';
}

/** Returns the sum of vectors, scaled to unit length. The sum has the same direction as the mean. */
function sumOf(vectors: readonly (Float32Array | null)[]): Float32Array | null {
  const [first, ...others] = vectors.filter((vector) => vector !== null);
  if (first === undefined || others.length === 0) return first ?? null;
  const sum = first.map((value, i) => others.reduce((total, vector) => total + vector[i]!, value));
  const length = Math.sqrt(sum.reduce((total, value) => total + value * value, 0));
  return length === 0 ? null : sum.map((value) => value / length);
}

export function unavailable(why: string, cause?: unknown): ServiceError {
  return new ServiceError('embedder_unavailable', `semantic search is unavailable: ${why}`, {
    cause,
    retryAfter: 5,
  });
}
