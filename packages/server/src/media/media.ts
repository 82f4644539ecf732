import { createHash } from 'node:crypto';
import { singleFlight } from '../platform/cache/index.ts';
import { limitsOf } from './config.ts';
import { type Derivative, FITS, type Fit, type MediaFormat, type Size } from './derivatives.ts';
import type { LinkVerdict } from './linked/link-book.ts';
import { LinkedOriginals, type LinkedSource } from './linked/linked.ts';
import { OnDemand, type StoredDerivative } from './on-demand.ts';
import type { MediaOptions } from './options.ts';
import { MediaRefusal } from './refusal.ts';
import { fileOf, type MediaSource, originalKey } from './source.ts';
import { sniff } from './walker/probe.ts';
import { WorkerPool } from './worker/pool.ts';
import type { Facts, Output } from './worker/protocol.ts';

/** What is recorded of a file that was taken in. */
export interface Ingested extends Facts {
  readonly sha256: string;
  /** Length of the original. */
  readonly bytes: number;
  /** A tiny placeholder as a data URI; null for an image that shows nothing. */
  readonly lqip: string | null;
}

export interface IngestOptions {
  readonly previews: 'all' | 'first';
  /** left: it is not stored; kept if left out. */
  readonly original?: 'kept' | 'left';
}

/** An original that lies in the blob store. */
export interface BlobHandle {
  readonly key: string;
  readonly bytes: number;
}

export interface Media {
  /**
   * Takes in a file: checks it, stores the original durably and makes its previews, all of them or the one that
   * grids show first. Doing it again is harmless. Throws MediaRefusal, and nothing is stored, when the file can
   * never be taken; ServiceError `upstream_unavailable` when it may be later. The original of a GIF that stays where it
   * is can be left out.
   */
  ingest(bytes: Uint8Array, options?: IngestOptions): Promise<Ingested>;
  /**
   * A derivative, stored already or made now. Throws ServiceError: `not_found` when it cannot be made (remembered for
   * 5 minutes, then an hour, then a day), `upstream_unavailable` when too many are being made.
   */
  ensure(source: MediaSource, derivative: Derivative): Promise<StoredDerivative>;
  /**
   * Frames of a file as pixels: for each place in the animation, from 0 for its start to 1 for its end, 224 x 224
   * pixels, or as many as `size` says, of 3 bytes, red, green, blue, row by row; what is transparent is white. A file of
   * fewer frames, or one that is too large to be animated, repeats some. Throws MediaRefusal like `ingest`.
   */
  frames(bytes: Uint8Array, places: readonly number[], size?: Size): Promise<Uint8Array>;
  /**
   * Looks whether the original of a linked GIF is still to be had, writes that down and says it. Rejects with the reason
   * of `signal` when that aborts.
   */
  checkLink(source: LinkedSource, signal: AbortSignal): Promise<LinkVerdict>;
  /**
   * Fetches the first bytes of a linked GIF, writes down what they say of it, and says how that went. Rejects with the
   * reason of `signal` when that aborts.
   */
  probeLink(source: LinkedSource, signal: AbortSignal): Promise<LinkVerdict>;
  /** Where an original lies; null when it does not lie here. */
  original(sha256: string, format: MediaFormat): Promise<BlobHandle | null>;
  /** Ends the worker processes; what they were doing is rejected. */
  close(): Promise<void>;
}

/** The fetcher stays the caller's to close. */
export function createMedia(options: MediaOptions): Media {
  const { blobs, config, log } = options;
  const pool = new WorkerPool({ ...config, log, schedule: 'low' });
  const videos = new WorkerPool({ ...config, log, schedule: 'idle', workers: Math.ceil(config.workers / 2) });
  const linked = new LinkedOriginals(options);
  const onDemand = new OnDemand(options, { images: pool, videos }, linked);
  const fly = singleFlight<Ingested>();
  return {
    ingest: async (bytes, { previews, original = 'kept' } = { previews: 'all' }) => {
      const sha256 = check(bytes, config.maxBytes);
      const fits = previews === 'all' ? FITS : (['w240'] as const);
      return fly(`${sha256} ${previews} ${original}`, () => takeIn(options, pool, { bytes, sha256, fits, original }));
    },
    ensure: (source, derivative) => onDemand.ensure(source, derivative),
    frames: (bytes, places, size) => readFrames(options, pool, { bytes, places, ...(size && { size }) }),
    checkLink: (source, signal) => linked.check(source, signal),
    probeLink: (source, signal) => linked.probe(source, signal),
    original: async (sha256, format) => {
      const key = originalKey(sha256, format);
      const found = await blobs.head(key);
      return found === null ? null : { key, bytes: found.bytes };
    },
    close: async () => {
      await Promise.all([pool.close(), videos.close()]);
    },
  };
}

interface Incoming {
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly fits: readonly Fit[];
  readonly original: 'kept' | 'left';
}

async function takeIn(
  { blobs, config }: MediaOptions,
  pool: WorkerPool,
  { bytes, sha256, fits, original }: Incoming,
): Promise<Ingested> {
  const outputs: Output[] = [];
  const job = { bytes, limits: limitsOf(config), images: { fits }, lqip: true, frames: [] };
  const onOutput = (output: Output): void => void outputs.push(output);
  const { facts, lqip } = await pool.run(job, { priority: 'ingest', inputKey: sha256, onOutput });
  // Every frame that a preview shows has been decoded by now: nothing of a broken file gets this far.
  const source = { id: sha256, sha256 };
  if (original === 'kept') await blobs.put(originalKey(sha256, facts.format), bytes);
  await Promise.all(outputs.map((output) => blobs.put(fileOf(source, output.target).key, output.bytes)));
  return { ...facts, sha256, bytes: bytes.length, lqip };
}

async function readFrames(
  { config }: MediaOptions,
  pool: WorkerPool,
  { bytes, places, size }: { bytes: Uint8Array; places: readonly number[]; size?: Size },
): Promise<Uint8Array> {
  const inputKey = check(bytes, config.maxBytes);
  const wanted = { frames: places, ...(size && { frameSize: size }) };
  const job = { bytes, limits: limitsOf(config), images: { fits: [] }, lqip: false, ...wanted };
  const { frames } = await pool.run(job, { priority: 'ingest', inputKey, onOutput: () => {} });
  return frames;
}

/** The hash of a file that is worth a worker: most wrong files end here. Throws MediaRefusal. */
function check(bytes: Uint8Array, maxBytes: number): string {
  if (bytes.length > maxBytes) {
    throw new MediaRefusal('too_large', `bytes is ${bytes.length}; at most ${maxBytes} are taken`);
  }
  sniff(bytes);
  return createHash('sha256').update(bytes).digest('hex');
}
