import { keepLooking, tellingOnce } from '../../base/keep-looking.ts';
import type { Stoppable } from '../../base/repeat.ts';
import { readHold, readWholePublished } from '../../builds/index.ts';
import { BuildError } from '../../index/index.ts';
import { bumpShown, revision } from '../../records/index.ts';
import type { Service } from '../../service/index.ts';
import { followHold } from '../../work/index.ts';

/** Time between two attempts to fetch a build that shows the latest changes, in milliseconds. */
const AGAIN_MS = 1_000;

/**
 * Time after which an unusable build counts as damaged, in milliseconds. Before that time, the store may just be slow
 * to show new objects.
 */
const DAMAGED_MS = 10_000;

/**
 * Keeps the right build published in this folder: the held build, or the latest build of all machines. Fetches builds
 * from other machines after the catalogue changes, if builds are shared.
 */
export function keepPulling(service: Service): Stoppable {
  const { store, sharedBuilds, cluster, log } = service;
  if (cluster !== undefined) return { stop: async () => {} };
  let nextTry = 0;
  let unusableSince: number | undefined;
  const withdrawIfDamaged = async (error: unknown) => {
    // While the store is down, nothing is known about the build.
    unusableSince = error instanceof BuildError ? (unusableSince ?? performance.now()) : undefined;
    if (unusableSince === undefined || performance.now() - unusableSince <= DAMAGED_MS) return;
    unusableSince = undefined;
    // Workers publish another build when there is a new revision.
    if (await sharedBuilds?.withdraw()) await bumpShown(store.db);
  };
  const what = `could not ${sharedBuilds ? 'fetch the latest shared' : 'look for a held'} build`;
  const pull = tellingOnce(log, what, async () => {
    if (performance.now() < nextTry) return;
    await store.ready();
    const hold = await readHold(store.db);
    // Without a store for builds, only a held build has to be published here.
    if (sharedBuilds === undefined && hold?.until !== null) return;
    const own = await readWholePublished(store.builds);
    const isRight = hold?.until === null ? own?.build === hold.build : own?.revision === (await revision(store.db));
    if (isRight) {
      unusableSince = undefined;
      return;
    }
    // The time is set before the attempt, so that a store that is down does not get four requests a second.
    nextTry = performance.now() + AGAIN_MS;
    try {
      const held = await followHold(service);
      if (held === undefined) await sharedBuilds?.pull({ revisionNow: () => revision(store.db), hold });
      unusableSince = undefined;
    } catch (error) {
      await withdrawIfDamaged(error);
      throw error;
    }
  });
  return keepLooking(pull);
}
