import type { Gif } from '@zoetrope/client';

/** A user's recent and favourite GIFs from one service. They are stored only on this device. */
export interface Shelf {
  recent: readonly Gif[];
  favourites: readonly Gif[];
}

const MOST_RECENT = 24;
const MOST_FAVOURITES = 200;

const EMPTY: Shelf = { recent: [], favourites: [] };

/** Reads the stored shelf. Returns an empty shelf if nothing readable is stored. */
export function readShelf(service: string): Shelf {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(service)) ?? '{}') as Partial<Shelf>;
    return { recent: gifsOf(kept.recent), favourites: gifsOf(kept.favourites) };
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
  return keep(service, { recent, favourites: (isNew ? [gif, ...others] : others).slice(0, MOST_FAVOURITES) });
}

function keep(service: string, shelf: Shelf): Shelf {
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

/** Reads stored GIFs. Every script on the page can write to this storage, so the content is checked like a response. */
function gifsOf(kept: unknown): Gif[] {
  if (!Array.isArray(kept)) return [];
  return kept.filter((gif: Gif | null) => {
    const { small, medium, w240, w480 } = gif?.previews ?? {};
    const addresses = [gif?.url, small?.still, medium?.still, w240?.still, w480?.still];
    const isWhole = typeof gif?.id === 'string' && typeof gif.title === 'string' && Array.isArray(gif.tags);
    return isWhole && addresses.every((address) => /^https?:/.test(address ?? ''));
  });
}

function without(gifs: readonly Gif[], { id }: Gif): Gif[] {
  return gifs.filter((gif) => gif.id !== id);
}
