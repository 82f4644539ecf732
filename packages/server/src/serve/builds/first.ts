import { OperatorError } from '../../base/errors.ts';
import {
  endHold,
  mayServe,
  type PublishedManifest,
  readHold,
  readPublished,
  readWholePublished,
  removeBuilds,
} from '../../builds/index.ts';
import { countGifs } from '../../catalog/index.ts';
import { readState } from '../../cluster/index.ts';
import type { Embedder } from '../../embed/index.ts';
import { BuildError } from '../../index/index.ts';
import { DatabaseDown } from '../../platform/db/index.ts';
import { describeEnd, isWorkShared, runCommand, type Service } from '../../service/index.ts';
import { buildInMemory, followHold } from '../../work/index.ts';
import type { OpenIndex } from '../threads.ts';
import { openBuild, openState, withoutHidden } from '../watch.ts';

/** Returns the index that is served first. Makes the index if it is missing or has another format version. */
export async function openIndex(
  service: Service,
  embedder: Embedder | undefined,
  stopped: AbortSignal,
): Promise<OpenIndex> {
  const { cluster } = service;
  if (cluster === undefined) return openOrMakeBuild(service, embedder, stopped);
  const state = await readState(cluster);
  if (state !== undefined) return openState(service, cluster, state);
  const end = await runCommand(stopped, 'work', '--searchable');
  const made = await readState(cluster);
  if (made !== undefined) return openState(service, cluster, made);
  throw nothingToServe(end);
}

/** Returns an index without GIFs. A new service uses it while its first GIFs are being added. */
export async function openEmpty(service: Service, embedder: Embedder | undefined): Promise<OpenIndex> {
  return withoutHidden(service, await buildInMemory(service, embedder));
}

/**
 * Returns the build that is served first: the held build, or the published one. Makes the build if it is missing,
 * damaged or has another format version.
 */
async function openOrMakeBuild(
  service: Service,
  embedder: Embedder | undefined,
  stopped: AbortSignal,
): Promise<OpenIndex> {
  const { store, log } = service;
  await obeyHold(service);
  let published: PublishedManifest | undefined;
  try {
    published = await readServable(service);
    if (published) return await openBuild(service, published);
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    // A writer may have replaced the build while it was read.
    if ((await readWholePublished(store.builds))?.build !== published?.build)
      return openOrMakeBuild(service, embedder, stopped);
    // Nothing can replace a build while the catalogue cannot be read.
    await store.ready();
    log.warn({ reason: error.message }, 'the published build cannot be read; rebuilding it');
    await removeBuilds(store.builds);
    await obeyHold(service);
  }
  const end = await runCommand(stopped, 'work', '--searchable');
  published = await readServable(service);
  if (published) return openBuild(service, published);
  // The disk can be full. Searches must still find the GIFs of the catalogue.
  if (end.code === 1 && (await countGifs(store.db)) > 0) {
    log.error('could not write a build; serving the catalogue from memory until it works');
    return withoutHidden(service, await buildInMemory(service, embedder));
  }
  throw nothingToServe(end);
}

/** Returns the published build, unless it was made before or during the last hold. */
async function readServable({ store }: Service): Promise<PublishedManifest | undefined> {
  const published = await readPublished(store.builds);
  if (published === undefined) return undefined;
  // While the catalogue cannot be read, the build that was served last is served.
  const hold = await readHold(store.db).catch(() => undefined);
  return mayServe(hold, published) ? published : undefined;
}

/**
 * Publishes the held build in this folder, before it is opened. If no other machine has the builds of this folder, a
 * build that is lost cannot come back. The hold then ends, because the service must have something to serve.
 */
async function obeyHold(service: Service): Promise<void> {
  const { store, log } = service;
  try {
    await followHold(service);
  } catch (error) {
    // While the catalogue cannot be read, the build that was served last is served.
    if (!(error instanceof OperatorError) || error instanceof DatabaseDown)
      return log.error({ err: error }, 'could not look for a held build');
    if (isWorkShared(service)) throw error;
    log.error({ reason: error.message }, 'the held build is lost; going on with new builds');
    await endHold(store.db);
  }
}

function nothingToServe(end: Parameters<typeof describeEnd>[0]): OperatorError {
  return new OperatorError(
    `There is nothing to serve yet: preparing the catalogue ${describeEnd(end)}. Start again to continue`,
  );
}
