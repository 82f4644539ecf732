import { ServiceError } from '../base/errors.ts';
import { goOn } from '../base/log.ts';
import { readBlob } from '../platform/blobs/index.ts';
import { DownloadError } from '../platform/fetch/index.ts';
import { limitsOf } from './config.ts';
import type { Derivative } from './derivatives.ts';
import { Failures } from './failures.ts';
import { type Line, Lines } from './lines.ts';
import { HostResting, hostOf } from './linked/hosts.ts';
import type { LoadedOriginal } from './linked/link-book.ts';
import type { LinkedOriginals } from './linked/linked.ts';
import type { MediaOptions } from './options.ts';
import { MediaRefusal } from './refusal.ts';
import {
  type ContentType,
  contentKey,
  type DerivativeFile,
  derivativeFile,
  derivativeFiles,
  fileOf,
  type MediaSource,
  originalKey,
} from './source.ts';
import type { WorkerPool } from './worker/pool.ts';
import type { Output } from './worker/protocol.ts';

/** A derivative in the blob store. */
export interface StoredDerivative {
  readonly key: string;
  readonly bytes: number;
  readonly contentType: ContentType;
}

type Waiting = Map<string, PromiseWithResolvers<StoredDerivative>>;

/** The pools of workers. Videos take seconds, so they have a separate pool and do not delay previews. */
export interface Pools {
  images: WorkerPool;
  videos: WorkerPool;
}

/** Maximum CPU time for one video, in seconds. Encoders use several cores. The system's ffmpeg has a separate limit. */
const MAX_VIDEO_CPU_SECONDS = 300;

/** Makes derivatives on request. Concurrent requests for a derivative share one run. */
export class OnDemand {
  readonly #options: MediaOptions;
  readonly #pools: Pools;
  readonly #linked: LinkedOriginals;
  readonly #failures: Failures;
  /** Derivatives in progress, by key. Concurrent requests share the promise. */
  readonly #making = new Map<string, Promise<StoredDerivative>>();
  readonly #lines: Lines;

  constructor(options: MediaOptions, pools: Pools, linked: LinkedOriginals) {
    this.#options = options;
    this.#linked = linked;
    this.#lines = new Lines(options.config.maxQueue, options.config.workers);
    this.#pools = pools;
    this.#failures = new Failures(options.clock);
  }

  /** Makes or finds a derivative (see `Media.ensure`). */
  async ensure(source: MediaSource, derivative: Derivative): Promise<StoredDerivative> {
    const file = derivativeFile(source, derivative);
    if (file === null)
      throw new ServiceError('not_found', 'this image is a still, or too long or too large to animate');
    const stored = await this.#options.blobs.head(file.key);
    if (stored !== null) return { key: file.key, bytes: stored.bytes, contentType: file.contentType };
    const failure = this.#failures.find(file.key);
    if (failure !== null) throw failure;
    return this.#making.get(file.key) ?? this.#start(source, file);
  }

