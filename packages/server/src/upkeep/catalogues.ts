import { systemClock } from '../base/clock.ts';
import { OperatorError } from '../base/errors.ts';
import { keepDoing, pause, type Stoppable } from '../base/repeat.ts';
import { DownloadError, Fetcher } from '../platform/fetch/index.ts';
import { ifFree } from '../platform/lock/index.ts';
import { readSecretKey } from '../platform/relay/index.ts';
import { revision } from '../records/index.ts';
import { type By, recordAct } from '../registry/index.ts';
import { isDead, isWorkFree, runCommand, type Service, takeFolderLock, takeWorkLock } from '../service/index.ts';
import {
  addCatalogue,
  type CheckResult,
  catalogueAddress,
  checkCatalogue,
  fetchManifest,
  listCatalogues,
  NoManifest,
  type Publication,
  publishCatalogue,
  type ReadResult,
  readCatalogue,
  removeCatalogue,
} from '../sharing/index.ts';
import { askForWork, policyOf, type Task } from '../work/index.ts';

/** Time between two searches for due catalogues, or for changes to publish, in milliseconds. */
const LOOK_MS = 2_000;
/** Publishing takes at most this share of the time. */
const SHARE = 1 / 10;
/** Time after which reading is tried again if its process failed, in milliseconds. */
const RETRY_MS = 30_000;

type Progress = Pick<Task, 'onProgress' | 'signal'>;

/**
 * Writes the files of the published catalogue.
 * @throws OperatorError if the setting is off, or if another process writes them
 */
export async function publishNow(service: Service, { onProgress, signal }: Progress): Promise<Publication> {
  const { config, store } = service;
  const { publicUrl, mediaUrl, operatorName } = config.service;
  if (config.sharing.publish === 'off') {
    throw new OperatorError('The catalogue is not published: set ZOETROPE_PUBLISH=on');
  }
  const lock = takeFolderLock(store, 'publish', 'zoetrope catalogue publish');
  try {
    return await publishCatalogue({
      db: store.db,
      policy: await policyOf(service),
      folder: store.catalogue,
      key: readSecretKey(config.http.nostrKey),
      mediaUrl: mediaUrl || publicUrl,
      name: operatorName,
      url: publicUrl,
      now: Math.floor(systemClock.now() / 1_000),
      onProgress: (done) => onProgress({ phase: 'read', done, total: null }),
      signal,
    });
  } finally {
    lock.release();
  }
}

/** Keeps the published catalogue up to date, in a separate process. */
export function keepPublishing(service: Service): Stoppable {
  const { config, store, log } = service;
  let published = -1;

  async function look(signal: AbortSignal): Promise<void> {
    if (config.sharing.publish === 'off') return;
    await store.ready();
    const now = await revision(store.db);
    if (now === published) return;
    const began = performance.now();
    const end = await runCommand(signal, 'catalogue', 'publish', '--quiet');
    if (end.code === 0) published = now;
    else if (isDead(end) && !signal.aborted)
      log.warn({ err: end.error }, 'could not publish the catalogue; trying again');
    await pause((performance.now() - began) / SHARE, signal);
  }

  return keepDoing(LOOK_MS, look, (error) => log.warn({ err: error }, 'could not publish the catalogue; trying again'));
}

/** Returns which of these URLs belong to catalogues. @throws OperatorError if a manifest is invalid */
export async function findCatalogues(
  { config, store }: Service,
  urls: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const followed = new Set((await listCatalogues(store.db)).map(({ url }) => url));
  const fetcher = new Fetcher(config.fetch);
  try {
    const found: string[] = [];
    for (const given of urls) {
      if (/\.(gif|webp)$/i.test(URL.parse(given)?.pathname ?? '')) continue;
      const url = catalogueAddress(given);
      if (followed.has(url) || (await isPublished({ fetcher, url, signal }))) found.push(given);
    }
    return found;
  } finally {
    await fetcher.close();
  }
}

async function isPublished(remote: Parameters<typeof fetchManifest>[0]): Promise<boolean> {
  try {
    await fetchManifest(remote);
    return true;
  } catch (error) {
    if (error instanceof DownloadError) return false;
    if (error instanceof OperatorError && error.cause instanceof NoManifest) return false;
    throw error;
  }
}

