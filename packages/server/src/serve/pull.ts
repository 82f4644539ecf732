import { keepLooking, tellingOnce } from '../base/keep-looking.ts';
import type { Stoppable } from '../base/repeat.ts';
import { readWholePublished } from '../builds/index.ts';
import { BuildError } from '../index/index.ts';
import { bumpShown, revision } from '../records/index.ts';
import type { Service } from '../service/index.ts';

/** Time between two attempts to fetch a build that shows the latest changes, in milliseconds. */
const AGAIN_MS = 1_000;

/**
 * Time after which an unusable build counts as damaged, in milliseconds. Before that time, the store may just be slow
 * to show new objects.
 */
const DAMAGED_MS = 10_000;

/**
 * Fetches other machines' builds into this folder after the catalogue changes. Does nothing if builds are not shared.
 */
export function keepPulling({ store, sharedBuilds, log }: Service): Stoppable {
  if (sharedBuilds === undefined) return { stop: async () => {} };
  let nextTry = 0;
  let unusableSince: number | undefined;
  const withdrawIfDamaged = async (error: unknown) => {
    // While the store is down, nothing is known about the build.
    unusableSince = error instanceof BuildError ? (unusableSince ?? performance.now()) : undefined;
    if (unusableSince === undefined || performance.now() - unusableSince <= DAMAGED_MS) return;
    unusableSince = undefined;
    // Workers publish another build when there is a new revision.
    if (await sharedBuilds.withdraw()) await bumpShown(store.db);
  };
  const pull = tellingOnce(log, 'could not fetch the latest shared build', async () => {
    if (performance.now() < nextTry) return;
    const own = await readWholePublished(store.builds);
    const wanted = await revision(store.db);
    if (own?.revision === wanted) {
      unusableSince = undefined;
      return;
    }
    // The time is set before the attempt, so that a store that is down does not get four requests a second.
    nextTry = performance.now() + AGAIN_MS;
    try {
      await sharedBuilds.pull(() => revision(store.db));
      unusableSince = undefined;
    } catch (error) {
      await withdrawIfDamaged(error);
      throw error;
    }
  });
  return keepLooking(pull);
}
