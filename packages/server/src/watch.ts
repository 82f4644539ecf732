import { hiddenIds, revision } from './catalog/index.ts';
import { loadBuild, type PublishedManifest, readPublished, type SharedBuild, setTombstones } from './index/index.ts';
import { registryRevision } from './registry/index.ts';
import type { Service } from './service.ts';
import type { Threads } from './threads.ts';

/** How soon a published build, a hidden GIF or a change of the registry reaches the answers, at the latest. */
const WATCH_MS = 250;

export interface Watch {
  /** The build that is served. */
  readonly build: PublishedManifest;
  stop(): Promise<void>;
}

/**
 * Carries what other processes change into the running service: a newly published build is swapped in, a GIF that
 * was hidden gets its tombstone, and what is known of callers is forgotten when the registry changes. A look costs one
 * small file and two rows.
 */
export function watchForChanges(service: Service, threads: Threads, first: SharedBuild): Watch {
  let shown = first;
  let seen = -1;
  let seenRegistry = -1;
  let stopped = false;
  let timer: NodeJS.Timeout;
  let look = Promise.resolve();

  async function lookForChanges(): Promise<void> {
    const { store } = service;
    const registered = await registryRevision(store.db);
    if (registered !== seenRegistry) threads.forgetCallers();
    seenRegistry = registered;
    const published = await readPublished(store.builds);
    if (published && published.build !== shown.manifest.build) {
      shown = await openBuild(service, published);
      threads.swap(shown);
      threads.bumpGeneration();
      service.log.info({ build: published.build, documents: published.engine.safeDocuments }, 'swapped builds');
    }
    const now = await revision(store.db);
    if (now === seen) return;
    if (setTombstones(shown, await hiddenIds(store.db))) threads.bumpGeneration();
    seen = now;
  }

  function next(): void {
    if (stopped) return;
    timer = setTimeout(() => {
      look = lookForChanges()
        .catch((error) => service.log.error({ err: error }, 'changes could not be taken over; what there was stays'))
        .then(next);
    }, WATCH_MS);
  }

  next();
  return {
    get build() {
      return shown.manifest;
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await look;
    },
  };
}

/** The published build in shared memory, with the tombstones of this moment. */
export async function openBuild({ config, store }: Service, manifest?: PublishedManifest): Promise<SharedBuild> {
  const published = manifest ?? (await requirePublished(store.builds));
  const shared = loadBuild(store.builds, published, config.service.threads);
  setTombstones(shared, await hiddenIds(store.db));
  return shared;
}

async function requirePublished(folder: string) {
  const published = await readPublished(folder);
  if (!published) throw new Error('there is no build');
  return published;
}
