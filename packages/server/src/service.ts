import path from 'node:path';
import { areVectorsComplete, setHidden } from './catalog/index.ts';
import { systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { createEmbedder, type Embedder } from './embed/index.ts';
import { OperatorError } from './errors.ts';
import { isBuildDue, makeBuild, type PublishedManifest } from './index/index.ts';
import {
  fillSpace,
  hasOpenWork,
  type IngestSummary,
  type OnProgress,
  parseSource,
  requestSources,
  runIngest,
  runPreviews,
} from './ingest/index.ts';
import type { Log } from './log.ts';
import { createMedia, type Media } from './media/index.ts';
import { FolderBlobs } from './platform/blobs/index.ts';
import { Fetcher } from './platform/fetch/index.ts';
import { type Lock, takeLock } from './platform/lock/index.ts';
import { meaningFiller, meaningVectors } from './spaces.ts';
import { openStore, type Store } from './store.ts';

/** One process's hold of the data folder. The commands are written over it. */
export interface Service {
  readonly config: Config;
  readonly log: Log;
  readonly store: Store;
  close(): Promise<void>;
}

export async function openService(config: Config, log: Log): Promise<Service> {
  const store = await openStore(config.service.data);
  return { config, log, store, close: () => store.db.destroy() };
}

export interface Task {
  onProgress: OnProgress;
  signal: AbortSignal;
  /** Ends as soon as everything can be found; what can follow later is left for the next process. */
  searchableOnly?: boolean;
}

export interface WorkSummary extends IngestSummary {
  /** The build that shows the result. */
  build: string;
  documents: number;
}

/** Writes down sources to take in. @throws OperatorError when one of them is nothing we can read */
export async function request(service: Service, sources: readonly string[], run: string): Promise<void> {
  await requestSources(service.store.db, sources.map(parseSource), run);
}

/** True when an earlier process left work, or changes that no build shows, or vectors of this embedder are missing. */
export async function isWorkDue({ store }: Service, embedder: Embedder | undefined): Promise<boolean> {
  const { db, builds } = store;
  if ((await hasOpenWork(db)) || (await isBuildDue(db, builds))) return true;
  return embedder !== undefined && !(await areVectorsComplete(db, 'meaning', embedder.id));
}

/** Starts what turns text into vectors; undefined when the operator wants no search by meaning. */
export function openEmbedder({ config, log, store }: Service): Promise<Embedder | undefined> {
  return createEmbedder({ config: config.embed, models: store.models, log: log.child({ room: 'embed' }) });
}

/** The media room over this data folder; its workers start when they are needed. */
export function openMedia({ config, log, store }: Service): Media {
  return createMedia({
    blobs: new FolderBlobs(store.media),
    config: config.media,
    fetcher: new Fetcher(config.fetch),
    log: log.child({ room: 'media' }),
    clock: systemClock,
  });
}

/** Does all the open work as the one writer of the data folder: takes files in, then makes a build. */
export async function work(service: Service, task: Task): Promise<WorkSummary> {
  const { config, log, store } = service;
  const lock = takeWriterLock(store);
  await new FolderBlobs(store.media).sweep(systemClock.now());
  const media = openMedia(service);
  const embedder = await openEmbedder(service);
  try {
    const options = {
      db: store.db,
      media,
      log: log.child({ room: 'ingest' }),
      starterFolder: store.starter,
      concurrency: 2 * config.media.workers,
      ...task,
    };
    const summary = await runIngest(options);
    let published = await publish(service, task, embedder);
    if (!task.searchableOnly) {
      if (await fillSpaces(service, task, embedder)) published = await publish(service, task, embedder);
      await runPreviews(options);
    }
    return { ...summary, build: published.build, documents: published.engine.safeDocuments };
  } finally {
    await embedder?.close();
    await media.close();
    lock.release();
  }
}

/**
 * Makes the vectors that are missing. The search goes without them while they cannot be had, so that is no reason to
 * fail. @returns whether there are new ones
 */
async function fillSpaces({ log, store }: Service, task: Task, embedder: Embedder | undefined): Promise<boolean> {
  if (embedder === undefined) return false;
  try {
    return (await fillSpace(meaningFiller(embedder), { db: store.db, ...task })) > 0;
  } catch (error) {
    if (task.signal.aborted || error instanceof OperatorError) throw error;
    log.warn({ err: error }, 'GIFs could not be read for their meaning; they are found by words until the next try');
    return false;
  }
}

/** Makes a build of the catalogue as it is, whether one is due or not. */
export async function build(service: Service, task: Task): Promise<PublishedManifest> {
  const lock = takeWriterLock(service.store);
  const embedder = await openEmbedder(service);
  try {
    return await publish(service, task, embedder);
  } finally {
    await embedder?.close();
    lock.release();
  }
}

function publish(
  { store }: Service,
  { onProgress, signal }: Task,
  embedder: Embedder | undefined,
): Promise<PublishedManifest> {
  return makeBuild({
    db: store.db,
    folder: store.builds,
    sources: embedder === undefined ? {} : { meaning: meaningVectors(embedder) },
    signal,
    onProgress: (done, total) => onProgress({ phase: 'build', done, total }),
  });
}

/** Hides a GIF from every answer, or shows it again. @throws OperatorError when the id is unknown */
export async function hide({ store }: Service, id: string, hidden: boolean): Promise<void> {
  if (!(await setHidden(store.db, id, hidden))) throw new OperatorError(`${id}: the catalogue has no GIF of this id`);
}

function takeWriterLock({ folder }: Store): Lock {
  return takeLock(path.join(folder, 'writer.lock'), 'zoetrope');
}
