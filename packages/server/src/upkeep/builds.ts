import { systemClock } from '../base/clock.ts';
import { OperatorError } from '../base/errors.ts';
import {
  currentHold,
  endHold,
  holdBuild,
  type ListedBuild,
  listBuilds,
  type PublishedManifest,
  readManifest,
} from '../builds/index.ts';
import { FORMAT_VERSION } from '../index/index.ts';
import { wantBuild } from '../moderation/index.ts';
import { type Database, inTransaction } from '../platform/db/index.ts';
import { findNodes } from '../platform/nodes/index.ts';
import { revision } from '../records/index.ts';
import { type By, recordAct } from '../registry/index.ts';
import { machineOf, type Service } from '../service/index.ts';
import { followHold } from '../work/index.ts';

/** The builds of a machine, and the builds that this machine and others serve. */
export interface BuildsReport {
  /** The builds on the disk of this machine, latest first. */
  builds: (ListedBuild & {
    /** Number of changes of the catalogue that the build does not show. */
    behind: number;
    /** The machines that serve it. Empty if the catalogue is in the data folder. */
    servedBy: string[];
  })[];
  /** Builds of other machines that are not on the disk of this machine. */
  others: { machine: string; build: string }[];
  /** Whether searches use a search cluster, so that there are no builds. */
  isInCluster: boolean;
  /** The build that is held; null if there is none. */
  held: { build: string; at: number } | null;
}

/** Returns the builds on the disk of this machine, and the machines that serve each of them. */
export async function reportOnBuilds({ store, cluster }: Pick<Service, 'store' | 'cluster'>): Promise<BuildsReport> {
  if (cluster !== undefined) return { builds: [], others: [], isInCluster: true, held: null };
  const now = await revision(store.db);
  const builds = await listBuilds(store.builds);
  const serving = (await findNodes(store.db)).flatMap(({ machine, build }) =>
    build === null ? [] : [{ machine, build }],
  );
  return {
    builds: builds.map((listed) => ({
      ...listed,
      behind: now - listed.revision,
      servedBy: serving.filter(({ build }) => build === listed.build).map(({ machine }) => machine),
    })),
    others: serving.filter(({ build }) => builds.every((listed) => listed.build !== build)),
    isInCluster: false,
    held: await readHeld(store.db),
  };
}

/** Returns the build that is held, and since when; null if there is none. */
export async function readHeld(db: Database): Promise<BuildsReport['held']> {
  const hold = await currentHold(db);
  return hold === undefined ? null : { build: hold.build, at: hold.at };
}

/**
 * Lets all machines serve a build of this machine's folder, until `releaseBuild`. The service then leaves out GIFs of
 * this build that were hidden, rated adult or changed after it was made, and shows no newer GIFs.
 * @throws OperatorError if there is no such build, or if not all machines can serve it
 */
export async function useBuild(service: Service, by: By, name: string): Promise<PublishedManifest> {
  const { store, registry, sharedBuilds } = service;
  await checkCanHold(service);
  const chosen = await findBuild(store.builds, name);
  await registry.ready();
  // Other machines can fetch the build as soon as it is held.
  await sharedBuilds?.push(chosen, name);
  await holdBuild(store.db, name, systemClock.now());
  try {
    await followHold(service);
  } catch (error) {
    // The build was removed in the meantime.
    await endHold(store.db);
    throw error;
  }
  await recordAct(registry.db, by, { action: 'build hold', subject: name });
  return chosen;
}

async function findBuild(folder: string, name: string): Promise<PublishedManifest> {
  const isComplete = (await listBuilds(folder)).some(({ build }) => build === name);
  const manifest = isComplete ? await readManifest(folder, name) : undefined;
  if (manifest === undefined) throw new OperatorError(`There is no complete build ${name}. See zoetrope builds`);
  if (manifest.engine.format === FORMAT_VERSION) return manifest;
  throw new OperatorError(`The build ${name} was made by another version of Zoetrope, so it cannot be served`);
}

/** @throws OperatorError if not all machines could serve an older build */
async function checkCanHold({ store, cluster, sharedBuilds, ...service }: Service): Promise<void> {
  if (cluster !== undefined) {
    throw new OperatorError('An index in a search cluster cannot be rolled back (ZOETROPE_SEARCH=opensearch)');
  }
  if (store.databaseUrl === '' || sharedBuilds !== undefined) return;
  const others = (await findNodes(store.db)).filter(({ machine }) => machine !== machineOf(service));
  if (others.length === 0) return;
  throw new OperatorError(
    `Other machines use this catalogue (${others[0]!.machine}), but builds are not shared, so they cannot serve this one. Share builds through a bucket (ZOETROPE_S3_BUCKET)`,
  );
}

/**
 * Ends the hold. A running service goes on with new builds within seconds.
 * @returns the name of the build that was held
 * @throws OperatorError if no build is held
 */
export async function releaseBuild({ store, registry }: Service, by: By): Promise<string> {
  await registry.ready();
  const build = await inTransaction(store.db, async (trx) => {
    const held = await endHold(trx);
    if (held !== undefined) await wantBuild(trx);
    return held;
  });
  if (build === undefined) throw new OperatorError('No build is held');
  await recordAct(registry.db, by, { action: 'build release', subject: build });
  return build;
}
