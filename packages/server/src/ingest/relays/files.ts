import { createHash } from 'node:crypto';
import {
  type AddressNews,
  addressesToSee,
  type DeriveOptions,
  isWanted,
  noteAddress,
  noteLink,
  noteSeenPicture,
} from '../../catalog/index.ts';
import type { Clock } from '../../clock.ts';
import { ServiceError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { type Media, MediaRefusal } from '../../media/index.ts';
import { type Database, inTransaction } from '../../platform/db/index.ts';
import { DownloadError, type DownloadFailure, type Fetcher } from '../../platform/fetch/index.ts';

/** Addresses read at once; the hosts among them are asked side by side, each for one file at a time. */
const PAGE = 64;
const HOSTS_AT_ONCE = 4;

/** A server that gives nothing is asked again after so long, and then left. */
const PAUSES_MS = [60_000, 600_000, 3_600_000, 6 * 3_600_000, 24 * 3_600_000];

/** What the same server may give at another time. */
const PASSING: ReadonlySet<DownloadFailure> = new Set(['unreachable', 'timed_out', 'bad_status', 'too_many_requests']);

export interface FilesOptions {
  db: Database;
  media: Pick<Media, 'ingest'>;
  fetcher: Pick<Fetcher, 'download'>;
  clock: Clock;
  log: Log;
  maxBytes: number;
  timeoutMs: number;
  /** originals: the files are ours to serve from then on; kept: they stay where they are, and here too, to make more of. */
  store: 'linked' | 'kept' | 'originals';
  deriving(): DeriveOptions;
  signal: AbortSignal;
}

/** Looks at the addresses that are due, and so at what is told of them. @returns how many were looked at */
export async function seeAddresses(options: FilesOptions): Promise<number> {
  const due = await addressesToSee(options.db, options.clock.now(), PAGE);
  const hosts = [...Map.groupBy(due, ({ url }) => new URL(url).host).values()];
  const taker = async () => {
    for (let host = hosts.shift(); host; host = hosts.shift()) {
      for (const address of host) {
        options.signal.throwIfAborted();
        await seeAddress(address, options);
      }
    }
  };
  // All of them end before the first failure is told, so that nothing is torn down under them.
  const ends = await Promise.allSettled(Array.from({ length: HOSTS_AT_ONCE }, taker));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return due.length;
}

async function seeAddress({ url, tries }: { url: string; tries: number }, options: FilesOptions): Promise<void> {
  const { db, clock, log, store } = options;
  const news = await look({ url, tries }, options);
  if (news.state !== 'there') log.debug({ url, reason: news.reason }, 'a GIF of a relay was not taken');
  await inTransaction(db, async (trx) => {
    await noteAddress(trx, url, news, options.deriving());
    if (news.state !== 'there') return;
    await noteSeenPicture(trx, `${news.facts.sha256}.gif`);
  });
  if (news.state !== 'there' || store !== 'kept') return;
  const { sha256 } = news.facts;
  await noteLink(db, `${sha256}.gif`, { state: 'alive', url, kept: sha256 }, clock.now());
}

async function look({ url, tries }: { url: string; tries: number }, options: FilesOptions): Promise<AddressNews> {
  const { clock, maxBytes, timeoutMs, signal } = options;
  try {
    return await take(url, await options.fetcher.download(url, { maxBytes, timeoutMs, signal }), options);
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
  const { format, width, height, frames, durationMs, lqip } = await media.ingest(bytes, {
    previews: 'first',
    original,
  });
  if (frames < 2) return { state: 'refused', reason: 'not_animated' };
  const facts = { sha256, format, width, height, frames, durationMs, bytes: bytes.length, lqip };
  return { state: 'there', facts, kept: store === 'originals' };
}

function reasonOf(error: unknown): { name: string; passes: boolean } | undefined {
  if (error instanceof DownloadError) return { name: error.reason, passes: PASSING.has(error.reason) };
  if (error instanceof MediaRefusal) return { name: error.reason, passes: false };
  if (error instanceof ServiceError) return { name: error.code, passes: true };
  return undefined;
}
