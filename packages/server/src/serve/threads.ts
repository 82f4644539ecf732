import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Console, readAdmins, readMembers } from '../account/index.ts';
import { createLookUp, KnownCallers, type LookUp } from '../admission/index.ts';
import { steadyClock, systemClock, within } from '../base/clock.ts';
import { ServiceError } from '../base/errors.ts';
import { goOn, type Log } from '../base/log.ts';
import { Metrics, memoryForMetrics } from '../base/metrics.ts';
import { gifsOfEvents, relayFactsOf } from '../claims/index.ts';
import type { SharedCluster } from '../cluster/index.ts';
import { type Embedder, readMeaningTable } from '../embed/index.ts';
import type { EmbedderReport, NewReport } from '../http/index.ts';
import { noteKeyUse } from '../identifiers/index.ts';
import type { Withheld } from '../index/index.ts';
import { SharedLimiter } from '../limits/index.ts';
import type { Media } from '../media/index.ts';
import { recordReport } from '../moderation/index.ts';
import type { Payments } from '../payments/index.ts';
import { type Database, withReserve } from '../platform/db/index.ts';
import { replaceDurably } from '../platform/files/index.ts';
import type { Service } from '../service/index.ts';
import { noteSeenPicture } from '../vectors/index.ts';
import { answerConsole } from './console/calls.ts';
import type { Answer, FromThread, Question, SharedIndex, ThreadData, ToThread, Words } from './messages.ts';
import { answerPayments } from './payments-calls.ts';
import { listenMistake, type ServiceSettings } from './ports.ts';
import type { SearchWatch } from './search-state.ts';
import { startPool } from './thread-pool.ts';
import { openUsageWriter, type UsageWriter } from './usage-writer.ts';

/** The serving threads, which share one port and one index. */
export interface Threads {
  url: string;
  /** Uses another index for later requests. Running requests continue with the index with which they started. */
  swap(index: SharedIndex): void;
  /** Tells the threads which GIFs must be withheld. `changed` contains the ids of the GIFs whose state has changed. */
  withhold(withheld: Withheld, changed: readonly string[]): void;
  /** Replaces the operator's words of a kind. */
  useWords(changed: Partial<Words>): void;
  /** Compares later searches with this index in a cluster. */
  useShadow(shadow: SharedCluster): void;
  /**
   * Clears the threads' caches of registered callers.
   * @param revision the registry's new revision; null if changes may have been missed
   */
  forgetCallers(revision: number | null): void;
  /** Makes all cached responses stale. */
  bumpGeneration(): void;
  /** Counters of all threads. */
  metrics: Metrics;
  /** Rejects if threads die too often. The process should then end, so that its supervisor can restart it. */
  failed: Promise<never>;
  stop(): Promise<void>;
}

/** An index with the data about withheld GIFs. */
export interface OpenIndex {
  index: SharedIndex;
  /** Ids of the GIFs that were hidden when the index was opened. The index does not need to contain them. */
  hidden: ReadonlySet<string>;
  withheld: Withheld;
}

/** The data shared by all threads. */
export interface Shared {
  media: Media;
  /** Undefined if semantic search is turned off. */
  embedder: Embedder | undefined;
  /** Whether MP4s can be made. */
  hasVideo: boolean;
  /** Whether GIFs are rated. */
  rating: ThreadData['rating'];
  /** The addresses on which the threads listen (see `claimPorts`). */
  addresses: ServiceSettings;
  /** Receives the registration fee. */
  payments: Payments;
  search: Pick<SearchWatch, 'state'>;
  /** Answers operators' questions about the service. */
  console: Console;
  /** Whether GIFs are still being added. */
  isGrowing(): Promise<boolean>;
}

/** The data needed to answer requests from threads. */
type ThreadServices = Shared & {
  /** Maximum time that a request waits for a preview that is being made, in milliseconds. */
  previewMs: number;
  lookUp: LookUp;
  db: Database;
  log: Log;
  metrics: Metrics;
  usage: UsageWriter;
  /** Whether the threads have the dictionary of all languages. Its file can exist a moment earlier. */
  hasLanguages(): boolean;
  warnForwarded(): void;
};

/**
 * Maximum memory for short-lived objects per thread, in megabytes. Without this limit, two busy threads accumulate 120
 * MB (`npm run bench catalogue`). This is a lot for a small machine, and has no advantage.
 */
