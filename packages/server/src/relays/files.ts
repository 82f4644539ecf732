import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import { ServiceError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { noteLink } from '../catalog/index.ts';
import {
  type AddressNews,
  addressesToSee,
  type DeriveOptions,
  type DueAddress,
  isWanted,
  noteAddress,
  postponeHost,
} from '../claims/index.ts';
import { type Media, MediaRefusal } from '../media/index.ts';
import { type Database, inTransaction } from '../platform/db/index.ts';
import { DownloadError, type DownloadFailure, type DownloadOptions, type Fetcher } from '../platform/fetch/index.ts';
import { addUsage, endOfDay, usageOf } from '../platform/relay/index.ts';
import { noteSeenPicture } from '../vectors/index.ts';

/** Maximum number of hosts that are contacted in parallel, each for one file at a time. */
const HOSTS_AT_ONCE = 8;

/** Pause before an idle worker looks for new work again, while other workers wait for slow hosts. */
const LOOK_MS = 500;

/**
 * Time during which a host that did not respond gets no requests. In the meantime, files of other hosts are fetched.
 */
const REST_MS = 60_000;
const SILENT: ReadonlySet<string> = new Set<DownloadFailure>(['unreachable', 'timed_out']);

/**
 * Pauses before the further attempts to fetch a file that its server did not return. After the last attempt, the file
 * is rejected.
 */
const PAUSES_MS = [60_000, 600_000, 3_600_000, 6 * 3_600_000, 24 * 3_600_000];

/** Failures that can be temporary. */
const PASSING: ReadonlySet<DownloadFailure> = new Set(['unreachable', 'timed_out', 'bad_status', 'too_many_requests']);

export interface FilesOptions {
  db: Database;
  media: Pick<Media, 'ingest'>;
  fetcher: Pick<Fetcher, 'download'>;
  clock: Clock;
  log: Log;
  maxBytes: number;
  timeoutMs: number;
  /**
   * linked: the files are not stored here. originals: the files are served from here. kept: the files stay linked, but
   * are also stored here, so that more images can be made from them.
   */
  store: 'linked' | 'kept' | 'originals';
  /** Daily limits. */
  quotas: { hostFiles: number; bytes: number };
  deriving(): DeriveOptions;
  signal: AbortSignal;
}

/**
 * Fetches the files at the URLs that are due. The URL that has waited longest comes first. Each host gets one request
 * at a time.
 * @returns the number of URLs that were checked
 */
export async function seeAddresses(options: FilesOptions): Promise<number> {
  const busy = new Set<string>();
  let seen = 0;
  let hasFailed = false;
  let choosing: Promise<DueAddress | undefined> = Promise.resolve(undefined);
  /** Chooses the next URL. Calls run one after the other, so that no two workers choose the same URL. */
  const choose = (): Promise<DueAddress | undefined> => {
    choosing = choosing.then(async () => {
      const next = await nextAddress(busy, options);
      if (next !== undefined) busy.add(next.host);
      return next;
    });
    return choosing;
  };
  const taker = async () => {
    while (!hasFailed) {
      options.signal.throwIfAborted();
      const address = await choose();
      if (address === undefined && busy.size === 0) return;
      if (address === undefined) await wait(LOOK_MS, undefined, { signal: options.signal });
      else {
        await seeAddress(address, options).finally(() => busy.delete(address.host));
        seen++;
      }
    }
  };
  const guarded = () =>
    taker().catch((error) => {
      hasFailed = true;
      throw error;
    });
  // The first failure is thrown only after all workers have finished, so that the caller closes nothing that is still
  // in use.
  const ends = await Promise.allSettled(Array.from({ length: HOSTS_AT_ONCE }, guarded));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return seen;
}

const BYTES = 'bytes';

/**
 * Returns the URL that has waited longest and whose host is not in use, or undefined if there is no such URL or a daily
 * limit is reached.
 */
async function nextAddress(busy: ReadonlySet<string>, options: FilesOptions): Promise<DueAddress | undefined> {
  const { db, clock, quotas } = options;
  const now = clock.now();
  for (;;) {
    const [next] = await addressesToSee(db, now, { limit: 1, busy });
    if (next === undefined) return undefined;
    const key = `files ${next.host}`;
    const used = await usageOf(db, [BYTES, key], now);
    if ((used.get(BYTES) ?? 0) >= quotas.bytes) return undefined;
    if ((used.get(key) ?? 0) < quotas.hostFiles) return next;
    await postponeHost(db, next.host, endOfDay(now));
  }
}

async function seeAddress({ url, host, tries }: DueAddress, options: FilesOptions): Promise<void> {
  const { db, clock, log, store } = options;
  const used = new Map([
    [BYTES, 0],
    [`files ${host}`, 1],
  ]);
  const onBytes = (bytes: number) => used.set(BYTES, used.get(BYTES)! + bytes);
  let news: AddressNews;
  try {
    news = await look({ url, tries }, { ...options, onBytes });
  } finally {
    await addUsage(db, used, clock.now());
  }
  if (news.state !== 'there') log.debug({ url, reason: news.reason }, 'skipped a GIF of a relay');
  await inTransaction(db, async (trx) => {
    await noteAddress(trx, url, news, options.deriving());
    if (news.state !== 'there') {
      if (SILENT.has(news.reason)) await postponeHost(trx, host, clock.now() + REST_MS);
      return;
    }
    await noteSeenPicture(trx, `${news.facts.sha256}.gif`);
  });
  if (news.state !== 'there' || store !== 'kept') return;
  const { sha256 } = news.facts;
  await noteLink(db, `${sha256}.gif`, { state: 'alive', url, kept: sha256 }, clock.now());
}

async function look(
  { url, tries }: Pick<DueAddress, 'url' | 'tries'>,
  options: FilesOptions & Required<Pick<DownloadOptions, 'onBytes'>>,
): Promise<AddressNews> {
  const { clock, maxBytes, timeoutMs, signal, onBytes } = options;
  try {
    return await take(url, await options.fetcher.download(url, { maxBytes, timeoutMs, signal, onBytes }), options);
  } catch (error) {
    signal.throwIfAborted();
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    const pause = reason.passes ? PAUSES_MS[tries] : undefined;
    if (pause === undefined) return { state: 'refused', reason: reason.name };
    return { state: 'waiting', reason: reason.name, nextAt: clock.now() + pause };
  }
}

async function take(url: string, bytes: Uint8Array, { db, media, store }: FilesOptions): Promise<AddressNews> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (!(await isWanted(db, url, sha256))) return { state: 'refused', reason: 'other_bytes', sha256 };
  const original = store === 'linked' ? 'left' : 'kept';
  const { format, width, height, frames, durationMs, lqip, transparent, blankStill } = await media.ingest(bytes, {
    previews: 'first',
    original,
  });
  if (frames < 2) return { state: 'refused', reason: 'not_animated' };
  const facts = {
    ...{ sha256, format, width, height, frames, durationMs, bytes: bytes.length },
    ...{ lqip, transparent, blankStill },
  };
  return { state: 'there', facts, kept: store === 'originals' };
}

function reasonOf(error: unknown): { name: string; passes: boolean } | undefined {
  if (error instanceof DownloadError) return { name: error.reason, passes: PASSING.has(error.reason) };
  if (error instanceof MediaRefusal) return { name: error.reason, passes: false };
  if (error instanceof ServiceError) return { name: error.code, passes: true };
  return undefined;
}
