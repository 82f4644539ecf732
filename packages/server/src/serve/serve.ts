import path from 'node:path';
import { askDomain, keepCheckingProofs } from '../account/index.ts';
import { systemClock } from '../base/clock.ts';
import { metric, type Sample } from '../base/metrics.ts';
import { rememberFor } from '../base/remember.ts';
import type { Stoppable } from '../base/repeat.ts';
import { readHold } from '../builds/index.ts';
import { countGifs } from '../catalog/index.ts';
import type { Embedder } from '../embed/index.ts';
import { countVectors } from '../index/index.ts';
import { findVideoEncoder, type VideoEncoderName } from '../media/index.ts';
import { knownRatingCounts } from '../moderation/index.ts';
import { openPayments, type Payments } from '../payments/index.ts';
import { DatabaseDown } from '../platform/db/index.ts';
import { takeLock } from '../platform/lock/index.ts';
import { readSecretKey } from '../platform/relay/index.ts';
import { keepFollowingRelays, relayMetrics } from '../relays/index.ts';
import { checkBlobs, isWorkShared, joinNodes, openEmbedder, openMedia, type Service } from '../service/index.ts';
import { type NodesReport, reportOnNodes } from '../upkeep/index.ts';
import { hasAnyWork, isAdding, isWorkDue, readShown, request, usableMode } from '../work/index.ts';
import { startBackground } from './background.ts';
import { openEmpty, openIndex } from './builds/first.ts';
import { keepPulling } from './builds/pull.ts';
import { openClaim } from './console/claim.ts';
import { createConsole } from './console/console.ts';
import { keepHistory } from './console/keep-history.ts';
import { tellEdge } from './edge.ts';
import { serveMetrics } from './metrics-endpoint.ts';
import { claimPorts, type ServiceSettings } from './ports.ts';
import { type SearchWatch, watchSearch } from './search-state.ts';
import { type ShadowWatch, watchShadow } from './shadow.ts';
import { type Shared, startThreads, type Threads } from './threads.ts';
import { type Watch, watchForChanges } from './watch.ts';
import { openWords } from './words.ts';

export interface Serving {
  /** Public base URL. */
  url: string;
  documents: number;
  /** Whether GIFs are still being added. */
  isGrowing: boolean;
  /** Six digits with which somebody on this machine can become the first operator. Null if nobody can. */
  operatorCode: string | null;
  /** Resolves with the number of GIFs as soon as there are any. */
  first: Promise<number>;
  /** Rejects if the service cannot continue. */
  failed: Promise<never>;
  stop(): Promise<void>;
}

/**
 * Serves the data folder: starts a process to finish earlier work, loads the build into shared memory, and listens. If
 * the folder is empty, the process also adds the starter catalogue, and the first build is empty. `stop`, or a step
 * that fails, ends everything in reverse order.
 * @param stopped ends the preparation. The promise is then rejected
 */
