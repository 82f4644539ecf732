import { collectAfterSwap } from '../base/collect.ts';
import { keepDoing, pause, type Stoppable } from '../base/repeat.ts';
import { hiddenIds, revision, settleAwaited } from '../catalog/index.ts';
import {
  findTakenOut,
  loadBuild,
  loadBuildAside,
  type PublishedManifest,
  readPublished,
  type SharedBuild,
  type SharedSegment,
  setTombstones,
} from '../index/index.ts';
import { isFrozen } from '../platform/db/index.ts';
import { registryRevision } from '../registry/index.ts';
import type { Service } from '../service/index.ts';
import { type Hidden, recallHidden, rememberHidden } from './hidden.ts';
import { keepLooking, tellingOnce } from './keep-looking.ts';
import type { Opened, Threads } from './threads.ts';
import { type OpenedWords, watchWords } from './words.ts';

export interface Watch {
  /** The served build. */
  readonly build: SharedBuild;
  stop(): Promise<void>;
}

/**
 * Applies changes of other processes to the running service. Swaps in a newly published build, sets tombstones for
 * hidden GIFs, clears cached callers when the registry changes, and reads changed synonyms and language packs. Each
 * check is independent of the others. Together, the checks read one small file, the times of a few other files, and two
 * rows.
 */
export function watchForChanges(service: Service, threads: Threads, first: Opened, words: OpenedWords): Watch {
  const catalogue = watchCatalogue(service, threads, first);
  const watches = [
    catalogue,
    watchMove(service),
    ...watchRegistry(service, threads),
    ...watchWords(service, threads, words),
  ];
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
  // The GIFs that were hidden when the build was opened. GIFs hidden after that are reported to the other threads, even
  // if they are hidden before the first check.
  let { hidden } = first;

  const lookForBuild = tellingOnce(log, 'could not load a new build', async () => {
    const published = await readPublished(store.builds);
    if (!published || published.build === shown.manifest.build) return;
    const { build, takenOut } = await openBuild(service, published, { load: loadBuildAside, known: shown.segments });
    shown = build;
    threads.swap(shown);
    collectAfterSwap();
    threads.takeOut(takenOut, []);
    threads.bumpGeneration();
    log.info({ build: published.build, documents: published.gifs }, 'swapped builds');
  });

  const lookForHidden = tellingOnce(log, 'could not check for hidden GIFs', async () => {
    await store.ready();
    const now = await revision(store.db);
    if (now === seen) return;
    const wanted = new Set(await hiddenIds(store.db));
    const { changed, ids, has } = setTombstones(shown, wanted);
    // Somebody may know the original's URL, even if no build contains the GIF any more.
    const others = differing(wanted, hidden);
    if (changed || others.length > 0) {
      const takenOut = await findTakenOut(store.db, ids);
      threads.takeOut(takenOut, others);
      threads.bumpGeneration();
      await remember(service, { hidden: wanted, takenOut });
    }
    await settleAwaited(store.db, has);
    hidden = wanted;
    seen = now;
  });

  // The checks run one after the other, because a GIF that is hidden while a build is loaded must get its tombstone in
  // that build too.
  const { stop } = keepLooking(async () => {
    await lookForBuild();
    await lookForHidden();
  });
  return {
    get build() {
      return shown;
    },
    stop,
  };
}

/** Time between two checks whether the catalogue has moved. */
const MOVED_MS = 2_000;

/** Tells the operator when `zoetrope migrate` has copied the catalogue elsewhere. Searches continue meanwhile. */
function watchMove({ store, log }: Service): Stoppable {
  let isTold = false;
  const look = async (signal: AbortSignal) => {
    await pause(MOVED_MS, signal);
    const hasMoved = await isFrozen(store.db);
    if (hasMoved && !isTold)
      log.error(
        'the catalogue was copied with zoetrope migrate and can no longer be changed; restart with the new settings',
      );
    isTold = hasMoved;
  };
  return keepDoing(0, look, () => {}); // the other checks report that the database is down
}

/**
 * Watches the registry. The check is separate, because the registry can be on another machine and slow, and nothing
 * else should wait for it.
 */
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

function differing(a: ReadonlySet<string>, b: ReadonlySet<string>): string[] {
  return [...[...a].filter((id) => !b.has(id)), ...[...b].filter((id) => !a.has(id))];
}

/**
 * Returns the published build in shared memory, with the current tombstones.
 * @param known segments that are already in memory
 */
export async function openBuild(
  service: Service,
  manifest: PublishedManifest,
  { load, known }: { load: typeof loadBuild; known: readonly SharedSegment[] } = { load: loadBuild, known: [] },
): Promise<Opened> {
  const { config, store } = service;
  return withTombstones(service, await load(store.builds, manifest, config.service.threads, known));
}

/**
 * Hides the GIFs that the catalogue hides. While the catalogue cannot be reached, hides the GIFs that were hidden when
 * the catalogue was last read.
 */
export async function withTombstones(service: Service, build: SharedBuild): Promise<Opened> {
  const { store } = service;
  try {
    const hidden = new Set(await hiddenIds(store.db));
    const { ids } = setTombstones(build, hidden);
    const takenOut = await findTakenOut(store.db, ids);
    await remember(service, { hidden, takenOut });
    return { build, hidden, takenOut };
  } catch (error) {
    const known = await recallHidden(store);
    if (known === undefined) throw error;
    setTombstones(build, known.hidden);
    return { build, ...known };
  }
}

/** A disk that is full must not show hidden GIFs again. */
async function remember({ store, log }: Service, hidden: Hidden): Promise<void> {
  await rememberHidden(store, hidden).catch((error) => {
    log.error({ err: error }, 'could not save what is hidden; a start without PostgreSQL would show it');
  });
}
