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
  readSynonyms,
  type SharedBuild,
  type SynonymSet,
  setTombstones,
  synonymsState,
} from '../index/index.ts';
import { registryRevision } from '../registry/index.ts';
import type { Service } from '../service/index.ts';
import type { Opened, Threads } from './threads.ts';

/** Maximum delay until a published build, a hidden GIF, or a change of the registry or the synonyms takes effect. */
const WATCH_MS = 250;

/** The operator's synonyms. */
export interface OpenedSynonyms {
  sets: readonly SynonymSet[];
  /** Of their file when they were read (see `synonymsState`). */
  state: string;
}

export interface Watch {
  /** The served build. */
  readonly build: PublishedManifest;
  stop(): Promise<void>;
}

/**
 * Applies changes of other processes to the running service: swaps in a newly published build, sets tombstones for
 * hidden GIFs, clears cached callers when the registry changes, and reads changed synonyms. Each check is independent of
 * the others; together they cost one small file, the time of another, and two rows.
 */
export function watchForChanges(service: Service, threads: Threads, first: Opened, synonyms: OpenedSynonyms): Watch {
  const catalogue = watchCatalogue(service, threads, first);
  const watches = [catalogue, ...watchRegistry(service, threads), watchSynonyms(service, threads, synonyms)];
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
  // GIFs hidden from here on are reported to the other threads, even if they were hidden before the first check.
  let { hidden } = first;

  const lookForBuild = tellingOnce(log, 'could not load a new build', async () => {
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

  const lookForHidden = tellingOnce(log, 'could not check for hidden GIFs', async () => {
    const now = await revision(store.db);
    if (now === seen) return;
    const wanted = new Set(await hiddenIds(store.db));
    const { changed, ids, has } = setTombstones(shown, wanted);
    // Somebody may know the original's URL, even if no build contains the GIF any more.
    const others = differing(wanted, hidden);
    if (changed || others.length > 0) {
      threads.takeOut(await findTakenOut(store.db, ids), others);
      threads.bumpGeneration();
    }
    await settleAwaited(store.db, has);
    hidden = wanted;
    seen = now;
  });

  // Serialised, because a GIF that is hidden while a build is loaded must get its tombstone in that build too.
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

/** A separate check, because the registry can be on another machine and slow, and nothing else should wait for it. */
function watchRegistry({ registry, log }: Service, threads: Threads): Stoppable[] {
  let seen = -1;

  function note(now: number): void {
    if (now !== seen) threads.forgetCallers();
    seen = now;
  }

  const look = tellingOnce(
    log,
    'the client registry is unavailable (check ZOETROPE_DATABASE_URL if set); unknown callers get 503',
    async () => {
      await registry.ready();
      note(await registryRevision(registry.db));
    },
  );
  const told = registry.listen?.((now) => (now === null ? threads.forgetCallers() : note(now)));
  const watch = keepLooking(look);
  return told ? [told, watch] : [watch];
}

function watchSynonyms(service: Service, threads: Threads, first: OpenedSynonyms): Stoppable {
  const { config, store, log } = service;
  let { state } = first;
  return keepLooking(async () => {
    const now = await synonymsState(config.index, store.folder);
    if (now === state) return;
    state = now;
    const sets = await readOrReport(service, 'could not read the synonyms; the previous ones stay in use');
    if (sets === undefined) return;
    threads.useSynonyms(sets);
    threads.bumpGeneration();
    log.info({ sets: sets.length }, 'read the changed synonyms');
  });
}

/** The operator's synonyms when the service starts. A mistake in them is logged, and the service starts without them. */
export async function openSynonyms(service: Service): Promise<OpenedSynonyms> {
  const { config, store, log } = service;
  // The state first: a change while the file is read is then seen by the watch.
  const state = await synonymsState(config.index, store.folder);
  const sets = (await readOrReport(service, 'could not read the synonyms; starting without them')) ?? [];
  if (sets.length > 0) log.info({ sets: sets.length }, 'read the synonyms');
  return { state, sets };
}

async function readOrReport({ config, store, log }: Service, failure: string): Promise<SynonymSet[] | undefined> {
  try {
    return await readSynonyms(config.index, store.folder);
  } catch (error) {
    log.error({ err: error }, failure);
    return undefined;
  }
}

/** Looks a few times a second. It starts with a pause, because all data was just read. @param look never fails, see `tellingOnce` */
export function keepLooking(look: () => Promise<void>): Stoppable {
  const lookLater = async (signal: AbortSignal) => {
    await pause(WATCH_MS, signal);
    if (!signal.aborted) await look();
  };
  return keepDoing(0, lookLater, () => {});
}

/** Runs something that may fail; logs the first failure in a row, and the recovery. */
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

/** The published build in shared memory, with the current tombstones. */
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