export async function serve(service: Service, stopped: AbortSignal): Promise<Serving> {
  await using resources = new AsyncDisposableStack();
  const lock = takeLock(path.join(service.store.folder, 'serve.lock'), 'zoetrope serve');
  resources.defer(() => lock.release());
  const ports = await claimPorts(service.config.service);
  resources.defer(() => ports.release());
  await checkBlobs(service.blobs, service.log);
  const isReady = await isCatalogueReady(service);
  if (isReady) await fetchSharedBuild(service);
  // A table embeds short queries, so the process of the bundled model starts only with the first longer query. Other
  // models start now, so that the state shows whether they work.
  const start = service.config.embed.provider === 'bundled' ? 'lazily' : 'now';
  const embedder = await openEmbedder(service, start);
  if (embedder) resources.defer(() => embedder.close());
  const isNew = isReady && (await requestStarter(service, embedder));
  const opening = isNew ? openEmpty(service, embedder) : openIndex(service, embedder, stopped);
  const [first, videoEncoder] = await Promise.all([opening, chooseVideoEncoder(service)]);
  stopped.throwIfAborted();
  const media = openMedia(service, videoEncoder);
  resources.defer(() => media.close());
  const payments = await openFee(service);
  resources.defer(() => payments.close());
  const search = watchSearch(service);
  resources.defer(() => search.stop());
  const isGrowing = rememberFor(GROWTH_MS, () => isAdding(service).catch(() => false));
  const stopping = new AbortController();
  resources.defer(() => stopping.abort());
  const claim = await openClaim(service, ports.addresses);
  const watching = Promise.withResolvers<Watch>();
  const observed = { embedder, search, isGrowing, claim, stopping: stopping.signal, watch: watching.promise };
  const console = createConsole(service, observed);
  const tools = { media, embedder, payments, search, isGrowing, console };
  const rating = await stateOfRating(service);
  const shared = { ...tools, rating, hasVideo: videoEncoder !== null, addresses: ports.addresses };
  const words = await openWords(service);
  const threads = await startThreads(service, shared, first, words);
  resources.defer(() => threads.stop());
  const edge = tellEdge(service, threads, first);
  resources.defer(() => edge.stop());
  const { promise: firstGifs, resolve: tellFirst } = Promise.withResolvers<number>();
  const watch = watchForChanges(service, edge.threads, first, { words, tellFirst });
  watching.resolve(watch);
  resources.defer(() => watch.stop());
  const presence = joinNodes(service, 'serve', () => watch.index.manifest);
  resources.defer(() => presence?.stop());
  const shadow = service.shadow && watchShadow(service, service.shadow, threads);
  resources.defer(() => shadow?.stop());
  await startMetrics(service, { threads, watch, embedder, search, shadow }, resources);
  const pulls = keepPulling(service);
  resources.defer(() => pulls.stop());
  if (service.config.service.background === 'on') await startWork(service, { media, embedder, isReady }, resources);
  const notices = await startNotices(service, ports.addresses);
  resources.defer(() => notices.stop());
  const owned = resources.move();
  return {
    url: threads.url,
    documents: first.index.manifest.gifs,
    isGrowing: await isGrowing(),
    operatorCode: claim.code,
    first: firstGifs,
    failed: threads.failed,
    stop: () => owned.disposeAsync(),
  };
}

/** Starts the background work and follows the relays. @param isReady whether the catalogue can be used */
async function startWork(
  service: Service,
  { isReady, ...parts }: Pick<Shared, 'media' | 'embedder'> & { isReady: boolean },
  resources: AsyncDisposableStack,
): Promise<void> {
  const isBehind = !isReady || (await isWorkDue(service, parts.embedder));
  const background = startBackground(service, { ...parts, isBehind });
  resources.defer(() => background.stop());
  const relays = keepFollowingRelays(service);
  resources.defer(() => relays.stop());
}

/** Time for which the result of checking whether GIFs are being added is reused. */
const GROWTH_MS = 1_000;

interface Observed {
  threads: Threads;
  watch: Watch;
  embedder: Embedder | undefined;
  search: SearchWatch;
  shadow: ShadowWatch | undefined;
}

/** Saves counts for the console, and serves them to Prometheus if there is a port for it. */
async function startMetrics(service: Service, observed: Observed, resources: AsyncDisposableStack): Promise<void> {
  const { threads, watch } = observed;
  const history = keepHistory(service, { metrics: threads.metrics, gifs: () => watch.index.manifest.gifs });
  resources.defer(() => history.stop());
  const { metricsPort } = service.config.service;
  if (metricsPort === 0) return;
  const server = await serveMetrics(
    metricsPort,
    async () => metricsOf(observed) + (await catalogueMetrics(service)),
    service.log,
  );
  resources.defer(() => server.stop());
}

