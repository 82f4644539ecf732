import { goOn, type Log } from '../base/log.ts';
import { pause } from '../base/repeat.ts';
import type { Service } from '../service/index.ts';
import type { OpenIndex, Threads } from './threads.ts';

/** Time after a change by which all responses have been sent that were started before the change. */
const BEGUN_MS = 2_000;

/** Maximum time for a purge. An edge on this machine or network takes a few milliseconds. */
const DEADLINE_MS = 2_000;
/** A failed purge is repeated after a pause. The pauses double from the first value to the second. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [500, 30_000];
/** Maximum number of waiting purges. If there are more, one purge of everything replaces them. */
const MOST_WAITING = 1_000;

/** Maximum number of keys per header. An id can have 200 characters. */
const KEYS = 20;

/**
 * The way in which an edge drops the responses with a key. PURGE drops the responses immediately. SOFTPURGE serves each
 * response once more before dropping it.
 */
type Method = 'PURGE' | 'SOFTPURGE';

export interface ToldEdge {
  /** The source of changes. */
  threads: Threads;
  stop(): void;
}

/**
 * Purges the edge at `ZOETROPE_EDGE_PURGE_URL` when responses become stale. After a build was replaced, lists are
 * stale. After a GIF was hidden, all lists and the GIF's images are stale. Each purge is sent twice, because a response
 * that was started before the change can reach the edge after the first purge. A purge that fails is repeated.
 */
export function tellEdge(
  { config, log }: Pick<Service, 'config' | 'log'>,
  threads: Threads,
  first: OpenIndex,
): ToldEdge {
  const { edgePurgeUrl: url } = config.service;
  if (url === '') return { threads, stop: () => {} };
  const timers = new Set<NodeJS.Timeout>();
  let shown = first.index.manifest.build;
  let replaced: string | undefined;

  const purges = new Purges(url, log);

  function tellTwice(method: Method, key: string): void {
    purges.add({ method, key });
    const timer = setTimeout(() => {
      timers.delete(timer);
      purges.add({ method, key });
    }, BEGUN_MS);
    timers.add(timer);
  }

  return {
    threads: {
      ...threads,
      swap(next) {
        threads.swap(next);
        [replaced, shown] = [shown, next.manifest.build];
      },
      withhold(withheld, changed) {
        threads.withhold(withheld, changed);
        for (let from = 0; from < changed.length; from += KEYS) {
          const keys = changed.slice(from, from + KEYS).map((id) => `gif-${id}`);
          tellTwice('PURGE', keys.join(' '));
        }
      },
      bumpGeneration() {
        threads.bumpGeneration();
        if (replaced === undefined) tellTwice('PURGE', 'search degraded');
        else tellTwice('SOFTPURGE', `build-${replaced}`);
        replaced = undefined;
      },
    },
    stop() {
      for (const timer of timers) clearTimeout(timer);
      purges.stop();
    },
  };
}

interface Purge {
  method: Method;
  /** Keys, separated by spaces. */
  key: string;
}

const EVERYTHING: Purge = { method: 'PURGE', key: 'search degraded media' };

/** Sends purges in order. Each purge is repeated until the edge accepts it. */
class Purges {
  readonly #url: string;
  readonly #log: Log;
  readonly #stopping = new AbortController();
  #waiting: Purge[] = [];
  #isSending = false;
  #isFailing = false;

  constructor(url: string, log: Log) {
    this.#url = url;
    this.#log = log;
  }

  add(purge: Purge): void {
    if (this.#waiting.length >= MOST_WAITING) this.#waiting = [EVERYTHING];
    else this.#waiting.push(purge);
    if (!this.#isSending) goOn(this.#sendAll(), this.#log);
  }

  stop(): void {
    this.#stopping.abort();
  }

  async #sendAll(): Promise<void> {
    const { signal } = this.#stopping;
    this.#isSending = true;
    for (let pauseMs = FIRST_PAUSE_MS; this.#waiting.length > 0 && !signal.aborted; ) {
      const [purge] = this.#waiting as [Purge];
      if (await this.#send(purge)) {
        this.#waiting = this.#waiting.filter((other) => other !== purge);
        pauseMs = FIRST_PAUSE_MS;
      } else {
        await pause(pauseMs, signal);
        pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
      }
    }
    this.#isSending = false;
  }

  /** @returns whether the edge has accepted the purge */
  async #send({ method, key }: Purge): Promise<boolean> {
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(DEADLINE_MS), this.#stopping.signal]);
      const { ok, status } = await fetch(this.#url, { method, headers: { 'surrogate-key': key }, signal });
      if (!ok) throw new Error(`the edge returned ${status}`);
      if (this.#isFailing) this.#log.info('the edge accepts purges again (ZOETROPE_EDGE_PURGE_URL)');
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing && !this.#stopping.signal.aborted) {
        const message =
          'could not purge the edge (ZOETROPE_EDGE_PURGE_URL); it may serve hidden GIFs until a purge succeeds';
        this.#log.error({ err: error }, message);
      }
      this.#isFailing = true;
    }
    return !this.#isFailing;
  }
}
