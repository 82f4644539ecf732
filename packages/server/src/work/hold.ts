import { OperatorError } from '../base/errors.ts';
import { currentHold, type PublishedManifest, publishFrom, readWholePublished } from '../builds/index.ts';
import { BuildError } from '../index/index.ts';
import type { Service } from '../service/index.ts';

/**
 * Publishes the held build in this machine's folder.
 * @returns undefined if no build is held
 * @throws OperatorError if the held build is neither here nor in the store, BuildError if it is damaged
 */
export async function followHold({
  store,
  sharedBuilds,
}: Pick<Service, 'store' | 'sharedBuilds'>): Promise<PublishedManifest | undefined> {
  const hold = await currentHold(store.db);
  if (hold === undefined) return undefined;
  const { build } = hold;
  const own = await readWholePublished(store.builds);
  if (own?.build === build) return own;
  try {
    return await publishFrom(store.builds, build);
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    const fetched = await sharedBuilds?.pull({ hold });
    if (fetched !== undefined) return fetched;
    const message = `The held build ${build} is missing on this machine: ${error.message}. To go on with new builds, run zoetrope builds release`;
    throw new OperatorError(message, { cause: error });
  }
}
