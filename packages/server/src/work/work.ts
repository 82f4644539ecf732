import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { OperatorError } from '../base/errors.ts';
import { keepDoing } from '../base/repeat.ts';
import type { Embedder } from '../embed/index.ts';
import {
  type FetchedSources,
  fetchSources,
  hasOpenFiles,
  hasOpenSources,
  hasOpenWork,
  hasUnfinishedJobs,
  type IngestSummary,
  parseSource,
  requestSources,
  type Source,
} from '../ingest/index.ts';
import { countUnrated, pageOfQueue, recordsOf, wantBuild } from '../moderation/index.ts';
import { type Database, inTransaction } from '../platform/db/index.ts';
import { Fetcher } from '../platform/fetch/index.ts';
import { ifFree, LockTaken } from '../platform/lock/index.ts';
import { bumpRevision } from '../records/index.ts';
import {
  isWorkShared,
  machineOf,
  type Service,
  takeCatalogueLock,
  takeFolderLock,
  takeNextPlace,
  takeWorkLock,
} from '../service/index.ts';
import { areVectorsComplete, CAPTIONS_MODEL } from '../vectors/index.ts';
import { makeBase, needsBuild, type Published, publish } from './build.ts';
import { describe, isDescribed, LOOKS_MODEL } from './describe.ts';
import { embed, isEmbedded } from './embed.ts';
import { ingest, makePreviews } from './ingest.ts';
import { rate } from './rate.ts';
import { readCaptions } from './read-captions.ts';
import { takeTurn } from './turn.ts';
import { openWorkshop, type Step, type Task, type Workshop } from './workshop.ts';

/** Steps after ingest, in order. Each step improves the search results. */
const STEPS: readonly Step[] = [
  { name: 'meaning', run: embed },
  { name: 'looks', run: describe },
  { name: 'rating', run: rate },
];
/** This step takes long, so it runs after `STEPS`. */
const CAPTIONS: Step = { name: 'captions', run: readCaptions };

/**
 * Up to this number, new GIFs count as few. `STEPS` takes only seconds for them, which is less than the build of a
 * large catalogue.
 */
const QUICK = 100;

/** Exit code of a command whose work was interrupted for another process. */
export const GAVE_WAY = 75;

/** The work was interrupted for another process of the data folder. Nothing is lost. */
export class GaveWay extends OperatorError {}

export interface WorkSummary extends IngestSummary {
  /** Name of the build that includes the result. */
  build: string;
  documents: number;
  /** Files of the operator that the models rated adult. They are hidden until an operator decides. */
  withheld: { id: string; title: string; source: string }[];
}

/**
 * Does all the open work. Ingests, makes a build, and then improves the build step by step.
 * @throws GaveWay if the task gives way to another process
 */
export async function work(service: Service, task: Task): Promise<WorkSummary> {
  if (!task.givesWay) return workToEnd(service, task);
  const waiting = new AbortController();
  const watch = keepDoing(
    GIVE_WAY_MS,
    () => lookForOthers(service, waiting),
    () => {},
  );
  const signal = AbortSignal.any([task.signal, waiting.signal]);
  try {
    return await workToEnd(service, { ...task, signal });
  } catch (error) {
    const isAsked = waiting.signal.aborted && !task.signal.aborted;
    if (!isAsked && !(error instanceof LockTaken)) throw error;
    throw new GaveWay('Another command writes, so this one stopped. A running service continues the work later');
  } finally {
    await watch.stop();
  }
}

/** Time between two checks whether another process waits. */
const GIVE_WAY_MS = 500;

async function lookForOthers({ store }: Service, waiting: AbortController): Promise<void> {
  const place = await ifFree(async () => takeNextPlace(store));
  if (place === undefined) waiting.abort();
  else await place.release();
}

async function workToEnd(service: Service, task: Task): Promise<WorkSummary> {
  await using resources = new AsyncDisposableStack();
  const { store } = service;
  const take = () => (isWorkShared(service) ? takeFolderLock(store, 'writer') : takeWorkLock(store, 'writer'));
  const lock = await takeTurn(service, task, take);
  resources.defer(() => lock.release());
  // The sources are saved after the lock was taken. Otherwise, another writer could ingest some of the sources, and
  // they would be missing from this summary.
  const run = await request(service, task.sources ?? [], task.command);
  const shop = await openWorkshop(service, task, resources);
  const { summary, ...first } = await workOnce(shop, task, run);
  let { published } = first;
  // Sources that arrived during the later steps are in no build, and nothing else would look for them.
  while (!isWorkShared(service) && (await hasOpenFiles(store.db, machineOf(service)))) {
    ({ published } = await workOnce(shop, task, run));
  }
  const withheld = await withheldFiles(store.db);
  return { ...summary, build: published.build, documents: published.gifs, withheld };
}

