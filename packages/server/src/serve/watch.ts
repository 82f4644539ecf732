import { keepLooking, tellingOnce } from '../base/keep-looking.ts';
import { keepDoing, pause, type Stoppable } from '../base/repeat.ts';
import {
  loadBuild,
  loadBuildAside,
  mayServe,
  outdatedIds,
  type PublishedManifest,
  publishedState,
  readHold,
  readPublished,
  type SharedBuild,
  type SharedSegment,
} from '../builds/index.ts';
import { hiddenIds } from '../catalog/index.ts';
import {
  buildOf,
  type Cluster,
  type ClusterState,
  loadState,
  readState,
  type SharedCluster,
} from '../cluster/index.ts';
import { findWithheld, setTombstones, type Withheld } from '../index/index.ts';
import { settleAwaited } from '../moderation/index.ts';
import { isFrozen } from '../platform/db/index.ts';
import { changedSince, revision } from '../records/index.ts';
import { registryRevision } from '../registry/index.ts';
import type { Service } from '../service/index.ts';
import { policyOf } from '../work/index.ts';
import { type Hidden, recallHidden, rememberHidden } from './hidden.ts';
import type { SharedIndex } from './messages.ts';
import { collectAfterSwap } from './thread/collect.ts';
import type { OpenIndex, Threads } from './threads.ts';
import { type OpenedWords, watchWords } from './words.ts';