const YOUNG_MB = 12;

/** If a preview is still being made, callers should request it again after this number of seconds. */
const BUSY_RETRY_S = 5;

/** Whether the kernel lets several listeners share a port. */
const CAN_SHARE_PORT = process.platform === 'linux';

export async function startThreads(
  service: Service,
  shared: Shared,
  { index, withheld }: OpenIndex,
  { languages, synonyms, packs }: Words,
): Promise<Threads> {
  const config = { ...service.config, service: shared.addresses };
  const { port, publicUrl: url } = config.service;
  const count = CAN_SHARE_PORT ? config.service.threads : 1;
  const gen = new SharedArrayBuffer(4);
  Atomics.store(new Int32Array(gen), 0, 1);
  const [admins, members] = [await readAdmins(config.account), await readMembers(config.account)];
  const callers = await openCallers(service);
  // The main thread also has counters, so there is memory for one more thread.
  const metrics = new Metrics(memoryForMetrics(count + 1), count);
  const usage = openUsageWriter(service);
  const hasLanguages = () => now.words.languages !== undefined;
  const services = { ...shared, ...servicesOf(service), lookUp: callers.lookUp, metrics, usage, hasLanguages };
  const [queryTable, epoch] = [shared.embedder?.table, steadyClock.now()];
  const limits = { memory: new SharedLimiter(steadyClock, epoch).memory, epoch };
  // The current state. All new threads start with it, including those that replace dead threads.
  const now: NonNullable<ThreadData['first']> = {
    ...{ index, withheld, shadow: undefined },
    words: { languages, synonyms, packs },
  };
  const start = (n: number) => {
    const workerData: ThreadData = {
      ...{ config, first: now, gen, port },
      metrics: metrics.memory,
      limits,
      thread: n,
      mediaFolder: service.store.media,
      hasVideo: shared.hasVideo,
      rating: shared.rating,
      embedder: shared.embedder?.id,
      queryTable: queryTable && { ...queryTable, bytes: readMeaningTable(queryTable.name) },
      ...{ admins, members },
      fee: shared.payments.fee(),
      reusePort: count > 1,
    };
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MB };
    const worker = new Worker(new URL('./thread/thread.ts', import.meta.url), { workerData, resourceLimits });
    worker.on('message', (message: FromThread) => goOn(answer(worker, services, message), service.log));
    return worker;
  };
  const pool = await startPool({ count, start, log: service.log }).catch((cause) => {
    throw listenMistake(cause, config.service) ?? cause;
  });
  return {
    url,
    swap(next) {
      now.index = next;
      pool.send({ type: 'swap', index: next });
    },
    withhold(next) {
      now.withheld = next;
      pool.send({ type: 'withhold', withheld: next });
    },
    useWords(changed) {
      now.words = { ...now.words, ...changed };
      pool.send({ type: 'words', words: now.words });
    },
    useShadow(shadow) {
      now.shadow = shadow;
      pool.send({ type: 'shadow', shadow });
    },
    forgetCallers(revision) {
      if (revision !== null) callers.noteRevision(revision);
      pool.send({ type: 'registry' });
    },
    bumpGeneration: () => void Atomics.add(new Int32Array(gen), 0, 1),
    metrics,
    failed: pool.failed,
    async stop() {
      await pool.stop();
      await usage.settled();
      await callers.close();
    },
  };
}

function servicesOf({
  config,
  store,
  log,
}: Service): Pick<ThreadServices, 'previewMs' | 'db' | 'log' | 'warnForwarded'> {
  return { previewMs: config.media.timeoutMs, db: store.db, log, warnForwarded: createWarning(log) };
}

/** Returns a function that logs a warning only once, although every thread sends the warning. */
function createWarning(log: Log): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    log.warn(
      'Requests have an X-Forwarded-For header, but ZOETROPE_TRUST_PROXY is 0: all callers behind a proxy count as one address. Set it to the number of proxies in front of the service.',
    );
  };
}

/**
 * Does what a thread requests. Because the main thread does this work, a preview that two threads request is made once,
 * and all threads share one embedder.
 */
