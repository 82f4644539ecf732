import { createHash } from 'node:crypto';
import { singleFlight } from '../platform/cache/index.ts';
import { limitsOf } from './config.ts';
import { type Derivative, FITS, type MediaFormat, type Size } from './derivatives.ts';
import type { LinkVerdict } from './linked/link-book.ts';
import { LinkedOriginals, type LinkedSource } from './linked/linked.ts';
import { OnDemand, type StoredDerivative } from './on-demand.ts';
import type { MediaOptions } from './options.ts';
import { MediaRefusal } from './refusal.ts';
import { fileOf, type MediaSource, originalKey } from './source.ts';
import { sniff } from './walker/probe.ts';
import { WorkerPool } from './worker/pool.ts';
import type { Facts, FrameFacts, Job, Output } from './worker/protocol.ts';

/** The recorded facts about an ingested file. */
export interface Ingested extends Facts, FrameFacts {
  readonly sha256: string;
  /** File size of the original. */
  readonly bytes: number;
}

export interface IngestOptions {
  /** first: the animated preview and the still for grids. still: only the still for grids. */
  readonly previews: 'all' | 'first' | 'still';
  /** kept: the original is stored. left: the original is not stored. The default is `kept`. */
  readonly original?: 'kept' | 'left';
  /** See `PutOptions`. */
  readonly sameAs?: string | undefined;
}

/** An original in the blob store. */
export interface BlobHandle {
  readonly key: string;
  readonly bytes: number;
}

export interface Media {
  /**
   * Ingests a file. Checks the file, stores the original durably and makes all previews or only those for grids. The
   * call can be repeated. Throws MediaRefusal and stores nothing if the file can never be accepted. Throws ServiceError
   * `upstream_unavailable` if the file could be accepted later. The original of a linked GIF does not have to be
   * stored.
   */
  ingest(bytes: Uint8Array, options?: IngestOptions): Promise<Ingested>;
  /**
   * Returns a derivative, and makes the derivative if necessary. Throws ServiceError `not_found` if the derivative
   * cannot be made. This failure is cached for 5 minutes the first time, then for an hour, then for a day. Throws
   * ServiceError `upstream_unavailable` if too many derivatives are being made.
   */
  ensure(source: MediaSource, derivative: Derivative): Promise<StoredDerivative>;
  /**
   * Decodes frames at the given places of the animation (0 is the start, 1 the end). Each frame has 224 x 224 pixels,
   * or `size`. Each pixel has 3 bytes (red, green, blue). Pixels are row by row, on white. If a file has fewer frames,
   * or is too large to animate, frames repeat. Throws MediaRefusal like `ingest`.
   */
  frames(bytes: Uint8Array, places: readonly number[], size?: Size): Promise<Uint8Array>;
  /**
   * Checks whether the original of a linked GIF is still available. Records and returns the result. Rejects with the
   * reason of `signal` when aborted.
   */
  checkLink(source: LinkedSource, signal: AbortSignal): Promise<LinkVerdict>;
  /**
   * Fetches the first bytes of a linked GIF. Records and returns the facts in them. Rejects with the reason of `signal`
   * when aborted.
   */
  probeLink(source: LinkedSource, signal: AbortSignal): Promise<LinkVerdict>;
  /** Returns an original in the blob store, or null if the original is not stored here. */
  original(sha256: string, format: MediaFormat): Promise<BlobHandle | null>;
  /** Ends the worker processes. Running jobs are rejected. */
  close(): Promise<void>;
}

const IMAGES: Record<IngestOptions['previews'], Job['images']> = {
  all: { fits: FITS },
  first: { fits: ['w240'] },
  still: { fits: ['w240'], stillsOnly: true },
};

/** Creates the media room's operations. The caller must close the fetcher. */
export function createMedia(options: MediaOptions): Media {
  const { blobs, config, log } = options;
  const pool = new WorkerPool({ ...config, log, schedule: 'low' });
  const videos = new WorkerPool({ ...config, log, schedule: 'idle', workers: Math.ceil(config.workers / 2) });
  const linked = new LinkedOriginals(options);
  const onDemand = new OnDemand(options, { images: pool, videos }, linked);
  const fly = singleFlight<Ingested>();
  return {
    ingest: async (bytes, { previews, original = 'kept', sameAs } = { previews: 'all' }) => {
      const sha256 = check(bytes, config.maxBytes);
      const images = IMAGES[previews];
      const take = () => takeIn(options, pool, { bytes, sha256, images, original, sameAs });
      return fly(`${sha256} ${previews} ${original}`, take);
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
  readonly images: Job['images'];
  readonly original: 'kept' | 'left';
  readonly sameAs: string | undefined;
}

async function takeIn(
  { blobs, config }: MediaOptions,
  pool: WorkerPool,
  { bytes, sha256, images, original, sameAs }: Incoming,
): Promise<Ingested> {
  const outputs: Output[] = [];
  const job = { bytes, limits: limitsOf(config), images, frameFacts: true, frames: [] };
  const onOutput = (output: Output): void => void outputs.push(output);
  const { facts, frameFacts } = await pool.run(job, { priority: 'ingest', inputKey: sha256, onOutput });
  // The previews needed all frames, so all frames were decoded, and the file is not broken.
  const source = { id: sha256, sha256 };
  if (original === 'kept') await blobs.put(originalKey(sha256, facts.format), bytes, { sameAs });
  await Promise.all(outputs.map((output) => blobs.put(fileOf(source, output.target).key, output.bytes)));
  return { ...facts, ...frameFacts!, sha256, bytes: bytes.length };
}

async function readFrames(
  { config }: MediaOptions,
  pool: WorkerPool,
  { bytes, places, size }: { bytes: Uint8Array; places: readonly number[]; size?: Size },
): Promise<Uint8Array> {
  const inputKey = check(bytes, config.maxBytes);
  const wanted = { frames: places, ...(size && { frameSize: size }) };
  const job = { bytes, limits: limitsOf(config), images: { fits: [] }, frameFacts: false, ...wanted };
  const { frames } = await pool.run(job, { priority: 'ingest', inputKey, onOutput: () => {} });
  return frames;
}

/**
 * Returns the hash of a file. First runs cheap checks, which reject most invalid files without a worker. Throws
 * MediaRefusal.
 */
function check(bytes: Uint8Array, maxBytes: number): string {
  if (bytes.length > maxBytes) {
    throw new MediaRefusal('too_large', `bytes is ${bytes.length}; the maximum is ${maxBytes}`);
  }
  sniff(bytes);
  return createHash('sha256').update(bytes).digest('hex');
}
