import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { steadyClock, systemClock } from '../base/clock.ts';
import { OperatorError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import {
  areVectorsComplete,
  bumpShown,
  CAPTIONS_MODEL,
  countUnrated,
  hasBlockedPictures,
  isBlocked,
  pageOfQueue,
  recordsOf,
  type ShownPolicy,
  seenPictures,
} from '../catalog/index.ts';
import type { Config } from '../config.ts';
import { createEmbedder, type Embedder } from '../embed/index.ts';
import {
  createCaptionReader,
  createJudge,
  createLooks,
  LOOKS_PLACES,
  pictureHashes,
  type RatingMode,
} from '../enrich/index.ts';
import { isBuildDue, makeBuild, makeBuildInMemory, type PublishedManifest, type SharedBuild } from '../index/index.ts';
import {
  fillSpace,
  hasOpenWork,
  type IngestSummary,
  type OnProgress,
  parseSource,
  requestSources,
  runIngest,
  runPreviews,
  type Source,
  type SpaceFiller,
} from '../ingest/index.ts';
import { createMedia, linkPolicy, type Media, MediaRefusal, type VideoEncoderName } from '../media/index.ts';
import { type BlobStore, FolderBlobs, openBlobs } from '../platform/blobs/index.ts';
import type { Database } from '../platform/db/index.ts';
import { Fetcher } from '../platform/fetch/index.ts';
import { type Lock, LockTaken, takeLock } from '../platform/lock/index.ts';
import { openRegistry, type Registry } from '../registry/index.ts';
import { linkBook } from '../service/link-book.ts';
import { openStore, REGISTRY_MIGRATIONS, type Store } from '../service/store.ts';
import { checkBlobs } from '../upkeep/copy-media.ts';
import { captionFiller, LOOKS_MODEL, looksFiller, looksVectors, meaningFiller, meaningVectors } from './fillers.ts';
import type { Pictures } from './pictures.ts';
import { heldBack, isToBeRated, rateGifs, usableMode } from './rate.ts';

/** One process's hold of the data folder. The commands are written over it. */
export interface Service {
  readonly config: Config;
  readonly log: Log;
  readonly store: Store;
  readonly registry: Registry;
  /** Originals and what is made of them. */
  readonly blobs: BlobStore;
  close(): Promise<void>;
}

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

export interface Task {
  onProgress: OnProgress;
  signal: AbortSignal;
  /** Ends as soon as everything can be found; what can follow later is left for the next process. */
  searchableOnly?: boolean;
  /** Waits for a process that writes already, instead of failing; told once, with who that is. */
  onWait?: (holder: string) => void;
  /** What to take in besides what is open already. */
  sources?: readonly Source[];
}

export interface WorkSummary extends IngestSummary {
  /** The build that shows the result. */
  build: string;
  documents: number;
  /** Own files that networks call adult: nobody sees them until an operator decides. */
  withheld: { id: string; title: string; source: string }[];
}

/** What arguments of `zoetrope add` mean. @throws OperatorError when one of them is nothing we can read */
export function readSources(sources: readonly string[]): Source[] {
  return sources.map(parseSource);
}

/** Writes down sources to take in. */
export async function request(service: Service, sources: readonly Source[]): Promise<void> {
  await requestSources(service.store.db, sources, randomUUID());
}

/** What of the catalogue these settings show. */
function shownPolicy({ enrich, media }: Config): ShownPolicy {
  return { heldBack: heldBack(enrich.rating), links: linkPolicy(media) };
}

/** Whether the published build shows another catalogue than the one that is there, or there is none. */
export function needsBuild({ store, config }: Service): Promise<boolean> {
  return isBuildDue(store.db, store.builds, shownPolicy(config));
}

/** True when an earlier process left work, or changes that no build shows, or vectors are missing. */
export async function isWorkDue(service: Service, embedder: Embedder | undefined): Promise<boolean> {
  const { store, config } = service;
  const { db } = store;
  const { rating, captions } = config.enrich;
  if ((await hasOpenWork(db)) || (await needsBuild(service))) return true;
  if (!(await areVectorsComplete(db, 'looks', LOOKS_MODEL))) return true;
  if (captions === 'on' && !(await areVectorsComplete(db, 'captions', CAPTIONS_MODEL))) return true;
  if (rating !== 'off' && (await countUnrated(db)) > 0) return true;
  return embedder !== undefined && !(await areVectorsComplete(db, 'meaning', embedder.id));
}

/**
 * What turns text into vectors; undefined when the operator wants no search by meaning. Its process starts now, or
 * where it may not be needed, with the first text.
 */
export function openEmbedder({ config, log, store }: Service, start: 'now' | 'lazily'): Promise<Embedder | undefined> {
  const room = log.child({ room: 'embed' });
  return createEmbedder({ config: config.embed, models: store.models, log: room, lazy: start === 'lazily' });
}

/**
 * The media room over this data folder; its workers start when they are needed. Without the store nothing is known of
 * linked GIFs but one address.
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

/** So many GIFs are described in some seconds, which is less than a build of a large catalogue takes. */
const QUICK = 100;

/** What the one writer of the data folder works with. */
interface Workshop extends Pictures {
  mode: RatingMode;
  embedder: Embedder | undefined;
}

/** Does all the open work: takes files in, makes a build, then what makes that better: vectors, ratings, captions, previews. */
export async function work(service: Service, task: Task): Promise<WorkSummary> {
  await using begun = new AsyncDisposableStack();
  const { config, log, store, blobs } = service;
  const lock = await takeTurn(store, task);
  begun.defer(() => lock.release());
  store.reserve.keep();
  // Only now: the process before us would take in a part of it, and our summary would know nothing of that.
  await request(service, task.sources ?? []);
  await checkBlobs(blobs, log);
  await new FolderBlobs(store.media).sweep(systemClock.now());
  const workshop = await openWorkshop(service, begun);
  const options = {
    db: store.db,
    media: workshop.media,
    maxBytes: config.media.maxBytes,
    refusal: (bytes: Uint8Array, sha256: string) => refusalOf(workshop, bytes, sha256),
    log: log.child({ room: 'ingest' }),
    starterFolder: store.starter,
    concurrency: 2 * config.media.workers,
    ...task,
  };
  const hadAll = await haveAllVectors(service, fillersOf(workshop));
  const summary = await runIngest(options);
  // What is taken in is found by words at once, unless its vectors take no time worth speaking of.
  const isQuick = hadAll && !task.searchableOnly && summary.added + summary.linked <= QUICK;
  const show = isQuick ? improveAndShow : showAndImprove;
  let published = await show(service, task, workshop);
  if (!task.searchableOnly) {
    if (await readCaptions(service, task, workshop)) published = await publish(service, task, workshop.embedder);
    await runPreviews(options);
  }
  const withheld = await withheldFiles(store.db);
  return { ...summary, build: published.build, documents: published.engine.safeDocuments, withheld };
}

/** More of them than anybody reads at once are counted on the operator's pages. */
const MOST_WITHHELD = 1_000;

async function withheldFiles(db: Database): Promise<WorkSummary['withheld']> {
  const ids = await pageOfQueue(db, 'withheld', { after: '', limit: MOST_WITHHELD });
  return (await recordsOf(db, ids)).map(({ id, title, toldBy }) => ({ id, title, source: toldBy }));
}

async function improveAndShow(service: Service, task: Task, workshop: Workshop): Promise<PublishedManifest> {
  for (const filler of fillersOf(workshop)) await fill(service, task, filler);
  await rate(service, task, workshop);
  return publish(service, task, workshop.embedder);
}

async function showAndImprove(service: Service, task: Task, workshop: Workshop): Promise<PublishedManifest> {
  let published = await publish(service, task, workshop.embedder);
  if (task.searchableOnly) return published;
  for (const filler of fillersOf(workshop)) {
    if (await fill(service, task, filler)) published = await publish(service, task, workshop.embedder);
  }
  if (await rate(service, task, workshop)) published = await publish(service, task, workshop.embedder);
  return published;
}

async function openWorkshop(service: Service, begun: AsyncDisposableStack): Promise<Workshop> {
  const { config, log, blobs, store } = service;
  const { db } = store;
  const media = openMedia(service);
  begun.defer(() => media.close());
  const looks = createLooks({ log: log.child({ room: 'enrich' }) });
  begun.defer(() => looks.close());
  const embedder = await openEmbedder(service, 'lazily');
  begun.defer(async () => embedder?.close());
  const mode = await usableMode(config.enrich.rating, log.child({ room: 'enrich' }));
  return {
    ...{ db, media, blobs, looks, embedder, mode },
    seen: await seenPictures(db),
    isRated: (gif) => isToBeRated(db, mode, gif),
  };
}

/** Why a file is refused although it is a GIF. Frames are looked at only where pictures are blocked. */
async function refusalOf({ db, media }: Workshop, bytes: Uint8Array, sha256: string): Promise<string | null> {
  const hashes = (await hasBlockedPictures(db)) ? await hashesOf(media, bytes) : [];
  const blocked = await isBlocked(db, sha256, hashes);
  if (blocked === null) return null;
  return blocked === 'file' ? 'the file is on the block list' : 'the picture is like one on the block list';
}

async function hashesOf(media: Media, bytes: Uint8Array): Promise<bigint[]> {
  try {
    return pictureHashes(await media.frames(bytes, LOOKS_PLACES));
  } catch (error) {
    if (error instanceof MediaRefusal) return []; // its own step says why
    throw error;
  }
}

function fillersOf({ embedder, ...pictures }: Workshop): SpaceFiller[] {
  const looks = looksFiller(pictures);
  return embedder === undefined ? [looks] : [meaningFiller(embedder), looks];
}

/** @returns whether answers change */
async function rate({ log }: Service, task: Task, workshop: Workshop): Promise<boolean> {
  const room = log.child({ room: 'enrich' });
  const judge = createJudge({ log: room });
  try {
    return await rateGifs({ ...workshop, ...task, judge, log: room });
  } finally {
    await judge.close();
  }
}

/** Words that were read are words like any other: they have a meaning. @returns whether there are new ones */
async function readCaptions(service: Service, task: Task, workshop: Workshop): Promise<boolean> {
  const { config, log, store } = service;
  if (config.enrich.captions === 'off') return false;
  const reader = createCaptionReader({ log: log.child({ room: 'enrich' }) });
  let found = 0;
  const onCaption = () => {
    found++;
  };
  try {
    await fill(service, task, captionFiller({ ...workshop, reader, onCaption }));
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    log.warn({ err: error }, 'captions cannot be read; everything else goes on');
  } finally {
    await reader.close();
  }
  if (found === 0) return false;
  await bumpShown(store.db, ['meaning']);
  if (workshop.embedder !== undefined) await fill(service, task, meaningFiller(workshop.embedder));
  return true;
}

async function haveAllVectors({ store }: Service, fillers: readonly SpaceFiller[]): Promise<boolean> {
  const complete = fillers.map(({ space, model }) => areVectorsComplete(store.db, space, model));
  return (await Promise.all(complete)).every(Boolean);
}

/**
 * Makes the vectors that are missing. Searches go without them while they cannot be had, so that is no reason to fail.
 * @returns whether there are new ones
 */
async function fill({ log, store }: Service, task: Task, filler: SpaceFiller): Promise<boolean> {
  try {
    return (await fillSpace(filler, { db: store.db, ...task })) > 0;
  } catch (error) {
    if (task.signal.aborted || error instanceof OperatorError) throw error;
    log.warn({ err: error, space: filler.space }, 'vectors could not be made; the next start tries again');
    return false;
  }
}

/** Makes a build of the catalogue as it is, whether one is due or not. */
export async function build(service: Service, task: Task): Promise<PublishedManifest> {
  const lock = takeWriterLock(service.store);
  const embedder = await openEmbedder(service, 'lazily');
  try {
    return await publish(service, task, embedder);
  } finally {
    await embedder?.close();
    lock.release();
  }
}

async function publish(
  { store, config }: Service,
  { onProgress, signal }: Task,
  embedder: Embedder | undefined,
): Promise<PublishedManifest> {
  return makeBuild({
    ...(await buildOptions({ store, config }, embedder)),
    folder: store.builds,
    signal,
    onProgress: (done, total) => onProgress({ phase: 'build', done, total }),
  });
}

async function buildOptions({ store, config }: Pick<Service, 'store' | 'config'>, embedder: Embedder | undefined) {
  const sources = { meaning: embedder && meaningVectors(embedder), looks: await looksVectors(store.db) };
  return { db: store.db, sources, policy: shownPolicy(config) };
}

/** A build of the catalogue as it is, for this process alone: for a disk that has no room for one. */
export async function buildInMemory(service: Service, embedder: Embedder | undefined): Promise<SharedBuild> {
  return makeBuildInMemory(await buildOptions(service, embedder), service.config.service.threads);
}

/** How often is looked whether the process before us has ended. */
const TURN_MS = 250;

/** The writer's lock, at once or when it is our turn. @throws LockTaken when that is not waited for */
async function takeTurn(store: Store, { signal, onWait }: Task): Promise<Lock> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return takeWriterLock(store);
    } catch (error) {
      if (!(error instanceof LockTaken) || onWait === undefined) throw error;
      if (isFirst) onWait(error.holder);
    }
    await setTimeout(TURN_MS, undefined, { signal });
  }
}

/** @throws LockTaken while another process writes */
export function takeWriterLock({ folder }: Pick<Store, 'folder'>): Lock {
  return takeLock(path.join(folder, 'writer.lock'), 'zoetrope');
}