async function answer(worker: Worker, services: ThreadServices, message: FromThread): Promise<void> {
  if (message.type === 'usage') services.usage.write(message.rows);
  if (message.type === 'forwarded') services.warnForwarded();
  if (message.type !== 'ask') return;
  const { call, question } = message;
  const reply = (rest: object) => worker.postMessage({ type: 'answer', call, ...rest } as ToThread);
  try {
    reply({ answer: await ask(services, question) });
  } catch (error) {
    const { code, message, retryAfter } = error as Error & { code?: string; retryAfter?: number };
    reply({ error: { code, message, retryAfter, isForCallers: error instanceof ServiceError } });
  }
}

async function ask(services: ThreadServices, question: Question): Promise<Answer> {
  const { embedder, lookUp } = services;
  if (question.type === 'admit') return lookUp(question.identifier);
  if (question.type === 'payments') return answerPayments(services.payments, question.asked);
  if (question.type === 'console') return answerConsole(services.console, question.asked);
  if (question.type === 'report') return take(services, question.report);
  if (question.type === 'relayFacts') return relayFactsOf(services.db, question.ids);
  if (question.type === 'gifsOfEvents') return gifsOfEvents(services.db, question.wanted);
  if (question.type === 'ensure') return within(services.previewMs, ensure(services, question), stillBeingMade);
  if (question.type === 'health') {
    const state = { embedder: report(embedder), search: services.search.state };
    return { ...state, isGrowing: await services.isGrowing(), hasLanguages: services.hasLanguages() };
  }
  if (embedder === undefined) throw new ServiceError('embedder_unavailable', 'there is no embedder');
  return embedder.embedQuery(question.query, question.deadlineMs, question.rank);
}

function take({ db }: ThreadServices, report: NewReport): Promise<'taken' | 'unknown' | 'full'> {
  const whole = { ...report, id: randomUUID(), reporter: 'form', at: systemClock.now() } as const;
  return withReserve('report', () => recordReport(db, whole));
}

/** A registry in the data folder is always available, so its callers need not be saved. */
function openCallers(service: Service): Promise<KnownCallers> {
  const { store, log } = service;
  const isShared = service.config.registry.databaseUrl !== '';
  return KnownCallers.open({
    lookUp: lookUpIn(service),
    file: isShared ? path.join(store.folder, 'callers.json') : undefined,
    write: replaceDurably,
    clock: systemClock,
    log,
  });
}

/**
 * Returns the function with which threads look up callers. Threads look up each caller once an hour, so the time of a
 * key's last use is accurate only to an hour.
 */
function lookUpIn({ registry, log }: Service): LookUp {
  const lookUp = createLookUp(registry.db, systemClock);
  return async (identifier) => {
    await registry.ready();
    const caller = await lookUp(identifier);
    if (caller !== null && caller !== 'suspended' && identifier.kind === 'key') {
      // This call is not awaited, so that the caller does not wait for it.
      noteKeyUse(registry.db, identifier.value, systemClock.now()).catch((error) =>
        log.warn({ err: error }, 'could not save the last use of a key'),
      );
    }
    return caller;
  };
}

/**
 * Returns the error for a preview that is still being made. On a busy machine, making a preview can take minutes, even
 * if its file is valid.
 */
function stillBeingMade(): ServiceError {
  return new ServiceError('upstream_unavailable', 'this file is still being made', { retryAfter: BUSY_RETRY_S });
}

/**
 * Makes a preview. For a linked GIF, also records that its picture is now stored, so that the picture can be described.
 */
async function ensure(
  { media, db, log, metrics }: ThreadServices,
  { source, derivative }: Extract<Question, { type: 'ensure' }>,
): Promise<Answer> {
  const stored = await media.ensure(source, derivative).catch((error) => {
    metrics.countJob(error instanceof ServiceError && error.code === 'not_found' ? 'refused' : 'failed');
    throw error;
  });
  metrics.countJob('made');
  if (source.url !== null && derivative.kind === 'animated' && derivative.fit === 'w240') {
    await noteSeenPicture(db, source.id).catch((error) =>
      log.warn({ err: error }, 'could not save that a preview was made'),
    );
  }
  return stored;
}

function report(embedder: Embedder | undefined): EmbedderReport {
  if (embedder === undefined) return { state: 'none', since: null };
  const { state, since } = embedder.state();
  return { state, since };
}
