import type { Gif } from '@zoetrope/contract';
import { LRUCache } from 'lru-cache';
import type { NostrEvent } from 'nostr-tools/pure';
import { initNostrWasm } from 'nostr-wasm';
import { readSecretKey } from '../../platform/relay/index.ts';

/** Kind of an event about a file. Source: NIP-94. */
export const FILE = 1063;
/** Maximum number of cached signed events. Each takes about 2 kB. */
const KEPT = 5_000;

/**
 * Creates the signed events about GIFs. The id of an event stays the same as long as the GIF, its words and its
 * addresses stay the same.
 */
export class Events {
  readonly pubkey: string;
  readonly #secret: Uint8Array;
  readonly #nostr: Awaited<ReturnType<typeof initNostrWasm>>;
  /** Signed events by the draft. */
  readonly #signed = new LRUCache<string, NostrEvent>({ max: KEPT });
  readonly #gifs = new LRUCache<string, string>({ max: KEPT });

  private constructor(nostr: Awaited<ReturnType<typeof initNostrWasm>>, secret: Uint8Array) {
    this.#nostr = nostr;
    this.#secret = secret;
    this.pubkey = Buffer.from(nostr.getPublicKey(secret)).toString('hex');
  }

  /** @param key an nsec or 64 hexadecimal digits */
  static async open(key: string): Promise<Events> {
    return new Events(await initNostrWasm(), readSecretKey(key));
  }

  /** @param addedAt seconds since the Unix epoch */
  of(gif: Gif, addedAt: number): NostrEvent {
    const draft = { kind: FILE, created_at: addedAt, tags: tagsOf(gif), content: contentOf(gif) };
    const key = JSON.stringify(draft);
    const known = this.#signed.get(key);
    if (known !== undefined) return known;
    const event = { ...draft, pubkey: this.pubkey, id: '', sig: '' };
    this.#nostr.finalizeEvent(event, this.#secret);
    this.#signed.set(key, event);
    this.#gifs.set(event.id, gif.id);
    return event;
  }

  /** Returns the id of the GIF to which an earlier event belongs. */
  gifOf(id: string): string | undefined {
    return this.#gifs.get(id);
  }
}

/** Clients look for the words of their search in the content. */
function contentOf({ title, tags }: Gif): string {
  return [title, tags.join(' ')].filter((text) => text !== '').join('\n');
}

/** Only facts that were read from the file are included. */
function tagsOf({ url, format, sha256, verified, width, height, bytes, title, tags, previews }: Gif): string[][] {
  return [
    ['url', url],
    ['m', `image/${format}`],
    ...(sha256 === null
      ? []
      : [
          ['x', sha256],
          ['ox', sha256],
        ]),
    ...(verified ? [['dim', `${width}x${height}`]] : []),
    ...(bytes === null ? [] : [['size', String(bytes)]]),
    ['thumb', previews.w240.still],
    ['image', previews.w480.still],
    ...(title === ''
      ? []
      : [
          ['alt', title],
          ['summary', title],
        ]),
    ...[...new Set(tags.map((tag) => tag.toLowerCase()))].map((tag) => ['t', tag]),
  ];
}
