import type { Gif } from '@zoetrope/client';
import { pickOf } from '../pick.ts';

/** A favourite GIF. It contains all that a note needs, because the service can disappear. */
export interface Favourite extends Gif {
  /** The user's own description. Notes use it instead of the title. */
  alt?: string;
  /** The tag for notes (NIP-92), with the hash of the file. Earlier versions did not store it. */
  imeta?: string[];
}

/** A user's recent and favourite GIFs from one service. They are stored only on this device. */
export interface Shelf {
  recent: readonly Gif[];
  favourites: readonly Favourite[];
  /** Whether the favourites are those of other services, because nothing is stored for this one. */
  areOthers?: boolean;
}

const MOST_RECENT = 24;
const MOST_FAVOURITES = 200;

const EMPTY: Shelf = { recent: [], favourites: [] };

/**
 * Reads the stored shelf. If nothing is stored for this service, the favourites are those of all other services, because
 * an app can change its service. Returns an empty shelf if nothing readable is stored.
 */
export function readShelf(service: string): Shelf {
  const key = keyOf(service);
  try {
    if (localStorage.getItem(key) !== null) return read(key);
    const all = Object.keys(localStorage).filter((name) => name.startsWith(keyOf('')));
    const favourites = all.flatMap((name) => read(name).favourites);
    return { recent: [], favourites: [...new Map(favourites.map((gif) => [gif.id, gif])).values()], areOthers: true };
  } catch {
    return EMPTY;
  }
}

function read(key: string): Shelf {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Shelf> | null;
    return { recent: favouritesOf(kept?.recent), favourites: favouritesOf(kept?.favourites) };
  } catch {
    return EMPTY;
  }
}

/** Puts a picked GIF first among the recent GIFs. */
export function noteUse(service: string, gif: Gif): Shelf {
  const { recent, favourites } = readShelf(service);
  return keep(service, { recent: [gif, ...without(recent, gif)].slice(0, MOST_RECENT), favourites });
}

/** Adds a GIF to the favourites, or removes it if it is a favourite. */
export function toggleFavourite(service: string, gif: Gif): Shelf {
  return changeFavourites(service, (favourites) => {
    const others = without(favourites, gif);
    return others.length === favourites.length ? [gif, ...others] : others;
  });
}

/** Stores the user's own description of a GIF, and makes the GIF a favourite. An empty description is removed. */
export function describe(service: string, gif: Gif, alt: string): Shelf {
  return changeFavourites(service, (favourites) => {
    const isNew = favourites.every(({ id }) => id !== gif.id);
    const all: readonly Favourite[] = isNew ? [gif, ...favourites] : favourites;
    return all.map((favourite) => (favourite.id === gif.id ? described(favourite, alt) : favourite));
  });
}

/** Replaces the favourites. @param change returns the new favourites */
export function changeFavourites(
  service: string,
  change: (favourites: readonly Favourite[]) => readonly Favourite[],
): Shelf {
  const { recent, favourites } = readShelf(service);
  return keep(service, { recent, favourites: change(favourites) });
}

function described({ alt: _, ...gif }: Favourite, alt: string): Favourite {
  return alt === '' ? gif : { ...gif, alt };
}

function keep(service: string, { recent, favourites }: Shelf): Shelf {
  const kept = favourites.slice(0, MOST_FAVOURITES).map((gif) => ({ ...gif, imeta: pickOf(gif, gif.alt ?? '').imeta }));
  const shelf = { recent, favourites: kept };
  try {
    localStorage.setItem(keyOf(service), JSON.stringify(shelf));
  } catch {
    // Storage can be full or forbidden. The shelf is then lost when the page is closed.
  }
  return shelf;
}

function keyOf(service: string): string {
  return `gif-picker ${service}`;
}

/**
 * Returns the GIFs among stored values. Every script on the page can write to this storage, and a file can be from
 * anyone, so the content is checked like a response from a service.
 */
export function favouritesOf(kept: unknown): Favourite[] {
  if (!Array.isArray(kept)) return [];
  return kept.filter((gif: Favourite | null) => {
    const { small, medium, w240, w480 } = gif?.previews ?? {};
    const addresses = [gif?.url, small?.still, medium?.still, w240?.still, w480?.still];
    const texts = [
      gif?.id,
      gif?.title,
      gif?.alt ?? '',
      gif?.sha256 ?? '',
      ...(Array.isArray(gif?.tags) ? gif.tags : [0]),
    ];
    return (
      texts.every((text) => typeof text === 'string') &&
      addresses.every((address) => /^https?:/.test(address ?? '')) &&
      gif!.width > 0 &&
      gif!.height > 0
    );
  });
}

function without<One extends Gif>(gifs: readonly One[], { id }: Gif): One[] {
  return gifs.filter((gif) => gif.id !== id);
}