/** Omits metrics that cannot be read. When the catalogue is down, operators need the other metrics most. */
async function catalogueMetrics(service: Service): Promise<string> {
  const sections = [
    async () => ratingsOf(await knownRatingCounts(service.store.db)),
    () => relayMetrics(service),
    async () => nodeMetrics(await reportOnNodes(service)),
  ];
  const read = async (section: () => Promise<string>) => {
    try {
      return await section();
    } catch (error) {
      service.log.error({ err: error }, 'could not read the metrics of the catalogue');
      return '';
    }
  };
  return (await Promise.all(sections.map(read))).join('');
}

function metricsOf({ threads, watch, embedder, search, shadow }: Observed): string {
  const { index } = watch;
  const { gifs, revision } = index.manifest;
  const gauge = (name: string, help: string, value: number) => metric(name, 'gauge', help, [{ value }]);
  return [
    threads.metrics.text(),
    metric('zoetrope_embedder_state', 'gauge', 'State of the embedder', embedderStates(embedder)),
    metric('zoetrope_search_state', 'gauge', 'Whether searches can reach their index', searchStates(search)),
    gauge('zoetrope_gifs', 'GIFs that can be found', gifs),
    gauge('zoetrope_build_revision', 'Revision of the served catalogue', revision),
    ...('segments' in index
      ? [
          gauge('zoetrope_gifs_with_meaning', 'GIFs that can be found by meaning', countVectors(index, 'meaning')),
          gauge('zoetrope_gifs_with_looks', 'GIFs whose picture has been described', countVectors(index, 'looks')),
        ]
      : []),
    ...(shadow
      ? [
          threads.metrics.comparisonsText(),
          gauge('zoetrope_shadow_revision', 'Revision in the cluster, 0 without an index', shadow.revision ?? 0),
        ]
      : []),
  ].join('');
}

/** One sample for each state; the current state has the value 1. */
function statesOf(states: readonly string[], now: string): Sample[] {
  return states.map((state) => ({ labels: { state }, value: state === now ? 1 : 0 }));
}

function embedderStates(embedder: Embedder | undefined): Sample[] {
  return statesOf(['starting', 'ready', 'degraded', 'down', 'none'], embedder?.state().state ?? 'none');
}

function searchStates({ state }: SearchWatch): Sample[] {
  return statesOf(['ok', 'away', 'gone'], state);
}

function nodeMetrics({ revision, nodes, jobs }: NodesReport): string {
  const roles = ['serve', 'worker', 'work', 'relays'];
  const alive = roles.map((role) => ({ labels: { role }, value: nodes.filter((node) => node.role === role).length }));
  return [
    metric('zoetrope_catalogue_revision', 'gauge', 'Revision of the catalogue', [{ value: revision }]),
    metric('zoetrope_open_jobs', 'gauge', 'Open jobs of all machines', [{ value: jobs.open }]),
    metric('zoetrope_oldest_job_seconds', 'gauge', 'Age of the oldest open job', [{ value: jobs.oldestSeconds ?? 0 }]),
    nodes.length === 0 ? '' : metric('zoetrope_nodes', 'gauge', 'Live processes that share the catalogue', alive),
  ].join('');
}

function ratingsOf(counts: Awaited<ReturnType<typeof knownRatingCounts>>): string {
  const samples = Object.entries(counts).map(([rating, value]) => ({ labels: { rating }, value }));
  return metric('zoetrope_gifs_rated', 'gauge', 'GIFs by rating, when last counted', samples);
}

/**
 * Orders are stored in the registry. If the registry is unreachable, the service tries again when the next person pays.
 */
async function openFee({ config, registry, log }: Service): Promise<Payments> {
  await registry.ready().catch(() => {}); // its first user reports the error
  return openPayments({
    config: config.payments,
    db: registry.db,
    clock: systemClock,
    log: log.child({ room: 'payments' }),
    reached: config.service,
  });
}

/** Checks domains and keys, and sends notices to owners who want messages. */
async function startNotices(service: Service, { publicUrl }: Pick<ServiceSettings, 'publicUrl'>): Promise<Stoppable> {
  const tasks = [startProofChecks(service), ...(await startMessages(service, publicUrl))];
  return {
    async stop() {
      await Promise.all(tasks.map((task) => task.stop()));
    },
  };
}

