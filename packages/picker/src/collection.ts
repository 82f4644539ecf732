import type { Gif, GifClient } from '@zoetrope/client';
import type { Replace } from './favourites.ts';
import {
  changeFavourites,
  describe,
  favouritesOf,
  noteUse,
  readShelf,
  type Shelf,
  toggleFavourite,
} from './view/shelf.ts';

/** The panel around the collection. */
interface Panel {
  /** Called after each change. */
  change(): void;
  /** Returns the URLs of Blossom servers, separated by spaces. */
  servers(): string;
}

/** The user's recent and favourite GIFs from the current service. */
export class Collection {
  readonly #panel: Panel;
  #place = '';
  #client: GifClient | undefined;
  #shelf: Shelf = { recent: [], favourites: [] };

  constructor(panel: Panel) {
    this.#panel = panel;
  }

  /** @param place name of the service in the storage */
  open(place: string, client: GifClient): void {
    this.#place = place;
    this.#client = client;
    this.#shelf = readShelf(place);
    if (this.#shelf.areOthers) this.seek(this.#shelf.favourites);
  }

  get shelf(): Shelf {
    return this.#shelf;
  }

  /** The user's own descriptions of the favourites, or empty strings, by id. */
  get alts(): ReadonlyMap<string, string> {
    return new Map(this.#shelf.favourites.map(({ id, alt = '' }) => [id, alt]));
  }

  use(gif: Gif): void {
    this.#set(noteUse(this.#place, gif));
  }

  toggle(gif: Gif): void {
    this.#set(toggleFavourite(this.#place, gif));
  }

  describe(gif: Gif, alt: string): void {
    this.#set(describe(this.#place, gif, alt));
  }

  /** Looks for favourites by their hash, because their files are gone or could be. */
  seek(lost: readonly Gif[]): void {
    const place = this.#place;
    const replace: Replace = (change) => {
      if (place === this.#place) this.#set(changeFavourites(place, change));
    };
    import('./favourites.ts').then(
      ({ seek }) => seek(lost, this.#client!, this.#panel.servers(), replace),
      () => {}, // Without the script, the favourites stay as they are.
    );
  }

  async save(): Promise<void> {
    const { offerFavourites } = await import('./favourites.ts');
    offerFavourites(this.#shelf.favourites);
  }

  /** Adds the favourites of a file. Rejects if there are none. */
  async load(file: File): Promise<void> {
    const { add, readFile } = await import('./favourites.ts');
    const read = await readFile(file, favouritesOf);
    this.#set(changeFavourites(this.#place, (favourites) => add(favourites, read)));
    this.seek(read);
  }

  #set(shelf: Shelf): void {
    this.#shelf = shelf;
    this.#panel.change();
  }
}
