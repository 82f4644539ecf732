import { fileURLToPath } from 'node:url';
import { LIMITS } from '@zoetrope/contract';
import { type AccountContext, askDomain, type Console, type Payments, registerDashboard } from '../../account/index.ts';
import { steadyClock, systemClock } from '../../base/clock.ts';
import { ServiceError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { addressOf, type HttpContext, isLocal } from '../../http/index.ts';
import { normaliseQuery } from '../../index/index.ts';
import { createDashboardLimit, SharedLimiter } from '../../limits/index.ts';
import { previewSizes } from '../../media/index.ts';
import { readBlob } from '../../platform/blobs/index.ts';
import { singleFlight } from '../../platform/cache/index.ts';
import { closePostgres, type Database, openDatabase, quickLimits, Reserve } from '../../platform/db/index.ts';
import type { GifRecord } from '../../records/index.ts';
import { openRegistry, type Registry } from '../../registry/index.ts';
import { foldersOf, openCatalogue, REGISTRY_MIGRATIONS } from '../../service/index.ts';
import { uploadsIn } from '../console/uploads.ts';
import type { ThreadData } from '../messages.ts';

/** The folder with the built dashboard. The path is correct both in the sources and in the bundle. */
const FILES = fileURLToPath(new URL('../../../../dashboard/dist', import.meta.url));

export interface Dashboard {
  register: NonNullable<HttpContext['dashboard']>;
  close(): Promise<void>;
}

/**
 * Creates the dashboard on one thread. Unlike the rest of the thread, the dashboard uses a database, which is opened
 * when it is first used.
 */
export function createDashboard(
  { config, admins, members, limits }: ThreadData,
  { payments, console, lease, log, ...media }: ThreadParts,
): Dashboard {
  const { service, account, http } = config;
  const fly = singleFlight<string>();
  let opened: OpenStores | undefined;
  const context: AccountContext = {
    log,
    clock: systemClock,
    publicUrl: service.publicUrl,
    operator: { name: service.operatorName, url: service.operatorUrl },
    admins: new Set(admins),
    members: { pubkeys: new Set(members), quota: { files: account.memberFiles, bytes: account.memberBytes } },
    mediaUrl: service.mediaUrl,
    nostrKey: http.nostrKey,
    signerRelays: account.signerRelays.split(',').flatMap((relay) => relay.trim() || []),
    isCached: service.edgePort > 0,
    async registry() {
      opened ??= open(config);
      await opened.registry.ready();
      return opened.registry.db;
    },
    async catalogue() {
      opened ??= open(config);
      return opened.catalogue;
    },
    picture: (gif, kind) => readPicture(media, gif, kind),
    search: (words) => searchWords(lease, words),
    console,
    uploads: {
      folder: uploadsIn(service.data),
      maxBytes: config.media.maxBytes,
      reserveBytes: service.diskReserveBytes,
    },
    payments,
    limit: createDashboardLimit(config.limits, new SharedLimiter(steadyClock, limits.epoch, limits.memory)),
    addressOf: (request) => addressOf(request, http.trustedProxies),
    isLocal,
    // Concurrent requests for the same domain share one look-up.
    askDomain: (domain, name) => fly(`${name}@${domain}`, () => askDomain(domain, name)),
    files: FILES,
  };
  return {
    register: (app) => registerDashboard(app, context),
    close: async () => opened?.close(),
  };
}

/** The parts of its thread that the dashboard uses. */
interface ThreadParts extends Pick<HttpContext, 'blobs' | 'ensure' | 'lease'> {
  payments: Payments;
  console: Console;
  log: Log;
}

/** Maximum number of GIFs that a search ranks. */
const { rankedListMax } = LIMITS;

/** Searches by words alone. While the index is unavailable, operators still find GIFs in the records. */
async function searchWords(lease: HttpContext['lease'], words: string): Promise<string[]> {
  try {
    const search = await lease().index.forRequest().begin(normaliseQuery(words), rankedListMax);
    const ranked = await search.endWithWords();
    return (await ranked.gifs(0, ranked.count)).map(({ id }) => id);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'upstream_unavailable') return [];
    throw error;
  }
}

/** Returns the preview for grids, and makes it if it does not exist. Returns null if it cannot be made. */
async function readPicture(
  { blobs, ensure }: Pick<ThreadParts, 'blobs' | 'ensure'>,
  gif: GifRecord,
  wanted: 'moving' | 'still',
) {
  const source = gif.url === null ? gif : { ...gif, sha256: null, expectedSha256: gif.sha256 };
  const { animated } = previewSizes(source).w240;
  try {
    const { key, contentType } = await ensure(source, {
      fit: 'w240',
      kind: animated && wanted === 'moving' ? 'animated' : 'still',
    });
    const bytes = await readBlob(blobs, key);
    return bytes && { bytes, contentType };
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return null;
    throw error;
  }
}

interface OpenStores {
  registry: Registry;
  catalogue: Database;
  close(): Promise<void>;
}

function open({ service, registry: where }: ThreadData['config']): OpenStores {
  const catalogue =
    where.databaseUrl === ''
      ? openDatabase(foldersOf(service.data).database, { reserve: new Reserve(service.data) })
      : openCatalogue(where.databaseUrl, quickLimits(where.databaseConnections, where.databaseTimeoutMs));
  const registry = openRegistry(where, catalogue, REGISTRY_MIGRATIONS);
  return {
    registry,
    catalogue,
    async close() {
      await registry.close();
      await (where.databaseUrl === '' ? catalogue.destroy() : closePostgres(catalogue));
    },
  };
}
