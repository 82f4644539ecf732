import type { EventTemplate, Signer } from './blossom.ts';
import type { Gif } from './contract.ts';

/** Kind of data of apps. Source: NIP-78. */
const APP_DATA = 30_078;
const NAME = 'gif-favourites';
const VERSION = 1;
/** Maximum size of an encrypted text, in bytes. Source: NIP-44. */
const MAX_BYTES = 65_535;
const HASH = /^[0-9a-f]{64}$/;

/** Signs and encrypts for the user, like `window.nostr` of NIP-07. */
export interface EncryptingSigner extends Signer {
  getPublicKey(): Promise<string>;
  nip44: {
    encrypt(pubkey: string, text: string): Promise<string>;
    decrypt(pubkey: string, text: string): Promise<string>;
  };
}

/** A favourite GIF. */
export interface Favourite extends Gif {
  /** The user's own description. */
  alt?: string;
}

/** The favourites of an event. */
export interface SyncedFavourites {
  /** When they were stored, in seconds since the Unix epoch. */
  at: number;
  favourites: Favourite[];
}

/** The part of a favourite that is stored. A service returns the rest for its id. */
interface Stored {
  id: string;
  url: string;
  /** Missing if the id contains it. */
  sha256?: string;
  format: 'gif' | 'webp';
  width: number;
  height: number;
  title: string;
  alt?: string;
}

/** Returns the filter with which relays find the user's favourites. */
export function favouritesFilter(pubkey: string): {
  kinds: number[];
  authors: string[];
  '#d': string[];
} {
  return { kinds: [APP_DATA], authors: [pubkey], '#d': [NAME] };
}

/**
 * Returns a signed event with favourites that only the user can read (NIP-78, NIP-44). It replaces the user's earlier
 * event.
 * @param after the favourites that this event replaces, so that the event is newer even if the clock of this device is
 * slow
 * @throws TypeError if the favourites are larger than 65,535 bytes, which are about 200. Rejects with the signer's error.
 */
export async function toFavouritesEvent(
  favourites: readonly Favourite[],
  signer: EncryptingSigner,
  { after, now = Date.now }: { after?: SyncedFavourites | undefined; now?: () => number } = {},
): ReturnType<Signer['signEvent']> {
  const at = Math.max(Math.floor(now() / 1_000), (after?.at ?? 0) + 1);
  const text = JSON.stringify({ version: VERSION, at, favourites: favourites.map(toStored) });
  const { length } = new TextEncoder().encode(text);
  if (length > MAX_BYTES) throw new TypeError(`favourites: they have ${length} bytes, but at most ${MAX_BYTES} fit`);
  const event: EventTemplate = { kind: APP_DATA, created_at: at, tags: [['d', NAME]], content: '' };
  event.content = await signer.nip44.encrypt(await signer.getPublicKey(), text);
  return signer.signEvent(event);
}

/**
 * Returns the latest favourites among events from relays, or undefined if there are none that the user has encrypted.
 * GIFs have no previews of their own: ask the service for them by id.
 */
export async function fromFavouritesEvents(
  events: Iterable<EventTemplate>,
  signer: EncryptingSigner,
): Promise<SyncedFavourites | undefined> {
  const pubkey = await signer.getPublicKey();
  let latest: SyncedFavourites | undefined;
  for (const { kind, tags, content } of events) {
    if (kind !== APP_DATA || !tags.some(([name, value]) => name === 'd' && value === NAME)) continue;
    // A relay can send anything. Nobody else can encrypt with the user's key.
    const text = await signer.nip44.decrypt(pubkey, content).catch(() => '');
    const found = read(text);
    if (found !== undefined && found.at > (latest?.at ?? -1)) latest = found;
  }
  return latest;
}

/**
 * Merges the favourites of this device with those of an event. What was added or removed on either side since the last
 * sync is added or removed. A description that was changed on this device takes precedence.
 * @param theirs the favourites of the event. If they are older than `last`, they are ignored, because a relay can send an
 * old event.
 * @param last the favourites that this device read or stored at its last sync. Without them, nothing is removed.
 */
export function mergeFavourites(
  mine: readonly Favourite[],
  theirs: SyncedFavourites | undefined,
  last?: SyncedFavourites | undefined,
): Favourite[] {
  if (theirs === undefined || theirs.at < (last?.at ?? 0)) return [...mine];
  const [own, others, before] = [byId(mine), byId(theirs.favourites), byId(last?.favourites ?? [])];
  const kept = mine.filter(({ id }) => others.has(id) || !before.has(id));
  const added = theirs.favourites.filter(({ id }) => !own.has(id) && !before.has(id));
  return [...kept.map((gif) => described(gif, others.get(gif.id), before.get(gif.id))), ...added];
}

function described(gif: Favourite, other: Favourite | undefined, before: Favourite | undefined): Favourite {
  if (other === undefined || (gif.alt !== undefined && gif.alt !== before?.alt)) return gif;
  if (gif.alt === undefined && before?.alt !== undefined) return gif;
  const { alt: _, ...rest } = gif;
  return other.alt === undefined ? rest : { ...rest, alt: other.alt };
}

function byId(gifs: readonly Favourite[]): Map<string, Favourite> {
  return new Map(gifs.map((gif) => [gif.id, gif]));
}

function toStored({ id, url, sha256, format, width, height, title, alt }: Favourite): Stored {
  const isInId = id === `${sha256}.gif`;
  return {
    ...{ id, url, format, width, height, title },
    ...(sha256 !== null && !isInId && { sha256 }),
    ...(alt !== undefined && { alt }),
  };
}

function read(text: string): SyncedFavourites | undefined {
  try {
    const { version, at, favourites } = JSON.parse(text) as { version: number; at: number; favourites: Stored[] };
    if (version !== VERSION || !Number.isSafeInteger(at)) return undefined;
    return { at, favourites: favourites.filter(isUsable).map(fromStored) };
  } catch {
    return undefined; // not written by this module
  }
}

function isUsable({ id, url, sha256 = '', format, width, height, title, alt = '' }: Stored): boolean {
  const areTexts = [id, url, sha256, title, alt].every((value) => typeof value === 'string');
  return areTexts && /^https?:/.test(url) && /^(gif|webp)$/.test(format) && width > 0 && height > 0;
}

/** Returns a complete GIF, in which the original is also used for the previews. */
function fromStored({ id, url, sha256, format, width, height, title, alt }: Stored): Favourite {
  const preview = { width, height, animated: url, still: url };
  const hash = sha256 ?? id.slice(0, 64);
  return {
    ...{ id, url, format, width, height, title, sha256: HASH.test(hash) ? hash : null, verified: false, tags: [] },
    ...{ frames: null, duration: null, bytes: null, lqip: null, transparent: null, blankStill: null },
    ...{ mp4: null, previewMp4: null },
    previews: { small: preview, medium: preview, w240: preview, w480: preview },
    ...(alt !== undefined && { alt }),
  };
}