/**
 * Follows a catalogue, and reads what has changed in it. A catalogue whose first manifest is refused is not followed.
 * @returns undefined if a running service reads catalogues now
 * @throws OperatorError that names what is wrong
 */
export async function followCatalogue(
  service: Service,
  by: By,
  given: string,
  task: Progress,
): Promise<ReadResult | undefined> {
  const { store, registry } = service;
  const url = catalogueAddress(given);
  await registry.ready();
  const isNew = await addCatalogue(store.db, url);
  if (isNew) await recordAct(registry.db, by, { action: 'catalogue follow', subject: url });
  const lock = await ifFree(() => takeWorkLock(store, 'catalogues'));
  if (lock === undefined) return undefined;
  try {
    return await readOne(service, url, task);
  } catch (error) {
    const row = (await listCatalogues(store.db)).find((one) => one.url === url);
    if (isNew && row?.pubkey === null) await removeCatalogue(store.db, url, 'keep');
    throw error;
  } finally {
    await lock.release();
  }
}

async function readOne({ config, store }: Service, url: string, { onProgress, signal }: Progress): Promise<ReadResult> {
  const fetcher = new Fetcher(config.fetch);
  const report = (done: number, total: number) => onProgress({ phase: 'read', done, total });
  try {
    return await readCatalogue({ db: store.db, fetcher, url, now: systemClock.now(), onProgress: report, signal });
  } finally {
    await fetcher.close();
  }
}

/** Returns the followed catalogues that are due now. */
async function dueCatalogues({ config, store }: Service): Promise<string[]> {
  const before = systemClock.now() - config.sharing.followSeconds * 1_000;
  return (await listCatalogues(store.db)).flatMap(({ url, checkedAt }) => (checkedAt <= before ? [url] : []));
}

/** Reads the followed catalogues that are due. A running service then makes a build. */
export async function readDueCatalogues(service: Service, task: Progress): Promise<void> {
  const lock = await takeWorkLock(service.store, 'catalogues', { holder: 'zoetrope catalogue follow' });
  try {
    for (const url of await dueCatalogues(service)) {
      try {
        const { read, removed } = await readOne(service, url, task);
        if (read + removed > 0) await askForWork(service);
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        service.log.warn({ reason: error.message }, 'could not read a catalogue; trying again later');
      }
    }
  } finally {
    await lock.release();
  }
}

/** Reads the followed catalogues when they are due, in a separate process. */
export function keepFollowingCatalogues(service: Service): Stoppable {
  const { store, log } = service;

  async function look(signal: AbortSignal): Promise<void> {
    await store.ready();
    if ((await dueCatalogues(service)).length === 0 || !(await isWorkFree(store, 'catalogues'))) return;
    const end = await runCommand(signal, 'catalogue', 'follow', '--quiet');
    if (end.code !== 0 && !signal.aborted) await pause(RETRY_MS, signal);
  }

  return keepDoing(LOOK_MS, look, (error) => log.warn({ err: error }, 'could not read catalogues; trying again'));
}

/** Stops following a catalogue. @returns the number of withdrawn GIFs @throws OperatorError if it was not followed */
export async function leaveCatalogue(
  service: Service,
  by: By,
  given: string,
  gifs: 'keep' | 'withdraw',
): Promise<number> {
  const { store, registry } = service;
  const url = catalogueAddress(given);
  await registry.ready();
  const removed = await removeCatalogue(store.db, url, gifs);
  if (removed === null)
    throw new OperatorError(`${given}: this catalogue is not followed; zoetrope catalogue list shows all`);
  await recordAct(registry.db, by, { action: 'catalogue leave', subject: url });
  if (removed > 0) await askForWork(service);
  return removed;
}

/** Fetches and checks a whole published catalogue. @throws OperatorError that names what is wrong */
export async function verifyCatalogue(
  { config }: Service,
  given: string,
  { onProgress, signal }: Progress,
): Promise<CheckResult> {
  const fetcher = new Fetcher(config.fetch);
  const report = (done: number, total: number) => onProgress({ phase: 'check', done, total });
  try {
    return await checkCatalogue({ fetcher, url: catalogueAddress(given), signal, onProgress: report });
  } finally {
    await fetcher.close();
  }
}
