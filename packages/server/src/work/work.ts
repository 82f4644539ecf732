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

/** Steps after ingest, in order; each improves the results. */
const STEPS: readonly Step[] = [embed, describe, rate];
/** Steps that take long and can wait. */
const LATER_STEPS: readonly Step[] = [readCaptions, makePreviews];

/** This many new GIFs take seconds in `STEPS`; a build of a large catalogue takes longer. */
const QUICK = 100;

export interface WorkSummary extends IngestSummary {
  /** The build that includes the result. */
  build: string;
  documents: number;
  /** Own files rated adult by the models, hidden until an operator decides. */
  withheld: { id: string; title: string; source: string }[];
}

/** Does all the open work: ingests, makes a build, and then improves it step by step. */
export async function work(service: Service, task: Task): Promise<WorkSummary> {
  await using begun = new AsyncDisposableStack();
  const { store } = service;
  const lock = await takeTurn(service, task);
  begun.defer(() => lock.release());
  store.reserve.keep();
  // After the lock, because another writer could ingest a part of the sources, which this summary would then lack.
  await request(service, task.sources ?? []);
  const shop = await openWorkshop(service, task, begun);
  const wasComplete = (await isEmbedded(shop)) && (await isDescribed(shop));
  const summary = await ingest(shop);
  const isQuick = wasComplete && !task.searchableOnly && summary.added + summary.linked <= QUICK;
  // A few new GIFs are published with their vectors; many are published by words first.
  let published = isQuick ? undefined : await publish(shop);
  if (!task.searchableOnly) published = await improve(shop, published);
  published ??= await publish(shop);
  const withheld = await withheldFiles(store.db);
  return { ...summary, build: published.build, documents: published.gifs, withheld };
}

/** @param published the build with the ingested GIFs; undefined if it is made after `STEPS` */
async function improve(shop: Workshop, published: PublishedManifest | undefined): Promise<PublishedManifest> {
  let shown = published;
  for (const step of STEPS) if ((await step(shop)) && shown !== undefined) shown = await publish(shop);
  shown ??= await publish(shop);
  for (const step of LATER_STEPS) if (await step(shop)) shown = await publish(shop);
  return (await makeBase(shop)) ?? shown;
}

/** Parses the arguments of `zoetrope add`. @throws OperatorError naming an argument that is not a source */
export function readSources(sources: readonly string[]): Source[] {
  return sources.map(parseSource);
}

/** Saves sources to ingest. */
export async function request(service: Service, sources: readonly Source[]): Promise<void> {
  await requestSources(service.store.db, sources, randomUUID());
}

/** Whether an earlier process left work, or changes that no build shows, or vectors are missing. */
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

/** Limit of listed files; operators find the rest in the dashboard. */
const MOST_WITHHELD = 1_000;

async function withheldFiles(db: Database): Promise<WorkSummary['withheld']> {
  const ids = await pageOfQueue(db, 'withheld', { after: '', limit: MOST_WITHHELD });
  return (await recordsOf(db, ids)).map(({ id, title, toldBy }) => ({ id, title, source: toldBy }));
}

/** How often to try to take the lock while another process holds it. */
const TURN_MS = 250;

/** The writer's lock, immediately or after waiting. @throws LockTaken if the task does not wait */
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