export interface Watch {
  /** The served index. */
  readonly index: SharedIndex;
  /** Resolves when all threads withhold the GIFs that the catalogue hides at this revision. */
  told(revision: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Applies changes of other processes to the running service. Swaps in a newly published index, hides GIFs, clears
 * cached callers when the registry changes, and reads changed synonyms and language packs. Each check is independent of
 * the others. Together, the checks read the times of a few files, and two rows. If the index is in a cluster, they also
 * read its state.
 * @param tellFirst called with the number of GIFs as soon as there are any
 */
export function watchForChanges(
  service: Service,
  threads: Threads,
  first: OpenIndex,
  { words, tellFirst }: { words: OpenedWords; tellFirst: (gifs: number) => void },
): Watch {
  const catalogue = watchCatalogue(service, threads, first, tellFirst);
  const watches = [
    catalogue,
    watchMove(service),
    ...watchRegistry(service, threads),
    ...watchWords(service, threads, words),
  ];
  return {
    get index() {
      return catalogue.index;
    },
    told: catalogue.told,
    async stop() {
      await Promise.all(watches.map((watch) => watch.stop()));
    },
  };
}

function watchCatalogue(
  service: Service,
  threads: Threads,
  first: OpenIndex,
  tellFirst: (gifs: number) => void,
): Watch {
  const { store, log } = service;
  const findNext = service.cluster ? clusterFinder(service, service.cluster) : buildFinder(service);
  let shown = first.index;
  let seen = -1;
  const toTell = new Set<{ revision: number; done: () => void }>();
  // The GIFs that were hidden when the index was opened. GIFs hidden after that are reported to the other threads, even
  // if they are hidden before the first check.
  let { hidden, withheld } = first;

  const lookForNext = tellingOnce(log, 'could not load the latest index', async () => {
    const next = await findNext(shown);
    if (next === undefined) return;
    if (!('index' in next)) {
      shown = { ...shown, manifest: next.manifest } as SharedIndex;
      return;
    }
    shown = next.index;
    threads.swap(shown);
    collectAfterSwap();
    // GIFs that were hidden while the index was loaded stay hidden. The next check leaves out those that are not in the
    // index.
    withheld = { ...next.withheld, ids: [...new Set([...next.withheld.ids, ...withheld.ids])] };
    seen = -1;
    threads.withhold(withheld, []);
    threads.bumpGeneration();
    const { build, gifs } = shown.manifest;
    log.info({ build, documents: gifs }, 'swapped indexes');
    if (gifs > 0) tellFirst(gifs);
  });

  const lookForHidden = tellingOnce(log, 'could not check for hidden GIFs', async () => {
    await store.ready();
    const now = await revision(store.db);
    if (now === seen) return;
    const wanted = await idsToHide(service, shown);
    const { changed, find, has } = await hide(service, shown, { hidden: wanted, withheld });
    // Somebody may know the original's URL, even if the GIF is no longer in any index.
    const others = differing(wanted, hidden);
    if (changed || others.length > 0) {
      withheld = await find();
      threads.withhold(withheld, others);
      threads.bumpGeneration();
      await remember(service, { hidden: wanted, withheld });
    }
    await settleAwaited(store.db, has);
    hidden = wanted;
    seen = now;
    for (const waiting of toTell) if (waiting.revision <= now && toTell.delete(waiting)) waiting.done();
  });

  // A cluster can be slow, and GIFs must be hidden immediately, so the checks run side by side. A build needs its
  // tombstones before it is served, so its checks run one after the other.
  const checks = service.cluster
    ? [keepLooking(lookForNext), keepLooking(lookForHidden)]
    : [keepLooking(() => lookForNext().then(lookForHidden))];
  return {
    get index() {
      return shown;
    },
    told: (wanted) => new Promise((done) => toTell.add({ revision: wanted, done })),
    async stop() {
      await Promise.all(checks.map((check) => check.stop()));
    },
  };
}

/**
 * A later manifest of the build that is already served. The changes of the catalogue made no difference to the build.
 */
type Unchanged = Pick<SharedBuild, 'manifest'>;

/** Returns a later index than the one that is served, or undefined if there is none. */
type FindNext = (shown: SharedIndex) => Promise<OpenIndex | Unchanged | undefined>;

function buildFinder(service: Service): FindNext {
  const { builds, db } = service.store;
  /** State of the folder when its published build was last the served one. */
  let current: string | undefined;
  return async (shown) => {
    // The state is read first, so that a build that is published in the meantime is seen by the next check.
    const state = await publishedState(builds);
    if (state === current) return undefined;
    const published = await readPublished(builds);
    if (!published) return undefined;
    if (published.build === shown.manifest.build) {
      current = state;
      return published.revision === shown.manifest.revision ? undefined : { manifest: published };
    }
    if (!mayServe(await readHold(db), published)) return undefined;
    const known = 'segments' in shown ? shown.segments : [];
    return openBuild(service, published, { load: loadBuildAside, known, mayRecall: false });
  };
}

/** Time between two requests for the cluster's state while the catalogue does not change. */
const STATE_MS = 2_000;

function clusterFinder(service: Service, cluster: Cluster): FindNext {
  const { store } = service;
  let nextTry = 0;
  return async (shown) => {
    // While PostgreSQL is down, nobody can publish anything.
    await store.ready();
    const isCurrent = (await revision(store.db)) === shown.manifest.revision;
    if (isCurrent && performance.now() < nextTry) return undefined;
    nextTry = performance.now() + STATE_MS;
    const state = await readState(cluster);
    if (state === undefined || buildOf(state) === shown.manifest.build) return undefined;
    return openState(service, cluster, state, 'state' in shown ? shown : undefined);
  };
}

/** Returns a state of the index in the cluster, with the GIFs that were hidden after the state was published. */
export async function openState(
  service: Service,
  cluster: Cluster,
  state: ClusterState,
  known?: SharedCluster,
): Promise<OpenIndex> {
  return withoutHidden(service, await loadState(cluster, state, known));
}

/** Time between two checks whether the catalogue has moved. */
const MOVED_MS = 2_000;

/** Logs that `zoetrope migrate` has copied the catalogue elsewhere. Searches continue. */
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
 * Watches the registry. This check is separate from the others, because the registry can be on another machine, and
 * other checks must not wait for a slow registry.
 */
function watchRegistry({ registry, log }: Service, threads: Threads): Stoppable[] {
  let seen = -1;

  function note(now: number): void {
    if (now !== seen) threads.forgetCallers(now);
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
  const listener = registry.listen?.((now) => (now === null ? threads.forgetCallers(null) : note(now)));
  const watch = keepLooking(look);
  return listener ? [listener, watch] : [watch];
}

function differing(a: ReadonlySet<string>, b: ReadonlySet<string>): string[] {
  return [...[...a].filter((id) => !b.has(id)), ...[...b].filter((id) => !a.has(id))];
}

/**
 * Returns the published build in shared memory, with the current tombstones.
 * By default, the build is the first one that this process serves.
 */
export async function openBuild(
  service: Service,
  manifest: PublishedManifest,
  { load, known, mayRecall }: OpenOptions = { load: loadBuild, known: [], mayRecall: true },
): Promise<OpenIndex> {
  const { config, store } = service;
  return withoutHidden(service, await load(store.builds, manifest, config.service.threads, known), mayRecall);
}

interface OpenOptions {
  load: typeof loadBuild;
  /** Segments that are already in memory. */
  known: readonly SharedSegment[];
  /**
   * Whether the build may be opened while the catalogue cannot be reached. The saved data belongs to the previously
   * served build, so it lacks hidden GIFs that only an older build shows.
   */
  mayRecall: boolean;
}

/**
 * Hides the GIFs that the catalogue hides. While the catalogue cannot be reached, hides the GIFs that were hidden when
 * the catalogue was last read, if `mayRecall` is true.
 */
export async function withoutHidden(service: Service, index: SharedIndex, mayRecall = true): Promise<OpenIndex> {
  const { store } = service;
  try {
    const hidden = await idsToHide(service, index);
    const { find } = await hide(service, index, { hidden, withheld: NOTHING_WITHHELD });
    const withheld = await find();
    await remember(service, { hidden, withheld });
    return { index, hidden, withheld };
  } catch (error) {
    const known = mayRecall ? await recallHidden(store) : undefined;
    if (known === undefined) throw error;
    if ('segments' in index) setTombstones(index, known.hidden);
    return { index, ...known };
  }
}

/** Returns the ids of GIFs that an index must not show, whether it contains them or not. */
async function idsToHide(service: Service, index: SharedIndex): Promise<Set<string>> {
  const { db } = service.store;
  const hidden = await hiddenIds(db);
  const hold = 'segments' in index ? await readHold(db) : undefined;
  if (!('segments' in index) || hold === undefined) return new Set(hidden);
  return new Set([...hidden, ...(await outdatedIds(db, index, { hold, policy: await policyOf(service) }))]);
}

const NOTHING_WITHHELD: Withheld = { ids: [], originals: new Set(), terms: new Map() };

interface Hiding {
  /** Whether the threads must be notified. */
  changed: boolean;
  /** Reads the data about the hidden GIFs. */
  find(): Promise<Withheld>;
  /** Returns whether the index contains this GIF, which is to be shown again. */
  has(id: string): boolean;
}

/**
 * Hides GIFs in a served index. For an index in a cluster, only the GIFs that were hidden after the index was published
 * are hidden here, because workers have removed all others from the index.
 * @param withheld the data that searches already have about hidden GIFs
 */
async function hide({ store }: Service, index: SharedIndex, { hidden, withheld }: Hidden): Promise<Hiding> {
  if ('segments' in index) {
    const { changed, ids, has } = setTombstones(index, hidden);
    return { changed, find: () => findWithheld(store.db, ids), has };
  }
  const since = new Set(await changedSince(store.db, index.manifest.revision));
  const ids = [...hidden].filter((id) => since.has(id));
  return {
    changed: differing(new Set(ids), new Set(withheld.ids)).length > 0,
    find: async () => ({ ...(await findWithheld(store.db, ids)), ids }),
    has: (id) => !since.has(id),
  };
}

/** Saves the list of hidden GIFs. If the disk is full, this fails, but hidden GIFs must stay hidden. */
async function remember({ store, log }: Service, hidden: Hidden): Promise<void> {
  await rememberHidden(store, hidden).catch((error) => {
    log.error({ err: error }, 'could not save what is hidden; a start without PostgreSQL would show it');
  });
}
