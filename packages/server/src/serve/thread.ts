import { parentPort, workerData } from 'node:worker_threads';
import type { ErrorCode } from '@zoetrope/contract';
import { steadyClock, systemClock } from '../base/clock.ts';
import { collectAfterSwap } from '../base/collect.ts';
import { ServiceError } from '../base/errors.ts';
import { createGatheringLog, createLog } from '../base/log.ts';
import { Metrics } from '../base/metrics.ts';
import { openCluster, openClusterSearch } from '../cluster/index.ts';
import { closeIdleLater, createApp, createEdgeApp, type HttpContext, type Lease } from '../http/index.ts';
import { Languages, openBuildSearch, type Search, Synonyms, type Withheld } from '../index/index.ts';
import {
  createLimit,
  createMediaLimits,
  createPageLimit,
  createReportLimit,
  RedisLimiter,
  SharedLimiter,
} from '../limits/index.ts';
import { openServedBlobs } from '../platform/blobs/index.ts';
import { Admission, UsageTally } from '../registry/index.ts';
import type { Answer, FromThread, Question, SharedIndex, ThreadData, ToThread, Words } from './messages.ts';
import { createDashboard } from './open-account.ts';
import { paymentsBy } from './payments-calls.ts';

const data = workerData as ThreadData;
const port = parentPort!;
const gen = new Int32Array(data.gen);
const languages = Languages.empty();
/** Maximum time that a request waits for the cluster. Proxies in front of the service give up after three seconds. */
const CLUSTER_MS = 2_500;
const cluster = data.config.cluster.search === 'embedded' ? undefined : openCluster(data.config.cluster);
let { index, withheld } = takeFirst();
let current: Lease = { index, withheld, gen: -1, epoch: '' };
/**
 * Number of updates of hidden GIFs and of the operator's words that have arrived. Each arrives shortly before or after
 * the generation increases.
 */
let changes = 0;
let leased = changes;

function takeFirst(): { index: Search; withheld: Withheld } {
  const { index, withheld, words } = data.first!;
  useWords(words);
  delete data.first;
  return { index: open(index), withheld };
}

function open(shared: SharedIndex): Search {
  const reader = { ...data, languages, typing: data.config.index };
  if (!('state' in shared)) return openBuildSearch(shared, reader);
  const { client } = cluster!;
  return openClusterSearch(shared, { ...reader, client, hidden: () => withheld.ids, deadlineMs: CLUSTER_MS });
}

function lease(): Lease {
  const now = Atomics.load(gen, 0);
  if (current.index !== index || current.gen !== now || leased !== changes) {
    leased = changes;
    current = { index, withheld, gen: now, epoch: `${index.buildId} ${now} ${changes}` };
  }
  return current;
}

/**
 * Requests to the main thread that have no response yet. The main thread runs media, embedding and the registry. So all
 * threads share that work.
 */
const waiting = new Map<number, PromiseWithResolvers<unknown>>();
let calls = 0;

function ask<Result extends Answer>(question: Question): Promise<Result> {
  const call = ++calls;
  const settled = Promise.withResolvers<unknown>();
  waiting.set(call, settled);
  port.postMessage({ type: 'ask', call, question } satisfies FromThread);
  return settled.promise as Promise<Result>;
}

function settle({ call, answer, error }: Extract<ToThread, { type: 'answer' }>): void {
  const settled = waiting.get(call);
  waiting.delete(call);
  if (error === undefined) settled?.resolve(answer);
  else if (error.isForCallers) settled?.reject(new ServiceError(error.code as ErrorCode, error.message, error));
  else settled?.reject(Object.assign(new Error(error.message), { code: error.code }));
}

