import { createHash } from 'node:crypto';
import { ServiceError } from '../../base/errors.ts';
import { readBlob } from '../../platform/blobs/index.ts';
import { DownloadError } from '../../platform/fetch/index.ts';
import type { MediaFormat, Size } from '../derivatives.ts';
import type { MediaOptions } from '../options.ts';
import { MediaRefusal } from '../refusal.ts';
import { type MediaSource, originalKey } from '../source.ts';
import { measure } from '../walker/measure.ts';
import type { Facts, FrameFacts } from '../worker/protocol.ts';
import { Hosts } from './hosts.ts';
import type { FileFacts, LinkFacts, LinkNews, LinkVerdict, LoadedOriginal } from './link-book.ts';

/**
 * Maximum number of URLs to try per GIF, because each URL can take the full download timeout while the job holds a
 * place in the queue.
 */
const MAX_ADDRESSES = 4;

/**
 * Maximum number of bytes to read for format and canvas size. A GIF has a palette and comments before its first frame.
 */
const HEADER_BYTES = 16_384;

/** The data needed to find a linked GIF's original. */
export type LinkedSource = Pick<MediaSource, 'id' | 'url' | 'format' | 'expectedSha256'>;

/** Fetches the originals of linked GIFs from the first URL that works, and records that URL. */
export class LinkedOriginals {
  readonly #options: MediaOptions;
  readonly #hosts: Hosts;

  constructor(options: MediaOptions) {
    this.#options = options;
    this.#hosts = new Hosts(options.clock);
  }

  /**
   * Returns an original: the stored bytes if there are any, otherwise the bytes from the first URL that works. If no
   * URL works, throws the error for the shown URL.
   */
  async load(source: LinkedSource): Promise<LoadedOriginal> {
    const facts = await this.#factsOf(source);
    const kept = await this.#readKept(source, facts);
    if (kept !== null) return { bytes: kept, sha256: facts.kept, url: null };
    const { original, failure } = await this.#search(source, facts);
    if (original === null) throw failure;
    return original;
  }

  /** Records the facts that a worker found in a fetched file. */
  async learn(
    source: LinkedSource,
    { url, sha256, bytes, facts }: { url: string; sha256: string; bytes: number; facts: Facts & FrameFacts },
  ): Promise<void> {
    const { format, width, height, frames, durationMs, transparent, blankStill } = facts;
    const read = { format, width, height, frames, durationMs, transparent, blankStill, sha256, bytes };
    await this.#note(source, { state: 'alive', url, kept: null, facts: read });
  }

