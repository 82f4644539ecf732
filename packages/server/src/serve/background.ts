import { keepLooking, tellingOnce } from '../base/keep-looking.ts';
import { goOn } from '../base/log.ts';
import { pause, type Stoppable } from '../base/repeat.ts';
import { currentHold } from '../builds/index.ts';
import { isIndexMissing } from '../cluster/index.ts';
import type { Embedder } from '../embed/index.ts';
import type { Media } from '../media/index.ts';
import { wantedRevision } from '../moderation/index.ts';
import { LockTaken } from '../platform/lock/index.ts';
import { findNodes } from '../platform/nodes/index.ts';
import { revision } from '../records/index.ts';
import {
  describeEnd,
  isDead,
  isWorkFree,
  isWorkShared,
  joinNodes,
  openEmbedder,
  openMedia,
  runCommand,
  type Service,
  takeFolderLock,
} from '../service/index.ts';
import { keepCheckingLinks, keepFollowingCatalogues, keepProbingLinks, keepPublishing } from '../upkeep/index.ts';
import { GAVE_WAY, hasJobs, isWorkDue, readShown } from '../work/index.ts';
import { keepPulling } from './builds/pull.ts';
import { keepShadowCurrent } from './shadow.ts';

/** Tools and state of the process that starts the background work. */
interface Starter {
  media: Media;
  embedder: Embedder | undefined;
  /** Whether an earlier process may have left work. */
  isBehind: boolean;
}

/**
 * Does all work of the service except responding to requests: adds GIFs, improves search results, builds the index, and
 * checks links. Heavy work runs in processes of low priority, so that it never delays responses.
 */
export function startBackground(service: Service, { media, embedder, isBehind }: Starter): Stoppable {
  const tasks: { stop(): void | Promise<void> }[] = [];
  if (isBehind) tasks.push(finishEarlierWork(service));
  if (service.config.media.linkCheckHours > 0) {
    const show = async (signal: AbortSignal) => void (await workUntil(service, signal, ['--quiet', '--searchable']));
    tasks.push(keepCheckingLinks(service, media, show));
  }
  tasks.push(keepFollowingCatalogues(service), keepPublishing(service));
  tasks.push(keepProbingLinks(service), keepWorking(service, embedder));
  if (service.shadow) tasks.push(keepShadowCurrent(service, service.shadow));
  return {
    async stop() {
      await Promise.all(tasks.map((task) => task.stop()));
    },
  };
}

/** Does the background work for services that only serve requests. It runs in a separate process. */
export async function startWorking(service: Service): Promise<Stoppable> {
  await using resources = new AsyncDisposableStack();
  const presence = joinNodes(service, 'worker');
  resources.defer(() => presence?.stop());
  const embedder = await openEmbedder(service, 'lazily');
  resources.defer(() => embedder?.close());
  const media = openMedia(service);
  resources.defer(() => media.close());
  const pulls = keepPulling(service);
  resources.defer(() => pulls.stop());
  const background = startBackground(service, { media, embedder, isBehind: true });
  resources.defer(() => background.stop());
  const owned = resources.move();
  return { stop: () => owned.disposeAsync() };
}

/**
 * Number of attempts. If the process dies once, this can be an accident, for example because another process used up
 * the memory. Three deaths are not an accident.
 */
const ATTEMPTS = 3;
const PAUSE_MS = 5_000;
/** Delay before another attempt to make a build that did not fit on the disk. */
const NO_ROOM_MS = 60_000;

/** Finishes the work of earlier processes. */
function finishEarlierWork(service: Service): { stop(): void } {
  const stopping = new AbortController();
  goOn(finishAll(service, stopping.signal), service.log);
  return { stop: () => stopping.abort() };
}

