import fs from 'node:fs/promises';
import { sql } from 'kysely';
import { systemClock } from '../../base/clock.ts';
import { OperatorError, ServiceError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { counted } from '../../base/plain-text.ts';
import { loadBuild, readPublished } from '../../builds/index.ts';
import { countGifs, keptOriginals } from '../../catalog/index.ts';
import { type Cluster, isIndexThere, openCluster, openShadow, readState } from '../../cluster/index.ts';
import type { Config } from '../../config.ts';
import { createEmbedder } from '../../embed/index.ts';
import { checkRatingModels } from '../../enrich/index.ts';
import {
  BuildError,
  FORMAT_VERSION,
  offensiveFile,
  readOffensiveWords,
  readSynonyms,
  synonymsFile,
} from '../../index/index.ts';
import { hasOpenWork } from '../../ingest/index.ts';
import { loadPacks } from '../../languages/index.ts';
import { findVideoEncoder } from '../../media/index.ts';
import { knownRatingCounts } from '../../moderation/index.ts';
import { findUnresolved, findUnsettled } from '../../payments/index.ts';
import { type BlobStore, S3Blobs } from '../../platform/blobs/index.ts';
import { checkPostgres, type Database, isPostgres } from '../../platform/db/index.ts';
import { revision } from '../../records/index.ts';
import { openSharedRegistry } from '../../registry/index.ts';
import { describeClock, type foldersOf, machineOf, REGISTRY_MIGRATIONS } from '../../service/index.ts';
import { reportOnNodes } from '../nodes.ts';
import { type Finding, note, well, wrong } from './finding.ts';

const MEGABYTE = 1_000_000;
/**
 * Minimum free space on the disk. It is enough for a build of a large catalogue, or for a few hundred GIFs with their
 * previews.
 */
const MIN_FREE = 500 * MEGABYTE;
const FEW_FREE = 5_000 * MEGABYTE;

/** Maximum time for loading a model. The largest available model takes a few seconds. */
const EMBED_MS = 60_000;

export interface Examined {
  config: Config;
  log: Log;
  folders: ReturnType<typeof foldersOf>;
  blobs: BlobStore;
  /** The catalogue's database, opened only for reading. */
  db: Database;
}

export async function examineSynonyms({ config }: Examined): Promise<Finding> {
  try {
    const { length } = await readSynonyms(config.index, config.service.data);
    return well(
      'synonyms',
      length === 0 ? 'there are none' : `${length} sets in ${synonymsFile(config.index, config.service.data)}`,
    );
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return wrong('synonyms', error.message);
  }
}

export async function examineOffensiveWords({ config }: Examined): Promise<Finding> {
  try {
    await readOffensiveWords(config.index, config.service.data);
    const file = offensiveFile(config.index, config.service.data);
    const isOwn = await fs.access(file).then(
      () => true,
      () => false,
    );
    if (config.index.offensive === 'off')
      return note('offensive words', 'there is no list (ZOETROPE_SEARCH_OFFENSIVE)');
    return well('offensive words', isOwn ? `the built-in list, with the changes in ${file}` : 'the built-in list');
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return wrong('offensive words', error.message);
  }
}

export async function examineLanguages({ config }: Examined): Promise<Finding> {
  try {
    const packs = await loadPacks(config.service.data);
    return well('dictionaries', packs.map(({ name }) => name).join(', ') || 'none was added');
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return wrong('dictionaries', error.message);
  }
}

type Reserved = Pick<Config['service'], 'data' | 'diskReserveBytes'>;

export async function examineFolder({ data: folder, diskReserveBytes: reserve }: Reserved): Promise<Finding> {
  try {
    await fs.access(folder, fs.constants.R_OK | fs.constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return wrong(
      'data folder',
      `${folder} is not readable and writable (${code}): set ZOETROPE_DATA to another folder, or correct its permissions`,
    );
  }
  const { bavail, bsize } = await fs.statfs(folder);
  const free = bavail * bsize;
  const message = `${folder}, ${Math.floor(free / MEGABYTE)} MB are free`;
  if (free < reserve) {
    const kept = `ZOETROPE_DISK_RESERVE_BYTES reserves ${Math.floor(reserve / MEGABYTE)} MB`;
    return wrong(
      'data folder',
      `${message}, but ${kept}: no media can be stored. Free some space, or lower the setting`,
    );
  }
  if (free < MIN_FREE) return wrong('data folder', `${message}: free some space`);
  return free < FEW_FREE ? note('data folder', message) : well('data folder', message);
}

export async function examineDatabase({ db, folders }: Pick<Examined, 'db' | 'folders'>): Promise<Finding> {
  if (isPostgres(db)) return examinePostgres(db);
  const advice = `restore ${folders.database} from a backup`;
  try {
    const { rows } = await sql<{ integrityCheck: string }>`pragma integrity_check`.execute(db);
    const [first] = rows;
    if (first?.integrityCheck !== 'ok') return wrong('database', `it is damaged (${first?.integrityCheck}): ${advice}`);
    return well('database', `intact, with ${counted(await countGifs(db), 'GIF')} that can be found`);
  } catch (error) {
    return wrong('database', `it cannot be read (${(error as Error).message}): ${advice}`);
  }
}

async function examinePostgres(db: Database): Promise<Finding> {
  try {
    await checkPostgres(db);
    return well('database', `PostgreSQL, with ${counted(await countGifs(db), 'GIF')} that can be found`);
  } catch (error) {
    if (error instanceof OperatorError) return wrong('database', error.message);
    return note(
      'database',
      `PostgreSQL has no catalogue yet (${(error as Error).message}); the first start creates it`,
    );
  }
}

export async function examineBuild({ config, db, folders }: Examined): Promise<Finding> {
  const cluster = openCluster(config.cluster);
  if (cluster !== undefined) return examineCluster(cluster, db);
  try {
    const published = await readPublished(folders.builds);
    if (published === undefined) return note('build', 'there is none yet; the next start makes it');
    if (published.engine.format !== FORMAT_VERSION)
      return note('build', 'it was made by another version of Zoetrope; the next start makes it again');
    await loadBuild(folders.builds, published, 1);
    const { build, gifs } = published;
    const message = `${build} is intact and contains ${counted(gifs, 'GIF')}`;
    if ((await revision(db)) === published.revision) return well('build', message);
    return note('build', `${message}, but the catalogue has changed since: run zoetrope work`);
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    return wrong('build', `it is damaged (${error.message}): run zoetrope build, or start the service`);
  }
}

/**
 * Checks the cluster with which searches are compared; undefined if none are compared. No finding counts as a problem,
 * because this cluster affects no response.
 */
export async function examineShadow({ config, db }: Examined): Promise<Finding | undefined> {
  const shadow = openShadow(config.cluster);
  if (shadow === undefined) return undefined;
  const { state, message } = await examineCluster(shadow, db);
  return state === 'well' ? well('compared cluster', message) : note('compared cluster', message);
}

async function examineCluster(cluster: Cluster, db: Database): Promise<Finding> {
  try {
    const state = await readState(cluster);
    if (state === undefined) return note('search cluster', 'it has no index yet; the next start makes it');
    if (!(await isIndexThere(cluster.client, state.index))) {
      const cure = 'a running service makes it again; otherwise, run zoetrope index rebuild';
      return wrong('search cluster', `the index ${state.index} is missing: ${cure}`);
    }
    const message = `the index ${state.index} contains ${counted(state.gifs, 'GIF')}`;
    if ((await revision(db)) === state.revision) return well('search cluster', message);
    return note('search cluster', `${message}, but the catalogue has changed since: run zoetrope index sync`);
  } catch (error) {
    if (error instanceof OperatorError) return wrong('search cluster', error.message);
    if (!(error instanceof ServiceError)) throw error;
    const reason = error.cause instanceof Error ? `: ${error.cause.message}` : '';
    return wrong('search cluster', `${error.message} (ZOETROPE_OPENSEARCH_URL)${reason}`);
  } finally {
    await cluster.client.close();
  }
}

export async function examineWork({ config, db }: Examined): Promise<Finding> {
  if (await isOutdated(db)) return note('work', 'its tables are of an earlier version; the next start migrates them');
  if (await hasOpenWork(db, machineOf({ config })))
    return note('work', 'some work is open: run zoetrope work, or start the service');
  return well('work', 'all is done');
}

/**
 * Whether the tables are from a version without shared work. This is possible, because the doctor changes nothing and
 * therefore does not migrate the tables.
 */
async function isOutdated(db: Database): Promise<boolean> {
  const tables = await db.introspection.getTables();
  return !tables.some(({ name }) => name === 'nodes');
}

/** Checks whether all services that share the catalogue serve the same build, and lists the work of each process. */
export async function examineNodes({ config, db }: Examined): Promise<Finding> {
  const { databaseUrl } = config.registry;
  if (await isOutdated(db)) return note('machines', 'the next start creates the list of processes');
  const { nodes, holders, jobs } = await reportOnNodes({ store: { db, databaseUrl } });
  const services = nodes.filter(({ role }) => role === 'serve');
  const workers = nodes.filter(({ role }) => role !== 'serve').length;
  const builds = new Set(services.map(({ build }) => build));
  const items = [
    ...services.map(({ machine, build, behind }) =>
      build === null
        ? `${machine} serves no build yet`
        : `${machine} serves build ${build}, ${counted(behind!, 'change')} behind`,
    ),
    ...holders.map(({ work, holder }) => `${work}: ${holder}`),
  ];
  const clock = await describeClock(db);
  if (clock !== undefined) return note('machines', clock, items);
  const message = `${services.length} services, ${workers} other processes, ${jobs.open} open jobs`;
  if (builds.size > 1)
    return note('machines', `${message}; the services serve ${builds.size} different builds now`, items);
  return well('machines', message, items);
}

export async function examineStore({ blobs, folders }: Examined): Promise<Finding> {
  if (!(blobs instanceof S3Blobs)) return well('media store', folders.media);
  try {
    await blobs.check();
    return well('media store', 'the bucket can be listed');
  } catch (error) {
    if (error instanceof OperatorError) return wrong('media store', error.message);
    if (!(error instanceof ServiceError)) throw error;
    return wrong('media store', `the bucket cannot be reached: ${(error.cause as Error).message}`);
  }
}

export async function examineVideo({ config }: Examined): Promise<Finding> {
  const { videoEncoder: wanted } = config.media;
  if (wanted === 'off') return well('videos', 'turned off');
  const found = await findVideoEncoder(wanted);
  if (found !== null) return well('videos', `${found} makes them`);
  return note('videos', 'no encoder works: install ffmpeg with libx264, or see ZOETROPE_MEDIA_VIDEO');
}

const BETTER = 'all-minilm-l6-v2 finds more GIFs by meaning, see `zoetrope models list`';

/** Checks whether the embedder works. */
export async function examineEmbedder({ config, folders, log }: Examined): Promise<Finding> {
  try {
    const embedder = await createEmbedder({ config: config.embed, models: folders.models, log });
    if (embedder === undefined) return well('embedder', 'turned off');
    try {
      await embedder.embedQuery('happy', EMBED_MS);
      const better = config.embed.provider === 'bundled' ? `. ${BETTER}` : '';
      return well('embedder', `${embedder.id} works${better}`);
    } finally {
      await embedder.close();
    }
  } catch (error) {
    if (!(error instanceof OperatorError) && !(error instanceof ServiceError)) throw error;
    return wrong('embedder', error.message);
  }
}

/** Checks whether the originals of linked GIFs are stored. */
export async function examineLinked({ config, db }: Examined): Promise<Finding> {
  const { size } = await keptOriginals(db);
  if (config.media.keepLinked === 'on')
    return well('linked originals', `are stored when they are fetched; ${size} so far`);
  if (size === 0) return well('linked originals', 'are not stored');
  return note('linked originals', `are no longer stored (ZOETROPE_LINKED); ${size} older ones still are`);
}

/** Checks whether GIFs are rated, and counts the GIFs that need a decision. */
export async function examineRating({ config, db }: Examined): Promise<Finding> {
  if (config.enrich.rating === 'off') return well('rating', 'turned off');
  try {
    await checkRatingModels();
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return wrong('rating', `${error.message}. Until this is solved, GIFs from relays are not shown`);
  }
  const { unrated, review, failed } = await knownRatingCounts(db);
  const message = `${counted(unrated, 'GIF is', 'GIFs are')} not rated yet; need a decision: ${review}; cannot be read: ${failed}`;
  return unrated + review + failed === 0 ? well('rating', 'all GIFs are rated') : note('rating', message);
}

/** Runs a check on the database with the clients and orders. */
async function inRegistry({ config, db }: Examined, check: (db: Database) => Promise<Finding>): Promise<Finding> {
  const { databaseUrl } = config.registry;
  const shared = databaseUrl === '' ? undefined : openSharedRegistry(databaseUrl, REGISTRY_MIGRATIONS);
  try {
    return await check(shared?.db ?? db);
  } finally {
    await shared?.close();
  }
}

/** Checks whether clients were approved because of invoices that nobody paid. */
export function examinePayments(examined: Examined): Promise<Finding> {
  return inRegistry(examined, async (db) => {
    try {
      return describeUnsettled(await findUnsettled(examined.config.payments, db));
    } catch (error) {
      return wrong('payments', `orders paid by NWC cannot be confirmed: ${(error as Error).message}`);
    }
  });
}

function describeUnsettled({ orders, unsettled }: Awaited<ReturnType<typeof findUnsettled>>): Finding {
  if (orders === 0) return well('payments', 'no orders were paid by NWC');
  if (unsettled === null) {
    const cure = 'set ZOETROPE_WALLET to the URL of this wallet to check them';
    return note('payments', `${orders} orders paid by NWC can only be confirmed by their wallet: ${cure}`);
  }
  if (unsettled.length === 0) return well('payments', `${orders} paid by NWC, all confirmed by the wallet`);
  const what = `${unsettled.length} of ${orders} orders paid by NWC ${unsettled.length === 1 ? 'was' : 'were'} never settled`;
  return note(
    'payments',
    `${what} according to the wallet: block their clients with zoetrope client suspend`,
    unsettled.map(({ id, clientId, paidAt }) => `order ${id}, client ${clientId}, ${new Date(paidAt!).toISOString()}`),
  );
}

/** Checks whether orders wait for an operator, and whether the wallet proves payments. */
export function examineOrders(examined: Examined): Promise<Finding> {
  const { payments } = examined.config;
  return inRegistry(examined, async (db) => {
    try {
      return describeUnresolved(payments, await findUnresolved(payments, db, systemClock.now()));
    } catch (error) {
      return wrong('orders', `they cannot be read: ${(error as Error).message}`);
    }
  });
}

type Unresolved = Awaited<ReturnType<typeof findUnresolved>>;

function describeUnresolved({ provider, proof }: Config['payments'], { orders, proves }: Unresolved): Finding {
  const cure =
    proves === false && proof === 'required'
      ? `. ${provider} returned no preimage of the latest payment. If it never does and you trust it, set ZOETROPE_LIGHTNING_PROOF=optional`
      : '';
  if (orders.length === 0) {
    const none = 'none waits for an operator';
    if (cure !== '') return note('orders', `${none}${cure}`);
    return well('orders', proves ? `${none}, and ${provider} proved the latest payment` : none);
  }
  return note(
    'orders',
    `${orders.length} ${orders.length === 1 ? 'waits' : 'wait'} for an operator: resolve them in the dashboard, under Console, Clients (ZOETROPE_ADMINS or zoetrope operator)${cure}`,
    orders.map(({ id, clientId, provider: wallet, state, paidAt, expiresAt }) => {
      const since = new Date(paidAt ?? expiresAt).toISOString();
      // An open order counts as unchecked here, because without a wallet nothing records that its invoice has expired.
      return `order ${id}, client ${clientId}, ${wallet}: ${state === 'open' ? 'unchecked' : state} since ${since}`;
    }),
  );
}
