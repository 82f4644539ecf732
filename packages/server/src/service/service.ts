import path from 'node:path';
import { steadyClock, systemClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Config } from '../config.ts';
import { createEmbedder, type Embedder } from '../embed/index.ts';
import { createMedia, type Media, type VideoEncoderName } from '../media/index.ts';
import { type BlobStore, openBlobs } from '../platform/blobs/index.ts';
import { Fetcher } from '../platform/fetch/index.ts';
import { type Lock, takeLock } from '../platform/lock/index.ts';
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
  close(): Promise<void>;
}

/** Opens the data folder and its databases. @throws OperatorError naming the setting that is wrong */
export async function openService(config: Config, log: Log): Promise<Service> {
  const store = await openStore(config.service.data);
  const blobs = openBlobs(config.s3, store.media, config.service.diskReserveBytes);
  const registry = openRegistry(config.registry, store.db, REGISTRY_MIGRATIONS);
  return {
    config,
    log,
    store,
    registry,
    blobs,
    async close() {
      await registry.close();
      await store.db.destroy();
    },
  };
}

/**
 * Opens the embedder; undefined if the operator turned semantic search off. Its process starts now, or with
 * the first text.
 */
export function openEmbedder({ config, log, store }: Service, start: 'now' | 'lazily'): Promise<Embedder | undefined> {
  const room = log.child({ room: 'embed' });
  return createEmbedder({ config: config.embed, models: store.models, log: room, lazy: start === 'lazily' });
}

/**
 * Opens the media room over this data folder; its workers start when they are needed. Without a store it knows only one
 * URL for each linked GIF.
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

/** Only one process writes to a data folder. @throws LockTaken while another one does */
export function takeWriterLock({ folder }: Pick<Store, 'folder'>): Lock {
  return takeLock(path.join(folder, 'writer.lock'), 'zoetrope');
}