  /**
   * Makes a derivative. For a linked original, makes all derivatives from one download, the requested one first,
   * because the original is not always stored.
   */
  #start(source: MediaSource, wanted: DerivativeFile): Promise<StoredDerivative> {
    const job = { line: lineOf(source, wanted), host: source.sha256 === null ? hostOf(source.url ?? '') : '' };
    const leave = this.#lines.enter(job);
    const others = isLinked(source) ? derivativeFiles(source).filter((file) => file.key !== wanted.key) : [];
    const files = [wanted, ...others].filter((file) => !this.#making.has(file.key));
    const waiting: Waiting = new Map(files.map((file) => [file.key, Promise.withResolvers()]));
    for (const [key, { promise }] of waiting) {
      this.#making.set(key, promise);
      promise.catch(() => {}); // usually, no caller is waiting for these derivatives
    }
    const made = this.#lines.run(job, () => this.#makeAll(source, files, waiting));
    goOn(this.#settleWhen(made, source, waiting).finally(leave), this.#options.log);
    return waiting.get(wanted.key)!.promise;
  }

  async #settleWhen(made: Promise<void>, source: MediaSource, waiting: Waiting): Promise<void> {
    try {
      await made;
      // An animation is missing if the file has more frames than the catalogue lists. A small video is missing if the
      // image is transparent.
      const message = 'the image is too large to animate, or too transparent for a small video';
      this.#settle(waiting, new MediaRefusal('too_large', message));
    } catch (error) {
      // If no derivative is missing, the error does not matter. `Media` was probably closed before the worker was done.
      if (waiting.size > 0) {
        this.#options.log[isBlamed(error) ? 'debug' : 'warn'](
          { err: error, id: source.id },
          'could not make a preview',
        );
      }
      this.#settle(waiting, error);
    }
  }

  async #makeAll(source: MediaSource, files: DerivativeFile[], waiting: Waiting): Promise<void> {
    const { bytes, sha256, url } = await this.#load(source);
    // A known hash becomes the file's name and the GIF's id, so new images must be stored under the hash.
    const named = this.#options.links === undefined ? source : { ...source, expectedSha256: sha256 };
    const stores: Promise<void>[] = [];
    const isVideo = files[0]?.target.kind === 'video';
    const limits = limitsOf(this.#options.config);
    const job = {
      bytes,
      limits: isVideo ? { ...limits, maxCpuSeconds: MAX_VIDEO_CPU_SECONDS } : limits,
      images: { targets: files.map((file) => file.target), of: { width: source.width, height: source.height } },
      frameFacts: isLinked(source),
      frames: [],
      videoEncoder: this.#options.videoEncoder ?? null,
    };
    const onOutput = (output: Output): void => {
      const store = this.#store(fileOf(source, output.target), fileOf(named, output.target).key, output.bytes, waiting);
      store.catch(() => {}); // awaited below, when the worker is done
      stores.push(store);
    };
    const pool = isVideo ? this.#pools.videos : this.#pools.images;
    const asked = { priority: 'on_demand', inputKey: contentKey(source), onOutput } as const;
    const { facts, frameFacts } = await pool.run(job, asked);
    await Promise.all(stores);
    if (url === null || sha256 === null) return;
    await this.#linked.learn(source, { url, sha256, bytes: bytes.length, facts: { ...facts, ...frameFacts! } });
  }

  async #store(
    { key, contentType }: DerivativeFile,
    namedKey: string,
    bytes: Uint8Array,
    waiting: Waiting,
  ): Promise<void> {
    await this.#options.blobs.put(key, bytes);
    if (namedKey !== key) await this.#options.blobs.put(namedKey, bytes);
    this.#failures.forget(key);
    this.#making.delete(key);
    waiting.get(key)?.resolve({ key, bytes: bytes.length, contentType });
    waiting.delete(key);
  }

  /** Rejects all callers who are still waiting. Only failures caused by the file or its server are cached. */
  #settle(waiting: Waiting, error: unknown): void {
    for (const [key, { reject }] of waiting) {
      this.#making.delete(key);
      if (error instanceof HostResting)
        reject(new ServiceError('not_found', `this preview cannot be made: ${error.message}`));
      else reject(isBlamed(error) ? this.#failures.add(key, error.message) : error);
    }
  }

  async #load(source: MediaSource): Promise<LoadedOriginal> {
    if (source.sha256 === null) return this.#linked.load(source);
    const original = await readBlob(this.#options.blobs, originalKey(source.sha256, source.format));
    if (original === null) throw new ServiceError('not_found', 'the original is not stored here');
    return { bytes: original, sha256: source.sha256, url: null };
  }
}

/**
 * Returns the queue for a job. Videos and linked files have their own queues, because encoders and slow servers take
 * seconds.
 */
function lineOf(source: MediaSource, { target }: DerivativeFile): Line {
  if (target.kind === 'video') return 'video';
  return isLinked(source) ? 'linked' : 'image';
}

function isLinked(source: MediaSource): boolean {
  return source.sha256 === null;
}

/** Returns whether the error was caused by the file or the file's server, and not by this service. */
function isBlamed(error: unknown): error is Error {
  if (error instanceof ServiceError) return error.code === 'not_found';
  return error instanceof MediaRefusal || error instanceof DownloadError;
}
