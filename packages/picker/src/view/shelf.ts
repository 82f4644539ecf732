import type { Gif } from '@zoetrope/client';

/** A favourite GIF. */
export interface Favourite extends Gif {
  /** The user's own description. Notes use it instead of the title. */
  alt?: string;
}

/** A user's recent and favourite GIFs from one service. They are stored only on this device. */
export interface Shelf {
  recent: readonly Gif[];
  favourites: readonly Favourite[];
}

const MOST_RECENT = 24;
const MOST_FAVOURITES = 200;

const EMPTY: Shelf = { recent: [], favourites: [] };

/** Reads the stored shelf. Returns an empty shelf if nothing readable is stored. */
export function readShelf(service: string): Shelf {
  try {
    return shelfOf(localStorage.getItem(keyOf(service)) ?? '{}');
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
  const { recent, favourites } = readShelf(service);
  const others = without(favourites, gif);
  const isNew = others.length === favourites.length;
  return keep(service, { recent, favourites: isNew ? [gif, ...others] : others });
}

/** Stores the user's own description of a GIF, and makes the GIF a favourite. An empty description is removed. */
export function describe(service: string, gif: Gif, alt: string): Shelf {
  const { recent, favourites } = readShelf(service);
  const isNew = favourites.every(({ id }) => id !== gif.id);
  const own = (favourite: Favourite) => (favourite.id === gif.id ? described(favourite, alt) : favourite);
  return keep(service, { recent, favourites: (isNew ? [gif, ...favourites] : favourites).map(own) });
}

/** Returns the content of a file with the favourites. */
export function exportFavourites({ favourites }: Shelf): string {
  return JSON.stringify({ favourites }, null, 1);
}

/** Adds the favourites of a file after the existing favourites. Throws an error if the file has none. */
export function importFavourites(service: string, file: string): Shelf {
  const { recent, favourites } = readShelf(service);
  const read = shelfOf(file).favourites;
  if (read.length === 0) throw new Error('the file has no favourites');
  const known = favourites.map((favourite) => {
    const alt = read.find(({ id }) => id === favourite.id)?.alt;
    return favourite.alt === undefined && alt !== undefined ? described(favourite, alt) : favourite;
  });
  const added = read.filter(({ id }) => favourites.every((favourite) => favourite.id !== id));
  return keep(service, { recent, favourites: [...known, ...added] });
}

function described({ alt: _, ...gif }: Favourite, alt: string): Favourite {
  return alt === '' ? gif : { ...gif, alt };
}

function keep(service: string, { recent, favourites }: Shelf): Shelf {
  const shelf = { recent, favourites: favourites.slice(0, MOST_FAVOURITES) };
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

function shelfOf(text: string): Shelf {
  const kept = JSON.parse(text) as Partial<Shelf> | null;
  return { recent: gifsOf(kept?.recent), favourites: gifsOf(kept?.favourites) };
}

/**
 * Reads stored GIFs. Every script on the page can write to this storage, so the content is checked like a response from
 * a service.
 */
function gifsOf(kept: unknown): Favourite[] {
  if (!Array.isArray(kept)) return [];
  return kept.filter((gif: Favourite | null) => {
    const { small, medium, w240, w480 } = gif?.previews ?? {};
    const addresses = [gif?.url, small?.still, medium?.still, w240?.still, w480?.still];
    const isWhole = typeof gif?.id === 'string' && typeof gif.title === 'string' && Array.isArray(gif.tags);
    const isDescribed = typeof (gif?.alt ?? '') === 'string';
    return isWhole && isDescribed && addresses.every((address) => /^https?:/.test(address ?? ''));
  });
}

function without<One extends Gif>(gifs: readonly One[], { id }: Gif): One[] {
  return gifs.filter((gif) => gif.id !== id);
}
