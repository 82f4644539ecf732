import type { MessagePort } from 'node:worker_threads';
import { Admission, type Caller, type Identifier, UsageTally } from '../../admission/index.ts';
import { steadyClock, systemClock } from '../../base/clock.ts';
import { createGatheringLog, createLog, type Log } from '../../base/log.ts';
import { Metrics } from '../../base/metrics.ts';
import { openCluster, openShadow, type SharedCluster } from '../../cluster/index.ts';
import { embedWithTable, openMeaningTable } from '../../embed/index.ts';
import { closeIdleLater, createApp, createEdgeApp, type HttpContext, readFaces, readTopics } from '../../http/index.ts';
import {
  createLimit,
  createMediaLimits,
  createPageLimit,
  createReportLimit,
  RedisLimiter,
  SharedLimiter,
} from '../../limits/index.ts';
import { openServedBlobs } from '../../platform/blobs/index.ts';
import { foldersOf } from '../../service/index.ts';
import { consoleBy } from '../console/calls.ts';
import type { FromThread, ThreadData, ToThread } from '../messages.ts';
import { paymentsBy } from '../payments-calls.ts';
import { Calls } from './calls.ts';
import { CurrentIndex } from './current-index.ts';
import { createDashboard } from './open-account.ts';
import { Shadow } from './shadow.ts';

/** Time between two saves of the counts of clients' requests. */
const USAGE_MS = 10_000;
/**
 * Maximum time that the thread waits for running requests when the service stops. There must be a limit, because idle
 * connections never end by themselves.
 */
const GRACE_MS = 3_000;

/** Responds to requests on this thread until the main thread sends `stop`. Resolves when the thread listens. */
export async function serveOn(data: ThreadData, port: MessagePort): Promise<void> {
  const parts = await openParts(data, port);
  const context = contextOf(data, port, parts);
  const { service } = data.config;
  const app = createApp(context);
  const edge = service.edgePort === 0 ? undefined : createEdgeApp(context);
  const tellUsage = () => {
    const rows = parts.usage.take();
    if (rows.length > 0) port.postMessage({ type: 'usage', rows } satisfies FromThread);
  };
  const usageTimer = setInterval(tellUsage, USAGE_MS).unref();

  const stop = async () => {
    await closeServers(edge ? [app, edge] : [app]);
    await parts.dashboard.close();
    clearInterval(usageTimer);
    tellUsage();
    await parts.requests?.close();
    parts.redis?.close();
    await parts.cluster?.client.close();
    await parts.shadow?.close();
    port.close();
  };

  port.on('message', (message: ToThread) => {
    if (message.type === 'swap') parts.current.swap(message.index);
    else if (message.type === 'withhold') parts.current.withhold(message.withheld);
    else if (message.type === 'words') parts.current.replaceWords(message.words);
    else if (message.type === 'shadow') parts.shadow?.use(message.shadow);
    else if (message.type === 'answer') parts.calls.settle(message);
    else if (message.type === 'registry') parts.admission.clear();
    else
      stop().catch((error: unknown) => {
        // The main thread waits for the end of this thread.
        parts.log.error({ err: error }, 'a thread did not stop cleanly');
        process.exit(1);
      });
  });

  const { reusePort } = data;
  await app.listen({ host: service.host, port: data.port, reusePort } as { host: string; port: number });
  await edge?.listen({ host: service.edgeHost, port: service.edgePort, reusePort } as { host: string; port: number });
  port.postMessage({ type: 'listening' } satisfies FromThread);
}

type Parts = Awaited<ReturnType<typeof openParts>>;

async function openParts(data: ThreadData, port: MessagePort) {
  const { service, http, limits, ...config } = data.config;
  const log = createLog(service.logLevel);
  const cluster = openCluster(config.cluster);
  const current = new CurrentIndex({ ...data, first: data.first! }, cluster);
  const metrics = new Metrics(data.metrics, data.thread);
  const shadow = openComparison(config.cluster, { current, metrics, log });
  if (data.first!.shadow) shadow?.use(data.first!.shadow);
  // Otherwise, this data would stay in memory as long as the thread lives.
  delete data.first;
  const calls = new Calls(port);
  const lookUp = (identifier: Identifier) => calls.ask<Caller | 'suspended'>({ type: 'admit', identifier });
  const admission = new Admission({ lookUp, clock: systemClock, log: log.child({ room: 'registry' }) });
  const memory = new SharedLimiter(steadyClock, data.limits.epoch, data.limits.memory);
  const openRedis = { memory, clock: steadyClock, log: log.child({ room: 'limits' }) };
  const redis = limits.redisUrl === '' ? undefined : await RedisLimiter.open({ url: limits.redisUrl, ...openRedis });
  const payments = paymentsBy((asked) => calls.ask({ type: 'payments', asked }), data.fee);
  const blobs = openServedBlobs(config.s3, data.mediaFolder);
  const ensure: HttpContext['ensure'] = (source, derivative) => calls.ask({ type: 'ensure', source, derivative });
  return {
    ...{ log, cluster, shadow, metrics, current, calls, admission, memory, redis, blobs, ensure },
    requests: http.requestLog === 'off' ? undefined : createGatheringLog(),
    usage: new UsageTally(),
    dashboard: createDashboard(data, {
      ...{ payments, blobs, ensure, lease: current.lease, log: log.child({ room: 'account' }) },
      console: consoleBy((asked) => calls.ask({ type: 'console', asked })),
    }),
  };
}

