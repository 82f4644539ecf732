import { bumpShown, revision, type ShownPolicy } from '../catalog/index.ts';
import type { Config } from '../config.ts';
import type { Embedder } from '../embed/index.ts';
import {
  BuildError,
  isBaseDue,
  isBuildDue,
  makeBuild,
  makeBuildInMemory,
  type PublishedManifest,
  type SharedBuild,
} from '../index/index.ts';
import { linkPolicy } from '../media/index.ts';
import { whenFree } from '../platform/lock/index.ts';
import { isWorkShared, openEmbedder, type Service, takeCatalogueLock, takeWorkLock } from '../service/index.ts';
import { looksVectors } from './describe.ts';
import { meaningVectors } from './embed.ts';
import { heldBack } from './rating-mode.ts';
import type { Task, Workshop } from './workshop.ts';

/** Which part of the catalogue these settings show. */
function shownPolicy({ enrich, media }: Config): ShownPolicy {
  return { heldBack: heldBack(enrich.rating), links: linkPolicy(media) };
}

/** Whether the published build is missing or outdated. */
export function needsBuild({ store, config }: Service): Promise<boolean> {
  return isBuildDue(store.db, store.builds, shownPolicy(config));
}

/** Publishes a build of the current catalogue, unless a machine already did. It is a delta if little has changed. */
export function publish({ service, task, embedder }: Workshop): Promise<PublishedManifest> {
  return asBuilder(service, task, async () => {
    const shown = await pulled(service);
    if (shown === undefined || (await needsBuild(service))) return publishBuild(service, { task, embedder });
    // If a process died after it made this build, the build is not in the store yet.
    await service.sharedBuilds?.push(shown);
    return shown;
  });
}

/** Makes a new base if more than a tenth of the current one has changed. */
export function makeBase({ service, task, embedder }: Workshop): Promise<PublishedManifest | undefined> {
  const { db, builds } = service.store;
  return asBuilder(service, task, async () => {
    await pulled(service);
    if (!(await isBaseDue(db, builds))) return undefined;
    await supersede(service);
    return publishBuild(service, { task, embedder, whole: true });
  });
}

/** Gives the next build a later revision than the last one, because other machines fetch only later builds. */
async function supersede(service: Service): Promise<void> {
  if (isWorkShared(service)) await bumpShown(service.store.db);
}

/**
 * Fetches the latest shared build; undefined if there is none or it cannot be read. `publishBuild` reports the reason.
 */
async function pulled({ sharedBuilds, store }: Service): Promise<PublishedManifest | undefined> {
  return sharedBuilds?.pull(() => revision(store.db)).catch(() => undefined);
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
 * Publishes a build, whether one is due or not.
 * @param whole makes a base even if a delta would do
 * @throws LockTaken while another process writes
 */
export async function build(service: Service, task: Task, whole: boolean): Promise<PublishedManifest> {
  const lock = await takeWorkLock(service.store, 'writer');
  const embedder = await openEmbedder(service, 'lazily');
  try {
    if (whole) await supersede(service);
    return await publishBuild(service, { task, embedder, whole });
  } finally {
    await embedder?.close();
    await lock.release();
  }
}

/** Makes a build in memory, for a full disk. */
export async function buildInMemory(service: Service, embedder: Embedder | undefined): Promise<SharedBuild> {
  return makeBuildInMemory(buildOptions(service, embedder), service.config.service.threads);
}

async function publishBuild(
  service: Service,
  { task, embedder, whole = false }: { task: Task; embedder: Embedder | undefined; whole?: boolean },
): Promise<PublishedManifest> {
  const { sharedBuilds, log } = service;
  try {
    // A delta is added to the build that the other machines have.
    await sharedBuilds?.pull(() => revision(service.store.db));
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    log.warn({ reason: error.message }, 'the shared build cannot be used; publishing another one');
    await sharedBuilds?.withdraw();
    await supersede(service);
  }
  const published = await makeBuild({
    ...buildOptions(service, embedder),
    folder: service.store.builds,
    whole,
    signal: task.signal,
    onProgress: (done, total) => task.onProgress({ phase: 'build', done, total }),
  });
  await sharedBuilds?.push(published);
  return published;
}

function buildOptions({ store: { db }, config }: Service, embedder: Embedder | undefined) {
  const sources = async (looks: Uint8Array | undefined) => ({
    meaning: embedder && meaningVectors(embedder),
    looks: await looksVectors(db, looks),
  });
  return { db, sources, policy: shownPolicy(config) };
}
