import { OperatorError } from '../base/errors.ts';
import {
  type BuildPolicy,
  currentHold,
  isBaseDue,
  isBuildDue,
  makeBuild,
  makeBuildInMemory,
  type PublishedManifest,
  readHold,
  readWholePublished,
  type SharedBuild,
} from '../builds/index.ts';
import {
  buildOf,
  type Cluster,
  type ClusterState,
  checkIndex,
  type IndexCheck,
  isIndexDue,
  readState,
  rebuildIndex,
  syncIndex,
} from '../cluster/index.ts';
import type { Embedder } from '../embed/index.ts';
import { BuildError, type OffensiveWords, offensiveWords, readOffensiveWords } from '../index/index.ts';
import { linkPolicy } from '../media/index.ts';
import { type Lock, whenFree } from '../platform/lock/index.ts';
import { bumpShown, revision } from '../records/index.ts';
import { isWorkShared, openEmbedder, type Service, takeCatalogueLock, takeWorkLock } from '../service/index.ts';
import { looksVectors } from './describe.ts';
import { meaningVectors } from './embed.ts';
import { followHold } from './hold.ts';
import { heldBack } from './rating-mode.ts';
import { takeTurn } from './turn.ts';
import type { Task, Workshop } from './workshop.ts';

/** Returns the rules for the GIFs that a build shows under these settings, and the offensive words. */
export async function policyOf(service: Service): Promise<BuildPolicy> {
  const { enrich, media } = service.config;
  return { heldBack: heldBack(enrich.rating), links: linkPolicy(media), words: await wordsOf(service) };
}

/** Returns the offensive words. A mistake in the operator's list is logged, and the built-in list is used. */
export async function wordsOf({ config, store, log }: Service): Promise<OffensiveWords> {
  try {
    return await readOffensiveWords(config.index, store.folder);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    log.error({ err: error }, 'could not read the offensive words; the built-in list is used');
    return offensiveWords();
  }
}

/** The index that searches use: a build in the folder, or the index in the cluster. */
export interface Published {
  build: string;
  /** The revision of the catalogue in the index. */
  revision: number;
  gifs: number;
}

/**
 * Returns the index that searches use; undefined if none has been published yet. @throws ServiceError if the cluster is
 * unavailable
 */
export async function readShown({ store, cluster }: Service): Promise<Published | undefined> {
  if (cluster === undefined) return readWholePublished(store.builds);
  const state = await readState(cluster);
  return state && publishedAs(state);
}

function publishedAs(state: ClusterState): Published {
  return { build: buildOf(state), revision: state.revision, gifs: state.gifs };
}

/**
 * Whether the build in the folder or the index in the cluster is missing or outdated. While a build is held, no other
 * build is needed.
 */
export async function needsBuild(service: Service): Promise<boolean> {
  const { store, cluster } = service;
  if (await currentHold(store.db)) return false;
  const policy = await policyOf(service);
  return cluster ? isIndexDue({ ...cluster, db: store.db, policy }) : isBuildDue(store.db, store.builds, policy);
}

/**
 * Publishes the current catalogue if no machine has published it yet. This takes less time if little has changed. While
 * a build is held, publishes that build.
 */
export function publish({ service, task, embedder }: Workshop): Promise<Published> {
  return asBuilder(service, task, async () => {
    if (service.cluster) return writeIndex(service, service.cluster, { task, embedder });
    const held = await followHold(service);
    const shown = held ?? (await pulled(service));
    if (shown === undefined || (await needsBuild(service))) return publishBuild(service, { task, embedder });
    // The build may not be in the store yet, because a process can die after making a build.
    await service.sharedBuilds?.push(shown, held?.build);
    return shown;
  });
}

/** Makes a new base if more than a tenth of the current one has changed. */
export async function makeBase({ service, task, embedder }: Workshop): Promise<Published | undefined> {
  if (service.cluster) return undefined;
  const { db, builds } = service.store;
  return asBuilder(service, task, async () => {
    if (await currentHold(db)) return undefined;
    await pulled(service);
    if (!(await isBaseDue(db, builds))) return undefined;
    await supersede(service);
    return publishBuild(service, { task, embedder, whole: true });
  });
}

/**
 * Ensures that the next build has a later revision than the last one, because other machines fetch only builds with
 * later revisions.
 */
async function supersede(service: Service): Promise<void> {
  if (isWorkShared(service)) await bumpShown(service.store.db);
}

/**
 * Fetches the latest shared build. Returns undefined if it is missing or cannot be read. `publishBuild` reports the
 * reason.
 */
async function pulled({ sharedBuilds, store }: Service): Promise<PublishedManifest | undefined> {
  if (sharedBuilds === undefined) return undefined;
  const hold = await readHold(store.db);
  return sharedBuilds.pull({ revisionNow: () => revision(store.db), hold }).catch(() => undefined);
}

/** Waits until no other machine makes a build, and then runs `make`. */
async function asBuilder<Result>(service: Service, { signal }: Task, make: () => Promise<Result>): Promise<Result> {
  if (!isWorkShared(service)) return make();
  const lock = await whenFree(() => takeCatalogueLock(service.store, 'writer'), { signal });
  try {
    return await make();
  } finally {
    await lock.release();
  }
}

