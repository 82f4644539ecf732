import { pause, type Stoppable } from '../base/repeat.ts';
import { revision, wantedRevision } from '../catalog/index.ts';
import { type PublishedManifest, readWholePublished } from '../index/index.ts';
import { isWorkFree, type Service } from '../service/index.ts';
import { keepLooking, tellingOnce } from './keep-looking.ts';

/** Delay before trying again after a failure. */
const PAUSE_MS = 5_000;
/** Delay before asking PostgreSQL again whether another process works. */
const BUSY_MS = 1_000;

/**
 * Makes a build when operators restored or changed GIFs, which tombstones cannot express, and after any change by another
 * machine that shares the catalogue. While another process writes, it waits, because that process usually makes such a
 * build itself.
 * @param work does all open work in a separate process, starting with a build, until it is done or the signal aborts
 */
export function keepShowingMoves(service: Service, work: (signal: AbortSignal) => Promise<unknown>): Stoppable {
  const { store, log } = service;
  const stopping = new AbortController();
  let shown = 0;
  let working: Promise<void> | undefined;
  /** Time of the next attempt. Without it, a catalogue that changes all the time would keep every machine busy. */
  let nextTry = 0;

  async function workOnce(): Promise<void> {
    const { signal } = stopping;
    const began = performance.now();
    await work(signal);
    if (store.databaseUrl !== '') nextTry = performance.now() + Math.max(PAUSE_MS, performance.now() - began);
    const published = await latestBuild(service);
    const isShown = published !== undefined && published.revision >= (await wantedBy(store));
    if (!isShown) await pause(PAUSE_MS, signal);
  }

  async function look(): Promise<void> {
    const wanted = await wantedBy(store);
    if (wanted <= shown || working !== undefined) return;
    const published = await latestBuild(service);
    if (published !== undefined && published.revision >= wanted) {
      shown = wanted;
      return;
    }
    if (performance.now() < nextTry) return;
    if (await isWorkFree(store, 'writer')) {
      working = workOnce()
        .catch((error) => log.error({ err: error }, 'could not rebuild the index after moderation'))
        .finally(() => {
          working = undefined;
        });
    } else if (store.databaseUrl !== '') {
      nextTry = performance.now() + BUSY_MS;
    }
  }

  const watch = keepLooking(tellingOnce(log, 'rebuilding the index after moderation fails', look));
  return {
    async stop() {
      stopping.abort();
      await watch.stop();
      await working;
    },
  };
}

/** This folder's build, after fetching a later one if another machine has published it. */
function latestBuild({ store, sharedBuilds }: Service): Promise<PublishedManifest | undefined> {
  return sharedBuilds?.pull() ?? readWholePublished(store.builds);
}

/** The revision of the catalogue that this folder's build must show at least. */
function wantedBy({ db, databaseUrl }: Service['store']): Promise<number> {
  return databaseUrl === '' ? wantedRevision(db) : revision(db);
}
