import { collectAfterSwap } from '../base/collect.ts';
import type { Log } from '../base/log.ts';
import { keepDoing, pause, type Stoppable } from '../base/repeat.ts';
import { hiddenIds, revision, settleAwaited } from '../catalog/index.ts';
import {
  findTakenOut,
  loadBuild,
  loadBuildAside,
  type PublishedManifest,
  readPublished,
  type SharedBuild,
  setTombstones,
} from '../index/index.ts';
import { registryRevision } from '../registry/index.ts';
import type { Service } from '../service/index.ts';
import type { Opened, Threads } from './threads.ts';

/** How soon a published build, a hidden GIF or a change of the registry reaches the answers, at the latest. */
const WATCH_MS = 250;

export interface Watch {
  /** The build that is served. */
  readonly build: PublishedManifest;
  stop(): Promise<void>;
}

/**
 * Carries what other processes change into the running service: a newly published build is swapped in, a GIF that
 * was hidden gets its tombstone, and what is known of callers is forgotten when the registry changes. Each is looked at
 * whatever becomes of the others. A look costs one small file and two rows.
 */
export function watchForChanges(service: Service, threads: Threads, first: Opened): Watch {
  const catalogue = watchCatalogue(service, threads, first);
  const watches = [catalogue, ...watchRegistry(service, threads)];
  return {
    get build() {
      return catalogue.build;
    },
    async stop() {
      await Promise.all(watches.map((watch) => watch.stop()));
    },
  };
}

function watchCatalogue(service: Service, threads: Threads, first: Opened): Watch {
  const { store, log } = service;
  let shown = first.build;
  let seen = -1;
  // What is hidden from here on, others are told of, also when that was before the first look.
  let { hidden } = first;

  const lookForBuild = tellingOnce(log, 'a new build could not be taken over', async () => {
    const published = await readPublished(store.builds);
    if (!published || published.build === shown.manifest.build) return;
    const { build, takenOut } = await openBuild(service, published, loadBuildAside);
    shown = build;
    threads.swap(shown);
    collectAfterSwap();
    threads.takeOut(takenOut, []);
    threads.bumpGeneration();
    log.info({ build: published.build, documents: published.engine.safeDocuments }, 'swapped builds');
  });

  const lookForHidden = tellingOnce(log, 'hidden GIFs could not be looked for', async () => {
    const now = await revision(store.db);
    if (now === seen) return;
    const wanted = new Set(await hiddenIds(store.db));
    const { changed, ids, has } = setTombstones(shown, wanted);
    // A GIF that no build shows any more can be known by the address of its original.
    const others = differing(wanted, hidden);
    if (changed || others.length > 0) {
      threads.takeOut(await findTakenOut(store.db, ids), others);
      threads.bumpGeneration();
    }
    await settleAwaited(store.db, has);
    hidden = wanted;
    seen = now;
  });

  // One after the other: a GIF that is hidden while a build is taken over must get its tombstone in that build too.
  const { stop } = keepLooking(async () => {
    await lookForBuild();
    await lookForHidden();
  });
  return {
    get build() {
      return shown.manifest;
    },
    stop,
  };
}

/** The registry may lie on another machine and be long in answering, so that nothing else waits for it. */
function watchRegistry({ registry, log }: Service, threads: Threads): Stoppable[] {
  let seen = -1;

  function note(now: number): void {
    if (now !== seen) threads.forgetCallers();
    seen = now;
  }

  const look = tellingOnce(
    log,
    'the client registry (ZOETROPE_DATABASE_URL, if set) cannot be asked; callers that are not known yet get 503',
    async () => {
      await registry.ready();
      note(await registryRevision(registry.db));
    },
  );
  const told = registry.listen?.((now) => (now === null ? threads.forgetCallers() : note(now)));
  const watch = keepLooking(look);
  return told ? [told, watch] : [watch];
}

/** Looks a few times a second, first after a pause: all was read just now. @param look never fails, see `tellingOnce` */
export function keepLooking(look: () => Promise<void>): Stoppable {
  const lookLater = async (signal: AbortSignal) => {
    await pause(WATCH_MS, signal);
    if (!signal.aborted) await look();
  };
  return keepDoing(0, lookLater, () => {});
}

/** Does what may fail now and then; a row of failures is told once, and when it is over. What there was stays. */
export function tellingOnce(log: Log, failure: string, look: () => Promise<void>): () => Promise<void> {
  let failing = false;
  return async () => {
    try {
      await look();
      if (failing) log.info(`over: ${failure}`);
      failing = false;
    } catch (error) {
      if (!failing) log.error({ err: error }, failure);
      failing = true;
    }
  };
}

function differing(a: ReadonlySet<string>, b: ReadonlySet<string>): string[] {
  return [...[...a].filter((id) => !b.has(id)), ...[...b].filter((id) => !a.has(id))];
}

/** The published build in shared memory, with the tombstones of this moment. */
export async function openBuild(
  service: Service,
  manifest: PublishedManifest,
  load: typeof loadBuild | typeof loadBuildAside = loadBuild,
): Promise<Opened> {
  const { config, store } = service;
  return withTombstones(service, await load(store.builds, manifest, config.service.threads));
}

export async function withTombstones({ store }: Service, build: SharedBuild): Promise<Opened> {
  const hidden = new Set(await hiddenIds(store.db));
  const { ids } = setTombstones(build, hidden);
  return { build, hidden, takenOut: await findTakenOut(store.db, ids) };
}