/** Ingests everything that is open, and makes the build that shows it. */
async function workOnce(
  shop: Workshop,
  task: Task,
  run: string,
): Promise<{ summary: IngestSummary; published: Published }> {
  const wasComplete = (await isEmbedded(shop)) && (await isDescribed(shop));
  const summary = await ingest(shop, run);
  const isQuick = wasComplete && !task.searchableOnly && summary.added + summary.linked <= QUICK;
  // A few new GIFs are published together with their vectors. Many new GIFs are published first without vectors.
  let published = isQuick ? undefined : await publish(shop);
  if (!task.searchableOnly) published = await improve(shop, published);
  published ??= await publish(shop);
  return { summary, published };
}

/**
 * Runs the steps after ingest.
 * @param published the build with the ingested GIFs, or undefined if that build is made after `STEPS`
 */
async function improve(shop: Workshop, published: Published | undefined): Promise<Published> {
  let shown = published;
  for (const step of STEPS) if ((await runAlone(shop, step)) && shown !== undefined) shown = await publish(shop);
  shown ??= await publish(shop);
  if (await runAlone(shop, CAPTIONS)) shown = await publish(shop);
  await makePreviews(shop);
  return (await makeBase(shop)) ?? shown;
}

/**
 * Runs a step, unless another machine is running it. That machine may have started before the latest changes. If so,
 * the room `serve` finds the remaining work later.
 * @returns whether the step changed anything that responses show
 */
async function runAlone(shop: Workshop, { name, run }: Step): Promise<boolean> {
  if (!isWorkShared(shop.service)) return run(shop);
  const lock = await ifFree(() => takeCatalogueLock(shop.service.store, name));
  if (lock === undefined) return false;
  try {
    return await run(shop);
  } finally {
    await lock.release();
  }
}

/** Parses the arguments of `zoetrope add`. @throws OperatorError that names an argument that is not a source */
export function readSources(sources: readonly string[]): Source[] {
  return sources.map(parseSource);
}

interface FetchTask {
  isLinked: boolean;
  signal: AbortSignal;
  /** Folder for the files. */
  folder?: string;
}

/** Downloads the files of URLs into the data folder, or lists the URLs as linked GIFs. @throws OperatorError naming a URL */
export async function fetchUrls(
  { config, store }: Service,
  urls: readonly string[],
  { isLinked, signal, folder = path.join(store.folder, 'downloads') }: FetchTask,
): Promise<FetchedSources> {
  const fetcher = new Fetcher(config.fetch);
  const { maxBytes } = config.media;
  return fetchSources(urls, { folder, isLinked, maxBytes, fetcher, signal }).finally(() => fetcher.close());
}

/**
 * Saves sources to ingest.
 * @param command see `Task`
 * @param run name of the request
 * @returns the name of the request
 */
export async function request(
  service: Service,
  sources: readonly Source[],
  command?: readonly string[],
  run: string = randomUUID(),
): Promise<string> {
  await requestSources(service.store.db, sources, { run, machine: machineOf(service), ...(command && { command }) });
  return run;
}

/** Saves sources to ingest, and lets the running service start the work within seconds. The parameters are those of `request`. */
export async function requestSoon(
  service: Service,
  sources: readonly Source[],
  command: readonly string[],
  run: string,
): Promise<void> {
  await request(service, sources, command, run);
  await askForWork(service);
}

/** Lets the running service do the open work within seconds. */
export async function askForWork(service: Pick<Service, 'store'>): Promise<void> {
  // Services look for wanted builds, and do all open work before a build.
  await inTransaction(service.store.db, async (trx) => {
    await bumpRevision(trx);
    await wantBuild(trx);
  });
}

/** Returns whether any machine has unfinished jobs. */
export function hasAnyWork({ store }: Service): Promise<boolean> {
  return hasUnfinishedJobs(store.db);
}

/** Returns whether there are open jobs that this machine can do and that no live process has claimed. */
export function hasJobs(service: Service): Promise<boolean> {
  return hasOpenWork(service.store.db, machineOf(service));
}

/** Returns whether GIFs are still to be added. */
export function isAdding(service: Service): Promise<boolean> {
  return hasOpenSources(service.store.db, machineOf(service));
}

/**
 * Returns whether there is work. There is work if an earlier process left some, if some changes are not in a build yet,
 * or if vectors are missing.
 */
export async function isWorkDue(service: Service, embedder: Embedder | undefined): Promise<boolean> {
  const { store, config } = service;
  const { db } = store;
  const { rating, captions } = config.enrich;
  if ((await hasJobs(service)) || (await needsBuild(service))) return true;
  if (!(await areVectorsComplete(db, 'looks', LOOKS_MODEL))) return true;
  if (captions === 'on' && !(await areVectorsComplete(db, 'captions', CAPTIONS_MODEL))) return true;
  if (rating !== 'off' && (await countUnrated(db)) > 0) return true;
  return embedder !== undefined && !(await areVectorsComplete(db, 'meaning', embedder.id));
}

/** Maximum number of listed files. Operators find the other files in the dashboard. */
const MOST_WITHHELD = 1_000;

async function withheldFiles(db: Database): Promise<WorkSummary['withheld']> {
  const ids = await pageOfQueue(db, 'withheld', { after: '', limit: MOST_WITHHELD });
  return (await recordsOf(db, ids)).map(({ id, title, toldBy }) => ({ id, title, source: toldBy }));
}