/** Returns nothing if the operator has configured no key or no relay. */
async function startMessages({ registry, log, config }: Service, publicUrl: string): Promise<Stoppable[]> {
  const { signerRelays } = config.account;
  const { nostrKey } = config.http;
  const relays = `${signerRelays},${config.relays.urls}`.split(',').flatMap((relay) => relay.trim() || []);
  if (nostrKey === '' || relays.length === 0) return [];
  // Loaded here, because few services send messages.
  const { keepSendingMessages } = await import('../messenger/index.ts');
  return [
    keepSendingMessages({
      async registry() {
        await registry.ready();
        return registry.db;
      },
      key: readSecretKey(nostrKey),
      relays: [...new Set(relays)],
      link: `${publicUrl}/dashboard/notices`,
      clock: systemClock,
      log: log.child({ room: 'messenger' }),
    }),
  ];
}

function startProofChecks({ registry, log }: Service): Stoppable {
  return keepCheckingProofs({
    async registry() {
      await registry.ready();
      return registry.db;
    },
    askDomain: (domain, name) => askDomain(domain, name),
    clock: systemClock,
    log: log.child({ room: 'account' }),
  });
}

/** A service without MP4s works, but the operator is warned. */
async function chooseVideoEncoder({ config, log }: Service): Promise<VideoEncoderName | null> {
  const wanted = config.media.videoEncoder;
  const found = await findVideoEncoder(wanted);
  if (found === null && wanted !== 'off') {
    log.warn(
      'MP4s are not available: neither ffmpeg with libx264 nor the bundled encoder works (ZOETROPE_MEDIA_VIDEO)',
    );
  }
  return found;
}

/**
 * While the networks are missing, withheld GIFs stay hidden. The rating process reports why the networks are missing.
 */
async function stateOfRating({ config, log }: Service): Promise<'on' | 'off' | 'missing'> {
  const wanted = config.enrich.rating;
  if (wanted === 'off') return 'off';
  return (await usableMode(wanted, log)) === 'off' ? 'missing' : 'on';
}

/**
 * Whether the catalogue can be used. While PostgreSQL is down, the last build is served.
 * @throws OperatorError if there is no build, or if PostgreSQL is not the problem
 */
async function isCatalogueReady(service: Service): Promise<boolean> {
  const { store, log } = service;
  try {
    await store.ready();
    return true;
  } catch (error) {
    if (!(error instanceof DatabaseDown) || (await readShown(service)) === undefined) throw error;
    log.error({ err: error }, 'the catalogue is unavailable; serving the last build until it is back');
    return false;
  }
}

/** If the store is unavailable, the service starts with the build that it has. */
async function fetchSharedBuild({ sharedBuilds, store, log }: Service): Promise<void> {
  if (sharedBuilds === undefined) return;
  const hold = await readHold(store.db);
  await sharedBuilds
    .pull({ hold })
    .catch((error) => log.error({ err: error }, 'could not fetch the latest shared build'));
}

/**
 * Requests the starter catalogue for an empty data folder.
 * @returns whether the first GIFs are added while the service listens. In a cluster, or if other processes do the work,
 * they are added before the service listens
 */
async function requestStarter(service: Service, embedder: Embedder | undefined): Promise<boolean> {
  const { config, store, cluster } = service;
  if (config.service.starter === 'off' || (await isWorkDue(service, embedder)) === false) return false;
  if ((await countGifs(store.db)) > 0 || (await readShown(service)) !== undefined) return false;
  const isAddedLater = cluster === undefined && config.service.background === 'on' && !isWorkShared(service);
  // An earlier process, or another machine, may already be adding the starter catalogue.
  if (await hasAnyWork(service)) return isAddedLater;
  // A new operator waits only for the first part.
  const starter = { type: 'starter', pack: 'noto' } as const;
  const parts = [{ ...starter, part: 'first' } as const, { ...starter, part: 'rest' } as const];
  await request(service, parts, ['starter']);
  return isAddedLater;
}