/** Returns undefined if no searches are compared. */
function openComparison(
  config: ThreadData['config']['cluster'],
  { current, metrics, log }: { current: CurrentIndex; metrics: Metrics; log: Log },
) {
  const cluster = openShadow(config);
  if (cluster === undefined) return undefined;
  const share = Number(config.shadow);
  const shadow = new Shadow({ share, random: Math.random, metrics, log: log.child({ room: 'cluster' }) });
  return {
    compare: shadow.compare,
    use: (shared: SharedCluster) => shadow.use(current.openIn(cluster, shared)),
    close: () => cluster.client.close(),
  };
}

function contextOf(data: ThreadData, port: MessagePort, parts: Parts): HttpContext {
  const { service, http, limits, media, sharing } = data.config;
  const { calls, requests, redis, memory, blobs, ensure, admission, dashboard, usage } = parts;
  return {
    log: parts.log.child({ room: 'http' }),
    requestLog: requests && { write: requests.write, withQueries: http.requestLog === 'queries' },
    publicUrl: service.publicUrl,
    mediaUrl: service.mediaUrl,
    hasVideo: data.hasVideo,
    hasOwnUrls: media.linkedUrls === 'own',
    rating: data.rating,
    operator: { name: service.operatorName, url: service.operatorUrl },
    answerCacheBytes: http.answerCacheBytes,
    mediaCacheBytes: http.mediaCacheBytes,
    blobs,
    lease: parts.current.lease,
    ensure,
    ...embedBy(data, parts),
    hasEmbedder: data.embedder !== undefined,
    health: () => calls.ask({ type: 'health' }),
    metrics: parts.metrics,
    compare: parts.shadow?.compare,
    admission,
    mediaLimits: createMediaLimits(limits, redis ?? memory),
    requestTimeoutMs: http.requestTimeoutMs,
    connectionsPerAddress: http.connectionsPerAddress,
    robots: http.robots,
    topics: readTopics(http.categories),
    faces: readFaces(http.faces),
    hasMembers: data.members.length > 0,
    trustedProxies: http.trustedProxies,
    warnForwarded: () => port.postMessage({ type: 'forwarded' } satisfies FromThread),
    dashboard: dashboard.register,
    countUse: usage.count.bind(usage),
    limit: createLimit(limits, redis ?? memory),
    limitHere: redis ? undefined : createLimit(limits, memory),
    report: (report) => calls.ask({ type: 'report', report }),
    nostrKey: http.nostrKey,
    catalogue: sharing.publish === 'on' ? foldersOf(service.data).catalogue : undefined,
    relayFacts: (ids) => calls.ask({ type: 'relayFacts', ids }),
    gifsOfEvents: (wanted) => calls.ask({ type: 'gifsOfEvents', wanted }),
    limitPages: createPageLimit(limits, memory),
    limitReports: createReportLimit(limits, memory),
  };
}

/**
 * Returns the function that embeds queries: on this thread with a table of meanings, or in the embedder's process.
 */
function embedBy(
  { queryTable, embedder }: ThreadData,
  { calls, current }: Parts,
): Pick<HttpContext, 'embed' | 'encoderOf'> {
  const table = queryTable && openMeaningTable(queryTable.bytes);
  const tableFor = ({ isShort }: { isShort: boolean }) =>
    queryTable?.queries === 'all' || isShort ? table : undefined;
  return {
    encoderOf: (query) => (tableFor(query) && queryTable ? `${queryTable.name}.bin` : (embedder ?? 'none')),
    async embed(query, deadlineMs, rank) {
      const chosen = tableFor(query);
      if (chosen !== undefined) return embedWithTable(chosen, query.text, current.languages);
      return calls.ask({ type: 'embed', query: query.text, deadlineMs, rank });
    },
  };
}

async function closeServers(apps: readonly ReturnType<typeof createApp>[]): Promise<void> {
  for (const { server } of apps) closeIdleLater(server);
  const timer = setTimeout(() => {
    for (const { server } of apps) server.closeAllConnections();
  }, GRACE_MS);
  await Promise.all(apps.map((app) => app.close()));
  clearTimeout(timer);
}
