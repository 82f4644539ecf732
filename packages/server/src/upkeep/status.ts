import fs from 'node:fs/promises';
import path from 'node:path';
import { countGifs } from '../catalog/index.ts';
import { countClients } from '../clients/index.ts';
import { countQueues } from '../moderation/index.ts';
import { describeQueue } from '../platform/jobs/index.ts';
import type { Service } from '../service/index.ts';
import { readShown } from '../work/index.ts';
import { type BuildsReport, readHeld } from './builds.ts';

/** The current content of a data folder. All sizes are in bytes. */
export interface Status {
  /** The process that serves the folder, such as "zoetrope serve (process 123)"; null if there is none. */
  servedBy: string | null;
  gifs: {
    /** Number of GIFs that can be found. */
    found: number;
    /**
     * Number of GIFs of the catalogue that are not hidden. Some of them cannot be found yet, because they are checked
     * or indexed later.
     */
    catalogue: number;
    /** Number of GIFs that wait for an operator. */
    toReview: number;
  };
  /** The published build; null if there is none. */
  build: string | null;
  /** The build that is held, and since when; null if there is none. */
  held: BuildsReport['held'];
  jobs: { open: number; oldestSeconds: number | null };
  clients: { approved: number; others: number };
  /** Space that each kind of data takes in the folder. */
  disk: Record<'media' | 'builds' | 'starter' | 'models' | 'others', number>;
  /** Free space on the folder's disk. */
  free: number;
}

/** Returns the current content of the data folder. A service can be running. */
export async function readStatus(service: Service): Promise<Status> {
  return { ...(await readNumbers(service, () => countGifs(service.store.db))), disk: await sizesOf(service) };
}

/**
 * Returns the current content of the data folder without the sizes of its files, which take long to add up.
 * @param countAll returns the number of GIFs that are not hidden. It can be a minute old
 */
export async function readNumbers(service: Service, countAll: () => Promise<number>): Promise<Omit<Status, 'disk'>> {
  const { store, registry } = service;
  await registry.ready();
  const queues = await countQueues(store.db);
  const shown = await readShown(service);
  const { bavail, bsize } = await fs.statfs(store.folder);
  return {
    servedBy: await fs.readFile(path.join(store.folder, 'serve.lock.holder'), 'utf8').catch(() => null),
    gifs: {
      found: shown?.gifs ?? 0,
      catalogue: await countAll(),
      toReview: queues.reported + queues.doubtful + queues.withheld + queues.uploaded,
    },
    build: shown?.build ?? null,
    held: await readHeld(store.db),
    jobs: await describeQueue(store.db),
    clients: await countClients(registry.db),
    free: bavail * bsize,
  };
}

/** Adds up the sizes of all files of a data folder. A service can remove files at the same time. */
async function sizesOf({ store: { folder } }: Pick<Service, 'store'>): Promise<Status['disk']> {
  const sizes: Status['disk'] = { media: 0, builds: 0, starter: 0, models: 0, others: 0 };
  for await (const file of fs.glob('**', { cwd: folder })) {
    const stat = await fs.lstat(path.join(folder, file)).catch(() => undefined);
    const kind = file.split(path.sep)[0]!;
    if (stat?.isFile()) sizes[Object.hasOwn(sizes, kind) ? (kind as keyof Status['disk']) : 'others'] += stat.size;
  }
  return sizes;
}