  /**
   * Fetches the first bytes of an original from the first URL that returns an image, and records the facts in these
   * bytes. Rejects with the reason of `signal` when aborted.
   */
  async probe(source: LinkedSource, signal: AbortSignal): Promise<LinkVerdict> {
    const { addresses } = await this.#factsOf(source);
    let failure: Failure | null = null;
    for (const url of addresses.slice(0, MAX_ADDRESSES)) {
      try {
        const facts = await this.#readHeader(url, source.expectedSha256 ?? null, signal);
        return await this.#note(source, { state: 'alive', url, kept: null, facts });
      } catch (error) {
        if (!isFailure(error)) throw error;
        failure ??= error;
      }
    }
    if (failure === null) return this.#note(source, { state: 'gone', reason: 'no_address' });
    const isNoImage = failure instanceof MediaRefusal || failure.reason === 'wrong_content_type';
    const news: LinkNews = isNoImage ? { state: 'gone', reason: failure.reason } : newsOf(failure);
    return { ...(await this.#note(source, news)), failure };
  }

  async #readHeader(url: string, expected: string | null, signal: AbortSignal): Promise<FileFacts> {
    const limits = { ...this.#limits(), length: HEADER_BYTES, signal };
    const { bytes, total } = await this.#options.fetcher.beginning(url, limits);
    const size = measure(bytes);
    const { maxCanvasPixels } = this.#options.config;
    if (size.width * size.height > maxCanvasPixels) {
      const message = `width x height is ${size.width * size.height}; the maximum is ${maxCanvasPixels} pixels`;
      throw new MediaRefusal('too_large', message);
    }
    const sha256 = total === bytes.length ? createHash('sha256').update(bytes).digest('hex') : null;
    if (sha256 !== null && expected !== null && sha256 !== expected) throw otherBytes();
    return { ...size, bytes: total, sha256, frames: null, durationMs: null };
  }

  /**
   * Checks whether the original is still available. If an operator's URL worked before, a HEAD request is enough. If
   * the HEAD request fails, the bytes are fetched, because a single response is not reliable enough. Files at
   * strangers' URLs are always fetched, to compare the hash. The source's URL is shown again as soon as that URL works.
   */
  async check(source: LinkedSource, signal: AbortSignal): Promise<LinkVerdict> {
    const facts = await this.#factsOf(source);
    const shown = facts.addresses[0];
    if (facts.isSound && facts.isTrusted && shown !== undefined && (await this.#answers(shown, signal))) {
      return this.#note(source, { state: 'alive', url: shown, kept: null });
    }
    const addresses = [...new Set([facts.listed, ...facts.addresses])].filter((url) => url !== '');
    const { verdict } = await this.#search(source, { ...facts, addresses }, signal);
    return verdict;
  }

  async #factsOf({ id, url }: LinkedSource): Promise<LinkFacts> {
    const known = await this.#options.links?.find(id);
    const facts = known ?? {
      ...{ addresses: url === null ? [] : [url], kept: null, isSound: true },
      ...{ listed: url ?? '', isTrusted: true },
    };
    if (this.#options.config.linkedHttp === 'show') return facts;
    return { ...facts, listed: secured(facts.listed), addresses: [...new Set(facts.addresses.map(secured))] };
  }

  async #readKept(source: LinkedSource, { kept }: LinkFacts): Promise<Uint8Array | null> {
    if (kept === null) return null;
    // The actual format can differ from the format in the catalogue.
    const formats: readonly MediaFormat[] = source.format === 'gif' ? ['gif', 'webp'] : ['webp', 'gif'];
    for (const format of formats) {
      const bytes = await readBlob(this.#options.blobs, originalKey(kept, format));
      if (bytes !== null) return bytes;
    }
    return null;
  }

  async #answers(url: string, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#options.fetcher.probe(url, { ...this.#limits(), signal });
      return true;
    } catch (error) {
      if (error instanceof DownloadError) return false;
      throw error;
    }
  }

  /**
   * Tries one URL after another until a URL returns the original. If no URL does, reports the failure of the first URL.
   */
  async #search(source: LinkedSource, facts: LinkFacts, signal?: AbortSignal): Promise<FetchResult> {
    const { addresses } = facts;
    const expected = source.expectedSha256 ?? null;
    let failure: Failure | null = null;
    for await (const url of this.#addressesOf(facts, expected)) {
      try {
        const original = await this.#take(url, expected, signal);
        // If no hash proves that the bytes are equal, another URL is shown only if the first URL is gone.
        const mayBeShown = url === addresses[0] || expected !== null || (failure !== null && isGone(failure));
        if (mayBeShown) return { failure, ...(await this.#found(source, url, original)) };
        const verdict = await this.#note(source, { state: 'unclear' });
        return { original: { bytes: original.bytes, sha256: null, url: null }, failure, verdict };
      } catch (error) {
        if (!isFailure(error)) throw error;
        failure ??= error;
      }
    }
    if (failure === null) throw new ServiceError('not_found', 'the original is neither stored nor at a known URL');
    return { original: null, failure, verdict: await this.#note(source, newsOf(failure)) };
  }

  async #found(
    source: LinkedSource,
    url: string,
    original: Original,
  ): Promise<Pick<FetchResult, 'original' | 'verdict'>> {
    const { bytes, sha256 } = original;
    const facts = factsIn(original, source.expectedSha256 ?? null);
    const news: LinkNews = { state: 'alive', url, kept: await this.#keep(original), facts };
    return { original: { bytes, sha256, url }, verdict: await this.#note(source, news) };
  }

  /**
   * Yields the URLs to try: those of the GIF, those on the Blossom servers of its authors, and those on the servers of
   * the settings.
   */
  async *#addressesOf({ addresses, ownServers }: LinkFacts, expected: string | null): AsyncGenerator<string> {
    const urls = addresses.slice(0, MAX_ADDRESSES);
    yield* new Set(urls);
    if (expected === null) return;
    const { linkedHttp } = this.#options.config;
    const own = (await ownServers?.())?.slice(0, MAX_ADDRESSES) ?? [];
    const servers = [
      ...(linkedHttp === 'show' ? own : own.map((server) => secured(server).replace(/\/$/, ''))),
      ...blossomServers(this.#options.config),
    ];
    for (const url of new Set(servers.map((server) => `${server}/${expected}`))) if (!urls.includes(url)) yield url;
  }

  async #take(url: string, expected: string | null, signal?: AbortSignal): Promise<Original> {
    const { fetcher } = this.#options;
    const limits = this.#limits();
    const bytes = await this.#hosts.ask(url, () =>
      fetcher.download(url, signal === undefined ? limits : { ...limits, signal }),
    );
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    if (expected !== null && sha256 !== expected) throw otherBytes();
    return { bytes, sha256, size: measure(bytes) };
  }

  /** Stores an original. @returns the hash of the stored file, or null if the file must not be stored */
  async #keep({ bytes, sha256, size }: Original): Promise<string | null> {
    if (this.#options.config.keepLinked === 'off') return null;
    await this.#options.blobs.put(originalKey(sha256, size.format), bytes);
    return sha256;
  }

  /**
   * Records the result. If the result cannot be recorded, the error is only logged, because the next download will give
   * the same result.
   */
  async #note({ id }: LinkedSource, news: LinkNews): Promise<LinkVerdict> {
    const { links, log } = this.#options;
    const { state } = news;
    try {
      return { state, change: (await links?.note(id, news)) ?? null };
    } catch (error) {
      log.warn({ err: error, id }, 'the state of a link could not be saved');
      return { state, change: null };
    }
  }

  #limits() {
    const { maxBytes, downloadTimeoutMs } = this.#options.config;
    return { maxBytes, timeoutMs: downloadTimeoutMs };
  }
}

