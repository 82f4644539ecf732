import type { ShownPolicy } from '../catalog/index.ts';
import type { Config } from '../config.ts';
import type { Embedder } from '../embed/index.ts';
import { isBuildDue, makeBuild, makeBuildInMemory, type PublishedManifest, type SharedBuild } from '../index/index.ts';
import { linkPolicy } from '../media/index.ts';
import { openEmbedder, type Service, takeWriterLock } from '../service/index.ts';
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

/** Makes a build of the catalogue and publishes it. */
export function publish({ service, task, embedder }: Workshop): Promise<PublishedManifest> {
  return publishBuild(service, task, embedder);
}

/** Makes a build of the current catalogue, whether one is due or not. @throws LockTaken while another process writes */
export async function build(service: Service, task: Task): Promise<PublishedManifest> {
  const lock = takeWriterLock(service.store);
  const embedder = await openEmbedder(service, 'lazily');
  try {
    return await publishBuild(service, task, embedder);
  } finally {
    await embedder?.close();
    lock.release();
  }
}

/** Makes a build in memory, for a full disk. */
export async function buildInMemory(service: Service, embedder: Embedder | undefined): Promise<SharedBuild> {
  return makeBuildInMemory(await buildOptions(service, embedder), service.config.service.threads);
}

async function publishBuild(
  service: Service,
  { onProgress, signal }: Task,
  embedder: Embedder | undefined,
): Promise<PublishedManifest> {
  return makeBuild({
    ...(await buildOptions(service, embedder)),
    folder: service.store.builds,
    signal,
    onProgress: (done, total) => onProgress({ phase: 'build', done, total }),
  });
}

async function buildOptions({ store, config }: Service, embedder: Embedder | undefined) {
  const sources = { meaning: embedder && meaningVectors(embedder), looks: await looksVectors(store.db) };
  return { db: store.db, sources, policy: shownPolicy(config) };
}
