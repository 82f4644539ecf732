import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { areVectorsComplete, CAPTIONS_MODEL, countUnrated, pageOfQueue, recordsOf } from '../catalog/index.ts';
import type { Embedder } from '../embed/index.ts';
import type { PublishedManifest } from '../index/index.ts';
import { hasOpenWork, type IngestSummary, parseSource, requestSources, type Source } from '../ingest/index.ts';
import type { Database } from '../platform/db/index.ts';
import { type Lock, LockTaken } from '../platform/lock/index.ts';
import { type Service, takeWorkLock } from '../service/index.ts';
import { makeBase, needsBuild, publish } from './build.ts';
import { describe, isDescribed, LOOKS_MODEL } from './describe.ts';
import { embed, isEmbedded } from './embed.ts';
import { ingest, makePreviews } from './ingest.ts';
import { rate } from './rate.ts';
import { readCaptions } from './read-captions.ts';
import { openWorkshop, type Step, type Task, type Workshop } from './workshop.ts';

/** Steps after ingest, in order. Each step improves the search results. */
const STEPS: readonly Step[] = [embed, describe, rate];
/** Steps that take long and can wait. */
const LATER_STEPS: readonly Step[] = [readCaptions, makePreviews];

/**
 * Maximum number of new GIFs that count as few. They take seconds in `STEPS`. A build of a large catalogue takes
 * longer.
 */
const QUICK = 100;

export interface WorkSummary extends IngestSummary {
  /** Name of the build that includes the result. */
  build: string;
  documents: number;
  /** Own files that the models rated adult. They are hidden until an operator decides. */
  withheld: { id: string; title: string; source: string }[];
}

/** Does all the open work. Ingests, makes a build, and then improves the build step by step. */
export async function work(service: Service, task: Task): Promise<WorkSummary> {
  await using begun = new AsyncDisposableStack();
  const { store } = service;
  const lock = await takeTurn(service, task);
  begun.defer(() => lock.release());
  store.reserve.keep();
  // The sources are saved after the lock was taken, because another writer could otherwise ingest a part of the
  // sources, which this summary would then lack.
  await request(service, task.sources ?? []);
  const shop = await openWorkshop(service, task, begun);
  const wasComplete = (await isEmbedded(shop)) && (await isDescribed(shop));
  const summary = await ingest(shop);
  const isQuick = wasComplete && !task.searchableOnly && summary.added + summary.linked <= QUICK;
  // A few new GIFs are published together with their vectors. Many new GIFs are published first without vectors.
  let published = isQuick ? undefined : await publish(shop);
  if (!task.searchableOnly) published = await improve(shop, published);
  published ??= await publish(shop);
  const withheld = await withheldFiles(store.db);
  return { ...summary, build: published.build, documents: published.gifs, withheld };
}

/**
 * Runs the steps after ingest.
 * @param published the build with the ingested GIFs, or undefined if that build is made after `STEPS`
 */
async function improve(shop: Workshop, published: PublishedManifest | undefined): Promise<PublishedManifest> {
  let shown = published;
  for (const step of STEPS) if ((await step(shop)) && shown !== undefined) shown = await publish(shop);
  shown ??= await publish(shop);
  for (const step of LATER_STEPS) if (await step(shop)) shown = await publish(shop);
  return (await makeBase(shop)) ?? shown;
}

/** Parses the arguments of `zoetrope add`. @throws OperatorError that names an argument that is not a source */
export function readSources(sources: readonly string[]): Source[] {
  return sources.map(parseSource);
}

/** Saves sources to ingest. */
export async function request(service: Service, sources: readonly Source[]): Promise<void> {
  await requestSources(service.store.db, sources, randomUUID());
}

/**
 * Returns whether there is work. There is work if an earlier process left work, if no build shows some changes, or if
 * vectors are missing.
 */
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

/** Maximum number of listed files. Operators find the other files in the dashboard. */
const MOST_WITHHELD = 1_000;

async function withheldFiles(db: Database): Promise<WorkSummary['withheld']> {
  const ids = await pageOfQueue(db, 'withheld', { after: '', limit: MOST_WITHHELD });
  return (await recordsOf(db, ids)).map(({ id, title, toldBy }) => ({ id, title, source: toldBy }));
}

/** Time between two attempts to take the lock while another process holds it. */
const TURN_MS = 250;

/** Returns the writer's lock, immediately or after waiting. @throws LockTaken if the task does not wait */
async function takeTurn({ store }: Service, { signal, onWait }: Task): Promise<Lock> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await takeWorkLock(store, 'writer');
    } catch (error) {
      if (!(error instanceof LockTaken) || onWait === undefined) throw error;
      if (isFirst) onWait(error.holder);
    }
    await wait(TURN_MS, undefined, { signal });
  }
}