async function finishAll(service: Service, signal: AbortSignal): Promise<void> {
  await untilReady(service.store, signal);
  // A new operator waits only until the first GIFs can be found, and not until their previews and descriptions are
  // made.
  if (!(await readShown(service))) await workUntil(service, signal, ['--quiet', '--searchable', '--now']);
  for (let deaths = 0; deaths < ATTEMPTS; ) {
    await untilFree(service, signal);
    const end = await workUntil(service, signal, ['--quiet', '--give-way']);
    if (signal.aborted || (end === 'done' && !(await isLeft(service)))) return;
    if (end === 'dead') deaths++;
    if (end !== 'gaveWay') await pause(end === 'done' ? NO_ROOM_MS : PAUSE_MS, signal);
  }
  service.log.error(`ingestion is unfinished because its process died ${ATTEMPTS} times; run zoetrope work to see why`);
}

/** Waits until no other process writes to this folder. */
async function untilFree(service: Service, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !(await isFree(service))) await pause(BUSY_MS, signal);
}

/** Whether work is left that `work` could not do because the disk was full. */
async function isLeft(service: Service): Promise<boolean> {
  if (!(await readShown(service))) return true;
  return !isWorkShared(service) && (await hasJobs(service));
}

async function untilReady(store: Service['store'], signal: AbortSignal): Promise<void> {
  const tryNow = () =>
    store.ready().then(
      () => true,
      () => false,
    );
  while (!signal.aborted && !(await tryNow())) await pause(PAUSE_MS, signal);
}

/**
 * Runs `work` until it ends; `work` reports its own errors. If another process is writing, that process's build
 * includes everything.
 */
async function workUntil(
  { log }: Service,
  signal: AbortSignal,
  options: string[],
): Promise<'done' | 'gaveWay' | 'dead'> {
  const end = await runCommand(signal, 'work', ...options);
  if (!isDead(end)) return end.code === GAVE_WAY ? 'gaveWay' : 'done';
  if (!signal.aborted) log.error({ err: end.error }, `the work process ${describeEnd(end)}`);
  return 'dead';
}

/** Maximum pause after long work, in milliseconds. */
const LONGEST_PAUSE_MS = 60_000;
/** Delay before asking PostgreSQL again whether another process works. */
const BUSY_MS = 1_000;
/**
 * Work must have waited for this time before this machine helps with it. The process of another machine takes about a
 * second to start.
 */
const HELP_MS = 3_000;
/** Time between two searches for work that is not counted, such as missing vectors. */
const SEARCH_MS = 30_000;
const LONGEST_SEARCH_MS = 3_600_000;
/** Time for which a search's result is valid. It is longer than `HELP_MS`, so that this machine can start to help. */
const FOUND_MS = 2 * HELP_MS;
/** Time that another machine has to make a build. After that, this machine makes it. */
const BUILD_MS = 60_000;

/**
 * Does new work. Makes a build when operators have restored or changed GIFs, because tombstones can only hide GIFs.
 * Helps other machines with their work. While another process works on this folder, it waits, because that process
 * usually does all work.
 */
function keepWorking(service: Service, embedder: Embedder | undefined): Stoppable {
  const { store, log } = service;
  const stopping = new AbortController();
  const isDue = createLookout(service, embedder);
  let working: Promise<void> | undefined;
  /** Time of the next attempt. Without it, a catalogue that changes all the time would keep every machine busy. */
  let nextTry = 0;

  async function workOnce(): Promise<void> {
    const { signal } = stopping;
    const began = performance.now();
    await workUntil(service, signal, ['--quiet', '--give-way']);
    if (store.databaseUrl !== '')
      nextTry = performance.now() + Math.min(LONGEST_PAUSE_MS, Math.max(PAUSE_MS, performance.now() - began));
    if (await isDue()) await pause(PAUSE_MS, signal);
  }

  async function look(): Promise<void> {
    if (working !== undefined || performance.now() < nextTry || !(await isDue())) return;
    if (await isFree(service)) {
      working = workOnce()
        .catch((error) => log.error({ err: error }, 'could not do the open work'))
        .finally(() => {
          working = undefined;
        });
    } else if (store.databaseUrl !== '') {
      nextTry = performance.now() + BUSY_MS;
    }
  }

  const watch = keepLooking(tellingOnce(log, 'could not look for open work', look));
  return {
    async stop() {
      stopping.abort();
      await watch.stop();
      await working;
    },
  };
}

