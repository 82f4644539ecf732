import type { Service } from '../service/index.ts';
import type { Opened, Threads } from './threads.ts';

/** What was begun before a change is answered by then. */
const BEGUN_MS = 2_000;

/** An edge on this machine or beside it takes a few milliseconds. */
const DEADLINE_MS = 5_000;

/** Keys that fit one header: an id may have 200 characters. */
const KEYS = 20;

/** How an edge takes out what it has under a key: at once, or after showing it once more. */
type Method = 'PURGE' | 'SOFTPURGE';

export interface ToldEdge {
  /** Whose changes the edge hears of. */
  threads: Threads;
  stop(): void;
}

/**
 * Tells the edge of `ZOETROPE_EDGE_PURGE_URL` what has become stale: lists of a build that was replaced, or all lists when
 * a GIF was hidden, and its images. Each is told twice, because an answer that was begun before may reach the edge after it was told.
 */
export function tellEdge({ config, log }: Service, threads: Threads, first: Opened): ToldEdge {
  const { edgePurgeUrl: url } = config.service;
  if (url === '') return { threads, stop: () => {} };
  const timers = new Set<NodeJS.Timeout>();
  let shown = first.build.manifest.build;
  let replaced: string | undefined;

  function purge(method: Method, key: string): void {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    fetch(url, { method, headers: { 'surrogate-key': key }, signal }).then(
      ({ ok, status }) => {
        if (!ok) log.error({ status }, 'the edge does not take word of changes: look at ZOETROPE_EDGE_PURGE_URL');
      },
      (error) =>
        log.error({ err: error }, 'the edge cannot be told of a change; it shows what it has for an hour at most'),
    );
  }

  function tellTwice(method: Method, key: string): void {
    purge(method, key);
    const timer = setTimeout(() => {
      timers.delete(timer);
      purge(method, key);
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
      takeOut(takenOut, changed) {
        threads.takeOut(takenOut, changed);
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
    },
  };
}
