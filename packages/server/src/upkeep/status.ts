import fs from 'node:fs/promises';
import path from 'node:path';
import { countGifs } from '../catalog/index.ts';
import { listClients } from '../clients/index.ts';
import { countQueues } from '../moderation/index.ts';
import { describeQueue } from '../platform/jobs/index.ts';
import type { Service } from '../service/index.ts';
import { readShown } from '../work/index.ts';

/** What a data folder contains now. All sizes are in bytes. */
export interface Status {
  /** Process that serves the folder, such as "zoetrope serve (process 123)"; null if there is none. */
  servedBy: string | null;
  gifs: {
    /** GIFs that can be found. */
    found: number;
    /** GIFs of the catalogue that are not hidden. A GIF that cannot be found yet is checked or indexed later. */
    catalogue: number;
    /** GIFs that wait for an operator. */
    toReview: number;
  };
  /** The published build; null if there is none. */
  build: string | null;
  jobs: { open: number; oldestSeconds: number | null };
  clients: { approved: number; others: number };
  /** Space that each kind of data takes in the folder. */
  disk: Record<'media' | 'builds' | 'starter' | 'models' | 'others', number>;
  /** Free space on the folder's disk. */
  free: number;
}

/** Returns what the data folder contains now. A service can be running. */
export async function readStatus(service: Service): Promise<Status> {
  const { store, registry } = service;
  await registry.ready();
  const queues = await countQueues(store.db);
  const clients = await listClients(registry.db);
  const approved = clients.filter(({ state }) => state === 'approved').length;
  const shown = await readShown(service);
  const { bavail, bsize } = await fs.statfs(store.folder);
  return {
    servedBy: await fs.readFile(path.join(store.folder, 'serve.lock.holder'), 'utf8').catch(() => null),
    gifs: {
      found: shown?.gifs ?? 0,
      catalogue: await countGifs(store.db),
      toReview: queues.reported + queues.doubtful + queues.withheld,
    },
    build: shown?.build ?? null,
    jobs: await describeQueue(store.db),
    clients: { approved, others: clients.length - approved },
    disk: await sizesOf(store),
    free: bavail * bsize,
  };
}

/** Adds up the sizes of all files. A service can remove files meanwhile. */
async function sizesOf({ folder }: Service['store']): Promise<Status['disk']> {
  const sizes: Status['disk'] = { media: 0, builds: 0, starter: 0, models: 0, others: 0 };
  for await (const file of fs.glob('**', { cwd: folder })) {
    const stat = await fs.lstat(path.join(folder, file)).catch(() => undefined);
    const kind = file.split(path.sep)[0]!;
    if (stat?.isFile()) sizes[Object.hasOwn(sizes, kind) ? (kind as keyof Status['disk']) : 'others'] += stat.size;
  }
  return sizes;
}
