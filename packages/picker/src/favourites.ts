/**
 * The rarely used operations on favourites. The picker loads this module when it is needed. The module imports nothing
 * at run time, because its file must work beside a file of the picker from another version.
 */
import type { Gif, GifClient } from '@zoetrope/client';
import type { Favourite } from './view/shelf.ts';

const VERSION = 1;
/** Maximum size of a file with favourites, in bytes. 200 favourites with placeholders have about 600 kB. */
const LARGEST = 2_000_000;
/** Maximum length of a description, in characters. Users cannot write a longer one. */
const LONGEST = 1_000;
/** Maximum number of ids in a request. */
const IDS = 50;
/** Number of requests by hash at the same time. */
const AT_ONCE = 6;
const TIMEOUT_MS = 10_000;
const HASH = /^[0-9a-f]{64}$/;

/** Lets the user save a file with the favourites. */
export function offerFavourites(favourites: readonly Favourite[]): void {
  const text = JSON.stringify({ version: VERSION, favourites }, null, 1);
  const href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  Object.assign(document.createElement('a'), { href, download: 'gif-favourites.json' }).click();
  URL.revokeObjectURL(href);
}

/**
 * Reads a file with favourites. Files of earlier versions have no version number.
 * @param check returns the favourites among the values of a file
 * @throws Error if the file is too large, is of a later version, or has no favourites
 */
export async function readFile(file: Blob, check: (values: unknown) => Favourite[]): Promise<Favourite[]> {
  if (file.size > LARGEST) throw new Error(`the file has ${file.size} bytes, but must have at most ${LARGEST}`);
  const { version = VERSION, favourites } = JSON.parse(await file.text()) as { version?: number; favourites?: unknown };
  if (version !== VERSION) throw new Error(`the file has version ${version}, but must have version ${VERSION}`);
  const read = check(favourites).filter(({ alt = '' }) => alt.length <= LONGEST);
  if (read.length === 0) throw new Error('the file has no favourites');
  return read;
}

/** Returns the favourites with others after them. A description is added to a favourite that has none. */
export function add(favourites: readonly Favourite[], others: readonly Favourite[]): Favourite[] {
  const altOf = (id: string) => others.find((other) => other.id === id)?.alt;
  const known = favourites.map((favourite) => {
    const alt = favourite.alt ?? altOf(favourite.id);
    return alt === undefined ? favourite : { ...favourite, alt };
  });
  return unique([...known, ...others]);
}

function unique(favourites: readonly Favourite[]): Favourite[] {
  const ids = new Set<string>();
  return favourites.filter(({ id }) => !ids.has(id) && ids.add(id));
}

/** Stores the favourites that a function returns. */
export type Replace = (change: (favourites: readonly Favourite[]) => Favourite[]) => void;

const finders = new WeakMap<GifClient, Finder>();

/**
 * Looks for favourites by id and by hash: in the service, then on Blossom servers (BUD-01). Looks for each favourite
 * only once per page. Never rejects.
 * @param servers URLs of Blossom servers, separated by spaces
 * @param replace called with a function that puts the GIFs that were found into the list
 */
export async function seek(lost: readonly Gif[], client: GifClient, servers: string, replace: Replace): Promise<void> {
  const finder = finders.get(client) ?? new Finder(client, servers, replace);
  finders.set(client, finder);
  await finder.seek(lost);
}

class Finder {
  readonly #client: GifClient;
  readonly #bases: readonly string[];
  readonly #replace: Replace;
  /** The ids that were looked for. The finder looks for each id only once. */
  readonly #sought = new Set<string>();
  #waiting: Gif[] = [];
  #isSeeking = false;

  constructor(client: GifClient, servers: string, replace: Replace) {
    this.#client = client;
    this.#bases = [client.url, ...servers.split(/\s+/).filter((url) => /^https?:\/\/[^/]/.test(url))];
    this.#replace = replace;
  }

  /** Looks for GIFs. GIFs that are given during a search are looked for together after it. */
  async seek(gifs: readonly Gif[]): Promise<void> {
    for (const gif of gifs) {
      if (!this.#sought.has(gif.id)) this.#waiting.push(gif);
      this.#sought.add(gif.id);
    }
    if (this.#isSeeking) return;
    this.#isSeeking = true;
    while (this.#waiting.length > 0) {
      const lost = this.#waiting.splice(0, IDS);
      const found = await this.#find(lost);
      this.#replace((favourites) => unique(favourites.map((favourite) => withFound(favourite, found))));
    }
    this.#isSeeking = false;
  }

  /** Returns the GIFs that were found, keyed by the ids of the lost favourites. */
  async #find(lost: readonly Gif[]): Promise<ReadonlyMap<string, Gif>> {
    const listed = await this.#list(lost.flatMap(idsOf));
    const found = new Map(
      lost.flatMap((gif) => {
        const known = listed.find((other) => idsOf(gif).includes(other.id) && isSame(gif, other));
        return known === undefined ? [] : [[gif.id, known] as const];
      }),
    );
    const rest = lost.filter(({ id, sha256 }) => !found.has(id) && HASH.test(sha256 ?? ''));
    const work = async () => {
      for (let gif = rest.pop(); gif !== undefined; gif = rest.pop()) {
        const url = await this.#locate(gif);
        if (url !== undefined) found.set(gif.id, moved(gif, url));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return found;
  }

  /** Returns the GIFs that the service has. */
  async #list(ids: readonly string[]): Promise<Gif[]> {
    const gifs: Gif[] = [];
    for (let n = 0; n < ids.length; n += IDS) {
      try {
        gifs.push(...(await this.#client.gifs(ids.slice(n, n + IDS))));
      } catch {
        // If the service fails, the files can still be on the servers.
      }
    }
    return gifs;
  }

  /** Returns a URL of the file. */
  async #locate({ sha256, format }: Gif): Promise<string | undefined> {
    for (const base of this.#bases) {
      // Many clients recognise pictures by the extension.
      const url = `${base.replace(/\/+$/, '')}/${sha256}.${format === 'webp' ? 'webp' : 'gif'}`;
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const options = { method: 'HEAD', credentials: 'omit', referrerPolicy: 'no-referrer', signal } as const;
      // A server that fails counts as a server without the file.
      const response = await fetch(url, options).catch(() => undefined);
      if (response?.ok) return url;
    }
    return undefined;
  }
}

/** Returns the ids under which a service can have a GIF. A wrong id would fail the whole request. */
function idsOf({ id, sha256 }: Gif): string[] {
  const ids = [id, ...(HASH.test(sha256 ?? '') ? [`${sha256}.gif`] : [])];
  return [...new Set(ids)].filter((id) => /^\w[\w.-]{0,199}$/.test(id));
}

/** Returns whether two GIFs can be the same file. */
function isSame(gif: Gif, other: Gif): boolean {
  return !gif.sha256 || !other.sha256 || gif.sha256 === other.sha256 || other.id === `${gif.sha256}.gif`;
}

function withFound(favourite: Favourite, found: ReadonlyMap<string, Gif>): Favourite {
  const gif = found.get(favourite.id);
  if (gif === undefined) return favourite;
  return favourite.alt === undefined ? gif : { ...gif, alt: favourite.alt };
}

/** Returns a GIF whose file is at another URL, which also replaces the previews. The placeholder replaces the still. */
function moved(gif: Gif, url: string): Gif {
  const preview = { width: gif.width, height: gif.height, animated: url, still: url };
  const previews = { small: preview, medium: preview, w240: preview, w480: preview };
  return { ...gif, url, mp4: null, previewMp4: null, blankStill: gif.lqip ? true : null, previews };
}
