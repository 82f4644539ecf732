import path from 'node:path';
import { steadyClock, systemClock } from '../base/clock.ts';
import { goOn, type Log } from '../base/log.ts';
import { SharedBuilds } from '../builds/index.ts';
import { type Cluster, openCluster, openShadow } from '../cluster/index.ts';
import type { Config } from '../config.ts';
import { createEmbedder, type Embedder } from '../embed/index.ts';
import { createMedia, type Media, type VideoEncoderName } from '../media/index.ts';
import { type BlobStore, openBlobs, S3Blobs } from '../platform/blobs/index.ts';
import { LASTING, quickLimits, secondsAhead } from '../platform/db/index.ts';
import { Fetcher } from '../platform/fetch/index.ts';
import {
  findSharedLocks,
  type Lock,
  LockTaken,
  type OwnLock,
  takeLock,
  takeSharedLock,
} from '../platform/lock/index.ts';
import { keepPresent, type Presence, type Role } from '../platform/nodes/index.ts';
import { openRegistry, type Registry } from '../registry/index.ts';
import { linkBook } from './link-book.ts';
import { REGISTRY_MIGRATIONS } from './migrations.ts';
import { openStore, type Store } from './store.ts';

/** A process's access to the data folder. */
export interface Service {
  readonly config: Config;
  readonly log: Log;
  readonly store: Store;
  readonly registry: Registry;
  /** The store for originals and derivatives. */
  readonly blobs: BlobStore;
  /** Builds that machines share. Undefined if catalogue or media are not shared, or if there is a cluster. */
  readonly sharedBuilds: SharedBuilds | undefined;
  /** The search cluster that has the index; undefined if the index is a build in the folder. */
  readonly cluster: Cluster | undefined;
  /** The search cluster that is only compared with the index in the folder; undefined if there is none. */
  readonly shadow: Cluster | undefined;
  close(): Promise<void>;
}

/**
 * Opens the data folder and its databases. @param patience how long to wait for PostgreSQL @throws OperatorError naming
 * the setting that is wrong
 */
export async function openService(config: Config, log: Log, patience: 'quick' | 'lasting'): Promise<Service> {
  const { databaseUrl, databaseConnections: connections, databaseTimeoutMs } = config.registry;
  const limits = patience === 'quick' ? quickLimits(connections, databaseTimeoutMs) : { ...LASTING, connections };
  const store = await openStore(config.service.data, databaseUrl, limits);
  const blobs = openBlobs(config.s3, store.media, config.service.diskReserveBytes);
  const registry = openRegistry(config.registry, store.db, REGISTRY_MIGRATIONS);
  const cluster = openCluster(config.cluster);
  const shadow = openShadow(config.cluster);
  const isShared = cluster === undefined && databaseUrl !== '' && blobs instanceof S3Blobs;
  return {
    config,
    log,
    store,
    registry,
    blobs,
    cluster,
    shadow,
    sharedBuilds: isShared ? new SharedBuilds(blobs, store.builds) : undefined,
    async close() {
      await cluster?.client.close();
      await shadow?.client.close();
      await registry.close();
      await store.close();
    },
  };
}

/**
 * Opens the embedder, or returns undefined if the operator turned semantic search off. The embedder's process starts
 * now, or when it gets its first text.
 */
export function openEmbedder({ config, log, store }: Service, start: 'now' | 'lazily'): Promise<Embedder | undefined> {
  const room = log.child({ room: 'embed' });
  return createEmbedder({ config: config.embed, models: store.models, log: room, lazy: start === 'lazily' });
}

/**
 * Opens the media room for this data folder. Its workers start when they are needed. Without a store, the media room
 * has only one URL for each linked GIF.
 */
export function openMedia(
  { config, log, blobs, store }: Pick<Service, 'config' | 'log' | 'blobs'> & { store?: Pick<Store, 'db'> },
  videoEncoder: VideoEncoderName | null = null,
): Media {
  return createMedia({
    blobs,
    config: config.media,
    fetcher: new Fetcher(config.fetch),
    ...(store && { links: linkBook(store.db, systemClock) }),
    log: log.child({ room: 'media' }),
    clock: steadyClock,
    videoEncoder,
  });
}

/** Whether several machines share the open work. This needs a catalogue in PostgreSQL, and media in a bucket. */
export function isWorkShared({ config, blobs }: Pick<Service, 'config' | 'blobs'>): boolean {
  return config.registry.databaseUrl !== '' && blobs instanceof S3Blobs;
}

/** Name of this machine if several machines share the catalogue, otherwise empty. */
export function machineOf({ config }: Pick<Service, 'config'>): string {
  return config.registry.databaseUrl === '' ? '' : config.service.machine;
}

/**
 * Adds this process to the list of processes that share the catalogue. Returns undefined if the catalogue is in the
 * folder.
 */
