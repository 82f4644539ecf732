import { createHash } from 'node:crypto';
import { ServiceError } from '../errors.ts';
import { readBlob } from '../platform/blobs/index.ts';
import { DownloadError } from '../platform/fetch/index.ts';
import type { MediaOptions } from './on-demand.ts';
import { MediaRefusal } from './refusal.ts';
import { type MediaSource, originalKey } from './source.ts';
import type { MediaFormat } from './urls.ts';
import { sniff } from './walker/probe.ts';

/**
 * Told addresses that are tried for one GIF: each may take the whole time of a download, while a place among those that
 * wait for slow servers is held.
 */
const MAX_ADDRESSES = 4;

/** What the originals of linked GIFs are to be found by. */
export interface LinkFacts {
  /** Addresses of the same bytes, the one that answers show first. */
  readonly addresses: readonly string[];
  /** Hash of the original where it was kept here. */
  readonly kept: string | null;
  /** Whether the shown address had it the last time. */
  readonly isSound: boolean;
  /** The address that it was listed with. */
  readonly listed: string;
  /** Whether the shown address is the operator's; what a stranger named may give other bytes by now. */
  readonly isTrusted: boolean;
}

/** What was heard of the addresses of a linked GIF. */
export type LinkNews =
  /** One of them gave the original; its hash where that is kept here now. */
  | { readonly state: 'alive'; readonly url: string; readonly kept: string | null }
  /** The shown one does not have it any more, and no other gave it. */
  | { readonly state: 'gone'; readonly reason: string }
  /** Nothing can be said: servers are slow, or busy, or down. */
  | { readonly state: 'unclear' };

/** What became of a GIF by such news; moved: answers show another of its addresses from the next build on. */
export type LinkChange = 'hidden' | 'back' | 'moved' | null;

/** What a check of a link came to. */
export interface LinkVerdict {
  readonly state: LinkNews['state'];
  readonly change: LinkChange;
}

/** Where what is known of linked GIFs is kept. */
export interface LinkBook {
  /** Undefined when there is nothing to know but the address of the source itself. */
  find(id: string): Promise<LinkFacts | undefined>;
  note(id: string, news: LinkNews): Promise<LinkChange>;
}

/** What of a linked GIF has to be known to find its original. */
export type LinkedSource = Pick<MediaSource, 'id' | 'url' | 'format' | 'expectedSha256'>;

/** Gets the originals of linked GIFs from wherever they still are, and writes down where that is. */
export class LinkedOriginals {
  readonly #options: MediaOptions;

  constructor(options: MediaOptions) {
    this.#options = options;
  }

  /** The bytes of an original: kept ones, else those of the first address that has them. Throws why that has none. */
  async load(source: LinkedSource): Promise<Uint8Array> {
    const facts = await this.#factsOf(source);
    const kept = await this.#readKept(source, facts);
    if (kept !== null) return kept;
    const { bytes, failure } = await this.#search(source, facts);
    if (bytes === null) throw failure;
    return bytes;
  }

  /**
   * Looks whether the original is still to be had. An address of the operator that was sound is only asked whether it would give
   * it; the bytes are fetched where that fails, so that no verdict is made of one answer, and from strangers always, so that
   * their hash is compared. The address that the GIF was listed with is shown again as soon as it works.
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
    if (known !== undefined) return known;
    return { addresses: url === null ? [] : [url], kept: null, isSound: true, listed: url ?? '', isTrusted: true };
  }

  async #readKept(source: LinkedSource, { kept }: LinkFacts): Promise<Uint8Array | null> {
    if (kept === null) return null;
    // Under the format that its bytes have, which may not be the listed one.
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

  /** Downloads from one address after the other until one gives the original. The failure is that of the first. */
  async #search(source: LinkedSource, { addresses }: LinkFacts, signal?: AbortSignal): Promise<Found> {
    const expected = source.expectedSha256 ?? null;
    let failure: Failure | null = null;
    for (const url of this.#addressesOf(addresses, expected)) {
      try {
        const original = await this.#take(url, expected, signal);
        // Unless a hash says that these are the same bytes, another address is shown only once the first one is gone.
        const mayBeShown = url === addresses[0] || expected !== null || (failure !== null && isGone(failure));
        const news: LinkNews = mayBeShown
          ? { state: 'alive', url, kept: await this.#keep(original) }
          : { state: 'unclear' };
        return { bytes: original.bytes, failure, verdict: await this.#note(source, news) };
      } catch (error) {
        if (!isFailure(error)) throw error;
        failure ??= error;
      }
    }
    if (failure === null) throw new ServiceError('not_found', 'it has neither an original nor an address of one');
    return { bytes: null, failure, verdict: await this.#note(source, newsOf(failure)) };
  }

  #addressesOf(told: readonly string[], expected: string | null): string[] {
    const servers = expected === null ? [] : blossomServers(this.#options.config);
    return [...new Set([...told.slice(0, MAX_ADDRESSES), ...servers.map((server) => `${server}/${expected}`)])];
  }

  async #take(url: string, expected: string | null, signal?: AbortSignal): Promise<Original> {
    const limits = this.#limits();
    const bytes = await this.#options.fetcher.download(url, signal === undefined ? limits : { ...limits, signal });
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    if (expected !== null && sha256 !== expected) {
      throw new MediaRefusal('other_bytes', 'the bytes behind its address do not have the hash they were listed with');
    }
    return { bytes, sha256, format: sniff(bytes) };
  }

  /** @returns the hash of what is kept; null when nothing is to be kept */
  async #keep({ bytes, sha256, format }: Original): Promise<string | null> {
    if (this.#options.config.keepLinked === 'off') return null;
    await this.#options.blobs.put(originalKey(sha256, format), bytes);
    return sha256;
  }

  /** News that cannot be written down come again with the next download. */
  async #note({ id }: LinkedSource, news: LinkNews): Promise<LinkVerdict> {
    const { links, log } = this.#options;
    const { state } = news;
    try {
      return { state, change: (await links?.note(id, news)) ?? null };
    } catch (error) {
      log.warn({ err: error, id }, 'nothing was noted of a link');
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
  readonly format: MediaFormat;
}

/** The bytes of an original, or null and why the first address has none; and what was noted of it. */
interface Found {
  readonly bytes: Uint8Array | null;
  readonly failure: Failure | null;
  readonly verdict: LinkVerdict;
}

type Failure = DownloadError | MediaRefusal;

function isFailure(error: unknown): error is Failure {
  return error instanceof DownloadError || error instanceof MediaRefusal;
}

/** The server says so, or there is none, or it gives something else; one that says nothing may come back. */
function isGone({ reason }: Failure): boolean {
  return reason === 'gone' || reason === 'no_such_host' || reason === 'other_bytes';
}

function newsOf(failure: Failure): LinkNews {
  return isGone(failure) ? { state: 'gone', reason: failure.reason } : { state: 'unclear' };
}

function blossomServers({ blossomServers: list }: MediaOptions['config']): string[] {
  return list.split(',').flatMap((server) => server.trim().replace(/\/+$/, '') || []);
}