/**
 * Publishes the current catalogue, even if this is not due.
 * @param whole also writes GIFs that have not changed
 * @throws LockTaken if another process writes and the task does not wait; OperatorError while a build is held
 */
export async function build(service: Service, task: Task, whole: boolean): Promise<Published> {
  return withLock(service, await takeTurn(service, task), async (embedder) => {
    if (service.cluster) return writeIndex(service, service.cluster, { task, embedder, whole });
    await checkNotHeld(service);
    if (whole) await supersede(service);
    return publishBuild(service, { task, embedder, whole });
  });
}

/** Runs `write`, and then releases the lock. */
async function withLock<Result>(
  service: Service,
  lock: Lock,
  write: (embedder: Embedder | undefined) => Promise<Result>,
): Promise<Result> {
  try {
    const embedder = await openEmbedder(service, 'lazily');
    return await write(embedder).finally(() => embedder?.close());
  } finally {
    await lock.release();
  }
}

async function checkNotHeld({ store }: Service): Promise<void> {
  const hold = await currentHold(store.db);
  if (hold === undefined) return;
  throw new OperatorError(
    `The build ${hold.build} is held, so no other build is made. To go on with new builds, run zoetrope builds release`,
  );
}

/**
 * Writes the current catalogue to the cluster. For a cluster that is only compared with the index in memory, other
 * processes can add GIFs and make builds meanwhile.
 * @throws OperatorError if no cluster is configured
 */
export async function writeCluster(
  service: Service,
  task: Task & Required<Pick<Task, 'onWait'>>,
  whole: boolean,
): Promise<Published> {
  const cluster = clusterOf(service);
  const lock = service.cluster
    ? await takeTurn(service, task)
    : await whenFree(() => takeWorkLock(service.store, 'shadow'), task);
  return withLock(service, lock, (embedder) => writeIndex(service, cluster, { task, embedder, whole }));
}

function clusterOf({ cluster, shadow }: Service): Cluster {
  const either = cluster ?? shadow;
  if (either !== undefined) return either;
  throw new OperatorError(
    'There is no index in a cluster (ZOETROPE_SEARCH is embedded, and no searches are compared). Use zoetrope build',
  );
}

/** Whether the cluster that is compared with the index in memory is behind the catalogue. */
export async function isShadowDue(service: Service, shadow: Cluster): Promise<boolean> {
  return isIndexDue({ ...shadow, db: service.store.db, policy: await policyOf(service) });
}

/**
 * Compares the index in the cluster with the catalogue. Returns undefined if there is no index.
 * @throws OperatorError if no cluster is configured
 */
export async function checkClusterIndex(
  service: Service,
  { onProgress, signal }: Pick<Task, 'onProgress' | 'signal'>,
): Promise<IndexCheck | undefined> {
  const { store } = service;
  const cluster = clusterOf(service);
  const report = (done: number, total: number) => onProgress({ phase: 'check', done, total });
  return checkIndex({ ...cluster, db: store.db, policy: await policyOf(service), onProgress: report, signal });
}

/** Makes a build in memory, because the disk is full. */
export async function buildInMemory(service: Service, embedder: Embedder | undefined): Promise<SharedBuild> {
  return makeBuildInMemory(await buildOptions(service, embedder), service.config.service.threads);
}

interface Order {
  task: Task;
  embedder: Embedder | undefined;
  /** Whether GIFs that have not changed are also written. */
  whole?: boolean;
}

/** Writes the changes of the catalogue to the index in the cluster. */
async function writeIndex(service: Service, cluster: Cluster, { task, embedder, whole }: Order): Promise<Published> {
  const options = {
    ...(await buildOptions(service, embedder)),
    ...cluster,
    signal: task.signal,
    onProgress: (done: number, total: number) => task.onProgress({ phase: 'build', done, total }),
  };
  return publishedAs(await (whole ? rebuildIndex(options) : syncIndex(options)));
}

async function publishBuild(service: Service, { task, embedder, whole = false }: Order): Promise<PublishedManifest> {
  const { sharedBuilds, store, log } = service;
  const hold = await readHold(store.db);
  try {
    // The latest shared build is fetched first, because a delta must be added to the build that the other machines
    // have.
    await sharedBuilds?.pull({ revisionNow: () => revision(store.db), hold });
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    log.warn({ reason: error.message }, 'the shared build cannot be used; publishing another one');
    await sharedBuilds?.withdraw();
    await supersede(service);
  }
  const published = await makeBuild({
    ...(await buildOptions(service, embedder)),
    folder: store.builds,
    whole,
    signal: task.signal,
    onProgress: (done, total) => task.onProgress({ phase: 'build', done, total }),
  });
  // A build may have been held in the meantime. It must stay in the store.
  await sharedBuilds?.push(published, (await currentHold(store.db))?.build);
  return published;
}

async function buildOptions(service: Service, embedder: Embedder | undefined) {
  const { db } = service.store;
  const sources = async (looks: Uint8Array | undefined) => ({
    meaning: embedder && meaningVectors(embedder),
    looks: await looksVectors(db, looks),
  });
  return { db, sources, policy: await policyOf(service) };
}