interface Original {
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly size: Size & { readonly format: MediaFormat };
}

/** An original, or null and the error for the first URL. Also contains the recorded result. */
interface FetchResult {
  readonly original: LoadedOriginal | null;
  readonly failure: Failure | null;
  readonly verdict: LinkVerdict;
}

/**
 * Returns the facts about a file that are known after its download. They include the hash only if it was known before.
 * Otherwise, previews of an earlier file at this URL may exist, so `learn` sets the hash together with new previews.
 */
function factsIn({ bytes, sha256, size }: Original, expected: string | null): FileFacts {
  return { ...size, bytes: bytes.length, sha256: expected === null ? null : sha256, frames: null, durationMs: null };
}

/** Returns the https URL with the same host and path. */
function secured(address: string): string {
  const url = URL.parse(address);
  if (url === null || url.protocol !== 'http:') return address;
  url.protocol = 'https:';
  return url.href;
}

function otherBytes(): MediaRefusal {
  return new MediaRefusal('other_bytes', 'the bytes at its URL do not have the hash that its source lists');
}

type Failure = DownloadError | MediaRefusal;

function isFailure(error: unknown): error is Failure {
  return error instanceof DownloadError || error instanceof MediaRefusal;
}

/**
 * Returns whether the server reports that the file is gone, the host does not exist, or the file has other bytes. A
 * file on a host that does not respond is not gone, because the host can come back.
 */
function isGone({ reason }: Failure): boolean {
  return reason === 'gone' || reason === 'no_such_host' || reason === 'other_bytes';
}

function newsOf(failure: Failure): LinkNews {
  return isGone(failure) ? { state: 'gone', reason: failure.reason } : { state: 'unclear' };
}

function blossomServers({ blossomServers: list }: MediaOptions['config']): string[] {
  return list.split(',').flatMap((server) => server.trim().replace(/\/+$/, '') || []);
}