const { service, http, limits } = data.config;
const log = createLog(service.logLevel);
const requests = http.requestLog === 'off' ? undefined : createGatheringLog();
const admission = new Admission({
  lookUp: (identifier) => ask({ type: 'admit', identifier }),
  clock: systemClock,
  log: log.child({ room: 'registry' }),
});
const memory = new SharedLimiter(steadyClock, data.limits.epoch, data.limits.memory);
const redis = limits.redisUrl === '' ? undefined : await openRedisLimiter(limits.redisUrl);
const payments = paymentsBy((asked) => ask({ type: 'payments', asked }), data.fee);
const usage = new UsageTally();
const blobs = openServedBlobs(data.config.s3, data.mediaFolder);
const ensure: HttpContext['ensure'] = (source, derivative) => ask({ type: 'ensure', source, derivative });
const dashboard = createDashboard(data, { payments, blobs, ensure, log: log.child({ room: 'account' }) });
const context: HttpContext = {
  log: log.child({ room: 'http' }),
  requestLog: requests && { write: requests.write, withQueries: http.requestLog === 'queries' },
  publicUrl: service.publicUrl,
  mediaUrl: service.mediaUrl,
  hasVideo: data.hasVideo,
  rating: data.rating,
  operator: { name: service.operatorName, url: service.operatorUrl },
  answerCacheBytes: http.answerCacheBytes,
  mediaCacheBytes: http.mediaCacheBytes,
  blobs,
  lease,
  ensure,
  embed: (query, deadlineMs, rank) => ask({ type: 'embed', query, deadlineMs, rank }),
  hasEmbedder: data.embedder !== undefined,
  health: () => ask({ type: 'health' }),
  metrics: new Metrics(data.metrics, data.thread),
  admission,
  mediaLimits: createMediaLimits(limits, redis ?? memory),
  requestTimeoutMs: http.requestTimeoutMs,
  connectionsPerAddress: http.connectionsPerAddress,
  robots: http.robots,
  trustedProxies: http.trustedProxies,
  warnForwarded: () => port.postMessage({ type: 'forwarded' } satisfies FromThread),
  dashboard: dashboard.register,
  countUse: (client, operation, use, now) => usage.count(client, operation, use, now),
  limit: createLimit(limits, redis ?? memory),
  limitHere: redis ? undefined : createLimit(limits, memory),
  report: (report) => ask({ type: 'report', report }),
  limitPages: createPageLimit(limits, memory),
  limitReports: createReportLimit(limits, memory),
};
const app = createApp(context);
const edge = service.edgePort === 0 ? undefined : createEdgeApp(context);

/** Time between two saves of the counts of clients' requests. */
const USAGE_MS = 10_000;
const usageTimer = setInterval(tellUsage, USAGE_MS).unref();

function tellUsage(): void {
  const rows = usage.take();
  if (rows.length > 0) port.postMessage({ type: 'usage', rows } satisfies FromThread);
}

port.on('message', (message: ToThread) => {
  if (message.type === 'swap') swap(message.index);
  else if (message.type === 'withhold') withhold(message);
  else if (message.type === 'words') replaceWords(message);
  else if (message.type === 'answer') settle(message);
  else if (message.type === 'registry') admission.clear();
  else stop().catch(endAtOnce);
});

function swap(next: SharedIndex): void {
  index = open(next);
  collectAfterSwap();
}

function withhold(message: Extract<ToThread, { type: 'withhold' }>): void {
  withheld = message.withheld;
  changes++;
}

function replaceWords({ words }: Extract<ToThread, { type: 'words' }>): void {
  useWords(words);
  changes++;
}

function useWords({ languages: own, synonyms, packs }: Words): void {
  if (own !== undefined) languages.useOwn(own);
  languages.synonyms = new Synonyms(synonyms);
  languages.usePacks(packs);
}

function openRedisLimiter(url: string): Promise<RedisLimiter> {
  return RedisLimiter.open({ url, memory, clock: steadyClock, log: log.child({ room: 'limits' }) });
}

/**
 * Maximum time that the thread waits for running requests when the service stops. Idle connections would never end by
 * themselves.
 */
const GRACE_MS = 3_000;

/** Ends this thread after an error. The main thread waits for that end. */
function endAtOnce(error: unknown): void {
  log.error({ err: error }, 'a thread did not stop cleanly');
  process.exit(1);
}

async function stop(): Promise<void> {
  for (const { server } of edge ? [app, edge] : [app]) closeIdleLater(server);
  const timer = setTimeout(() => {
    for (const { server } of [app, edge ?? app]) server.closeAllConnections();
  }, GRACE_MS);
  await Promise.all([app.close(), edge?.close()]);
  clearTimeout(timer);
  await dashboard.close();
  clearInterval(usageTimer);
  tellUsage();
  await requests?.close();
  redis?.close();
  await cluster?.client.close();
  port.close();
}

const { reusePort } = data;
await app.listen({ host: service.host, port: data.port, reusePort } as { host: string; port: number });
await edge?.listen({ host: service.edgeHost, port: service.edgePort, reusePort } as { host: string; port: number });
port.postMessage({ type: 'listening' } satisfies FromThread);