export function joinNodes(
  service: Pick<Service, 'config' | 'store' | 'log'>,
  role: Role,
  served?: () => { build: string; revision: number },
): Presence | undefined {
  const { store, log } = service;
  const machine = machineOf(service);
  if (machine === '') return undefined;
  const presence = keepPresent(store.db, { machine, role, ...(served && { served }) }, (error) => {
    log.warn({ err: error }, 'could not write the heartbeat of this process to PostgreSQL; trying again');
  });
  goOn(warnOfClock(service, presence.joined), log);
  return presence;
}

/** Largest harmless difference between a machine's clock and PostgreSQL's clock, in seconds. */
const CLOCK_S = 30;

/**
 * Describes the difference between this machine's clock and PostgreSQL's clock. Returns undefined if the difference is
 * small. To share work, machines use only PostgreSQL's clock. Sessions, signed requests and invoices depend on the
 * machine's own clock.
 */
export async function describeClock(db: Store['db']): Promise<string | undefined> {
  const seconds = await secondsAhead(db);
  if (Math.abs(seconds) <= CLOCK_S) return undefined;
  const how = seconds > 0 ? 'ahead of' : 'behind';
  return `this machine's clock is ${Math.abs(seconds)} s ${how} PostgreSQL's clock: synchronize both with NTP`;
}

async function warnOfClock({ store, log }: Pick<Service, 'store' | 'log'>, joined: Promise<void>): Promise<void> {
  await joined;
  const difference = await describeClock(store.db);
  if (difference !== undefined) log.warn(difference);
}

/** Kinds of work that only one process at a time can do, with the numbers of their locks. The writer makes builds. */
const EXCLUSIVE = {
  writer: 1,
  relays: 2,
  probe: 3,
  links: 4,
  meaning: 5,
  looks: 6,
  rating: 7,
  captions: 8,
  catalogues: 9,
  publish: 10,
  shadow: 11,
} as const;

/** A kind of work. */
export type Work = keyof typeof EXCLUSIVE;

/**
 * Returns the kinds of work that are being done now, each with its process. The list is empty if the catalogue is in
 * the folder.
 */
export async function findHolders({ db, databaseUrl }: Pick<Store, 'db' | 'databaseUrl'>): Promise<Holding[]> {
  if (databaseUrl === '') return [];
  const works = Object.keys(EXCLUSIVE) as Work[];
  const locks = await findSharedLocks(db);
  return locks.flatMap(({ number, holder }) => {
    const work = works.find((name) => EXCLUSIVE[name] === number);
    return work === undefined ? [] : [{ work, holder }];
  });
}

/** A kind of work and the process that does it. */
export interface Holding {
  work: Work;
  holder: string;
}

/** Takes the lock for one kind of work in this data folder. @throws LockTaken while another process holds it */
export function takeFolderLock({ folder }: Pick<Store, 'folder'>, work: Work, holder = 'zoetrope'): OwnLock {
  return takeLock(path.join(folder, `${work}.lock`), holder);
}

/**
 * Takes the lock of the process that will be the next to write to this data folder. Work for which nobody waits gives
 * way to that process.
 * @throws LockTaken while another process has this lock
 */
export function takeNextPlace({ folder }: Pick<Store, 'folder'>): OwnLock {
  return takeLock(path.join(folder, 'writer-next.lock'), 'zoetrope');
}

interface Holder {
  holder?: string;
  onLost?: () => void;
}

/** Takes the lock for one kind of work in PostgreSQL. @throws LockTaken while another process holds it */
export function takeCatalogueLock(
  { databaseUrl }: Pick<Store, 'databaseUrl'>,
  work: Work,
  { holder = 'zoetrope', onLost = endProcess }: Holder = {},
): Promise<Lock> {
  return takeSharedLock(databaseUrl, EXCLUSIVE[work], holder, onLost);
}

/**
 * Takes the lock for one kind of work. Of all processes that share a data folder or a PostgreSQL database, only one can
 * have the lock.
 * @throws LockTaken while another process does this work
 */
export async function takeWorkLock(
  store: Pick<Store, 'folder' | 'databaseUrl'>,
  work: Work,
  holder: Holder = {},
): Promise<Lock> {
  const own = takeFolderLock(store, work, holder.holder);
  if (store.databaseUrl === '') return own;
  try {
    const shared = await takeCatalogueLock(store, work, holder);
    return {
      async release() {
        await shared.release();
        own.release();
      },
    };
  } catch (error) {
    own.release();
    throw error;
  }
}

/**
 * Ends this process after it has lost its lock, because another process can begin the same work now. That process
 * repeats the unfinished work.
 */
function endProcess(): never {
  console.error('The connection to PostgreSQL was lost, and with it the right to continue. Run the command again');
  process.exit(1);
}

/** Whether no process does this work. */
export async function isWorkFree(store: Pick<Store, 'folder' | 'databaseUrl'>, work: Work): Promise<boolean> {
  try {
    const lock = await takeWorkLock(store, work, { onLost: () => {} });
    await lock.release();
    return true;
  } catch (error) {
    if (error instanceof LockTaken) return false;
    throw error;
  }
}