/** Whether this process can start to work, because no other process holds the writer's lock. */
async function isFree(service: Service): Promise<boolean> {
  if (!isWorkShared(service)) return isWorkFree(service.store, 'writer');
  try {
    takeFolderLock(service.store, 'writer').release();
    return true;
  } catch (error) {
    if (error instanceof LockTaken) return false;
    throw error;
  }
}

/** Returns a function that checks whether this machine should work. */
function createLookout(service: Service, embedder: Embedder | undefined): () => Promise<boolean> {
  const { store, sharedBuilds, cluster } = service;
  const { db } = store;
  const search = createSearch(service);
  const isMissing = createMissingCheck(service);
  let shown = 0;
  let dueSince: number | undefined;
  /** The change that has been waiting longest for a build, and the time when this process noticed it. */
  let unbuilt: { revision: number; since: number } | undefined;

  /** Whether the index that searches use is older than this revision. A held build may be older. */
  async function isBehind(wanted: number): Promise<boolean> {
    if (wanted <= shown || (await currentHold(db))) return false;
    shown = (await readShown(service))?.revision ?? 0;
    return wanted > shown;
  }

  /** Whether changes need a build that no other machine is making. A machine that takes too long does not count. */
  async function isUnbuilt(): Promise<boolean> {
    const now = await revision(db);
    if (now === shown || (await currentHold(db))) return false;
    shown = (await readShown(service))?.revision ?? 0;
    if (now === shown) return false;
    if (unbuilt === undefined || shown >= unbuilt.revision) unbuilt = { revision: now, since: performance.now() };
    if (performance.now() - unbuilt.since > BUILD_MS) return true;
    return !(await findNodes(db)).some(({ role }) => role === 'work');
  }

  /** Whether there is work that no other machine is about to do. */
  async function isLeft(): Promise<boolean> {
    if ((await hasJobs(service)) || (await isBehind(await wantedRevision(db))) || (await isUnbuilt())) return true;
    if (await isMissing()) return true;
    return search(async () => (await sharedBuilds?.isUpToDate()) === false || (await isWorkDue(service, embedder)));
  }

  return async () => {
    // For a build in this folder, tombstones are enough to remove GIFs. On other machines and in a cluster, removed
    // GIFs must be removed from the index soon.
    const isLocal = store.databaseUrl === '' && cluster === undefined;
    if (!isWorkShared(service)) {
      // During a hold, files are still added, although no build shows them.
      if (await currentHold(db)) return hasJobs(service);
      return (await isBehind(await (isLocal ? wantedRevision(db) : revision(db)))) || isMissing();
    }
    if (!(await isLeft())) {
      dueSince = undefined;
      return false;
    }
    dueSince ??= performance.now();
    return performance.now() - dueSince >= HELP_MS;
  };
}

/** Time between two checks whether the search cluster still has the index. */
const MISSING_MS = 5_000;

/**
 * Returns a function that checks, at most once per MISSING_MS, whether somebody has removed the index from the search
 * cluster.
 */
function createMissingCheck({ cluster }: Service): () => Promise<boolean> {
  let checkedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (cluster === undefined || performance.now() - checkedAt < MISSING_MS) return false;
    const isMissing = await isIndexMissing(cluster);
    if (!isMissing) checkedAt = performance.now();
    return isMissing;
  };
}

/**
 * Returns a function that sometimes runs `find`, which searches for work that is not counted. Some work can never be
 * finished, such as a picture that cannot be read. Therefore the pauses get longer until the catalogue changes.
 */
function createSearch({ store }: Service) {
  let seen = -1;
  let searchedAt = performance.now();
  let pauseMs = SEARCH_MS;
  let isFound = false;
  return async (find: () => Promise<boolean>): Promise<boolean> => {
    const now = await revision(store.db);
    if (now !== seen) pauseMs = SEARCH_MS;
    seen = now;
    const age = performance.now() - searchedAt;
    if (age < pauseMs) return isFound && age < FOUND_MS;
    // The time is set before the search, because otherwise a search that fails would be repeated immediately.
    searchedAt = performance.now();
    pauseMs = Math.min(LONGEST_SEARCH_MS, pauseMs * 2);
    isFound = false;
    isFound = await find();
    return isFound;
  };
}
