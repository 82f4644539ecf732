import type { Stoppable } from '../base/repeat.ts';
import { revision } from '../catalog/index.ts';
import { readWholePublished } from '../index/index.ts';
import type { Service } from '../service/index.ts';
import { keepLooking, tellingOnce } from './keep-looking.ts';

/** Time between two looks for a build while none shows the latest changes yet, in milliseconds. */
const AGAIN_MS = 1_000;

/** Fetches the builds of other machines into this folder, soon after the catalogue changes. Does nothing if there are none. */
export function keepPulling({ store, sharedBuilds, log }: Service): Stoppable {
  if (sharedBuilds === undefined) return { stop: async () => {} };
  let nextTry = 0;
  const pull = tellingOnce(log, 'could not fetch the latest shared build', async () => {
    if (performance.now() < nextTry) return;
    const wanted = await revision(store.db);
    const own = await readWholePublished(store.builds);
    if (own !== undefined && own.revision >= wanted) return;
    // Also after a failure. Otherwise a store that is down would be asked four times a second.
    nextTry = performance.now() + AGAIN_MS;
    await sharedBuilds.pull();
  });
  return keepLooking(pull);
}
