import type { Service } from '../service/index.ts';
import type { Opened, Threads } from './threads.ts';

/** Time after which all responses that were started before a change have been sent. */
const BEGUN_MS = 2_000;

/** Maximum time for a purge. An edge on this machine or network takes a few milliseconds. */
const DEADLINE_MS = 5_000;

/** Maximum number of keys per header. An id can have 200 characters. */
const KEYS = 20;

/**
 * The way in which an edge drops the responses with a key. PURGE drops them immediately. SOFTPURGE drops each after
 * serving it once more.
 */
type Method = 'PURGE' | 'SOFTPURGE';

export interface ToldEdge {
  /** The source of changes. */
  threads: Threads;
  stop(): void;
}

/**
 * Purges the edge at `ZOETROPE_EDGE_PURGE_URL` when responses become stale. After a build was replaced, these are the
 * lists. After a GIF was hidden, these are all lists and the GIF's images. Each purge is sent twice, because a response
 * that was started before the change can reach the edge after the first purge.
 */
export function tellEdge({ config, log }: Service, threads: Threads, first: Opened): ToldEdge {
  const { edgePurgeUrl: url } = config.service;
  if (url === '') return { threads, stop: () => {} };
  const timers = new Set<NodeJS.Timeout>();
  let shown = first.index.manifest.build;
  let replaced: string | undefined;

  function purge(method: Method, key: string): void {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    fetch(url, { method, headers: { 'surrogate-key': key }, signal }).then(
      ({ ok, status }) => {
        if (!ok) log.error({ status }, 'the edge rejects purge requests: check ZOETROPE_EDGE_PURGE_URL');
      },
      (error) => log.error({ err: error }, 'could not purge the edge; it may serve stale responses for up to an hour'),
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
