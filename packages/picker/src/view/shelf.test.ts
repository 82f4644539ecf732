import type { Gif } from '@zoetrope/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  changeFavourites,
  describe,
  type Favourite,
  favouritesOf,
  noteUse,
  readShelf,
  toggleFavourite,
} from './shelf.ts';

const SERVICE = 'https://gifs.example';

const HASH = 'a'.repeat(64);

/** Returns a GIF with the fields that the shelf reads. */
function gif(n: number): Gif {
  const preview = { still: `https://gifs.example/p/${n}.png` };
  const previews = { small: preview, medium: preview, w240: preview, w480: preview };
  return {
    id: `${n}.gif`,
    title: `GIF ${n}`,
    tags: [],
    ...{ width: 4, height: 3, format: 'gif', bytes: 9, sha256: HASH, verified: true },
    url: `https://gifs.example/m/${n}.gif`,
    previews,
  } as unknown as Gif;
}

/** Returns a GIF as a favourite is stored. */
function favourite(n: number, alt?: string): Favourite {
  const { url, title, ...rest } = gif(n);
  const still = rest.previews.w480.still;
  const fields = ['m image/gif', 'dim 4x3', 'size 9', `x ${HASH}`, `alt ${alt ?? title}`, `image ${still}`];
  return { ...gif(n), ...(alt !== undefined && { alt }), imeta: ['imeta', `url ${url}`, ...fields] };
}

const ids = (gifs: readonly Gif[]) => gifs.map(({ id }) => id);
let stored: Map<string, string>;

beforeEach(() => {
  stored = new Map();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };
  // In browsers, the keys are properties of the storage.
  const ownKeys = () => [...stored.keys()];
  const getOwnPropertyDescriptor = () => ({ configurable: true, enumerable: true });
  vi.stubGlobal('localStorage', new Proxy(storage, { ownKeys, getOwnPropertyDescriptor }));
});

afterEach(() => void vi.unstubAllGlobals());

test('the last 24 picked GIFs are kept, each once and the latest first', () => {
  for (let n = 0; n < 30; n++) noteUse(SERVICE, gif(n));
  noteUse(SERVICE, gif(20));
  const { recent } = readShelf(SERVICE);
  expect(recent).toHaveLength(24);
  expect(ids(recent).slice(0, 3)).toEqual(['20.gif', '29.gif', '28.gif']);
  expect(new Set(ids(recent)).size).toBe(24);
  expect(ids(recent).at(-1)).toBe('6.gif');
});

test('favourites are added and removed independently of picked GIFs', () => {
  toggleFavourite(SERVICE, gif(1));
  toggleFavourite(SERVICE, gif(2));
  noteUse(SERVICE, gif(3));
  expect(readShelf(SERVICE)).toEqual({ recent: [gif(3)], favourites: [favourite(2), favourite(1)] });
  expect(toggleFavourite(SERVICE, gif(2))).toEqual({ recent: [gif(3)], favourites: [favourite(1)] });
  expect(readShelf(SERVICE).favourites).toEqual([favourite(1)]);
});

test('each service has its own shelf', () => {
  noteUse(SERVICE, gif(1));
  toggleFavourite(SERVICE, gif(1));
  toggleFavourite('https://other.example', gif(2));
  expect(readShelf('https://other.example')).toEqual({ recent: [], favourites: [favourite(2), favourite(1)] });
  toggleFavourite('https://other.example', gif(1));
  expect(readShelf(SERVICE)).toEqual({ recent: [gif(1)], favourites: [favourite(1)] });
});

test('a service starts with the favourites of all other services, until it has a shelf of its own', () => {
  describe(SERVICE, gif(1), 'mine');
  noteUse(SERVICE, gif(3));
  changeFavourites('https://other.example', () => [gif(1), gif(2)]);
  stored.set('gif-picker motion', 'always');
  stored.set('gif-picker https://broken.example', '{');
  stored.set('another app', JSON.stringify({ favourites: [gif(5)] }));
  const shelf = readShelf('https://new.example');
  expect(shelf).toMatchObject({ recent: [], areOthers: true });
  expect(ids(shelf.favourites)).toEqual(['1.gif', '2.gif']);
  for (const { id } of shelf.favourites) toggleFavourite('https://new.example', gif(Number.parseInt(id, 10)));
  expect(readShelf('https://new.example')).toEqual({ recent: [], favourites: [] });
});

test('a favourite of an earlier version stays, and gets a tag with the next change', () => {
  stored.set(`gif-picker ${SERVICE}`, JSON.stringify({ recent: [], favourites: [{ ...gif(1), alt: 'mine' }] }));
  expect(readShelf(SERVICE).favourites).toEqual([{ ...gif(1), alt: 'mine' }]);
  noteUse(SERVICE, gif(2));
  expect(readShelf(SERVICE).favourites).toEqual([favourite(1, 'mine')]);
});

test('nothing that another script has stored is shown unless it is a GIF', () => {
  noteUse(SERVICE, gif(1));
  const [[key]] = [...stored] as [[string, string]];
  const { previews } = gif(2);
  const script = { still: 'javascript:alert(1)' };
  const strange = [
    { ...gif(2), url: 'javascript:alert(1)' },
    { ...gif(2), previews: { ...previews, w480: script } },
    { ...gif(2), previews: {} },
    { ...gif(2), title: 5 },
    { ...gif(2), tags: 'cat' },
    { ...gif(2), tags: [{ toString: 1 }] },
    { ...gif(2), sha256: 5 },
    { ...gif(2), width: undefined },
    { ...gif(2), height: 0 },
    null,
    'gif',
  ];
  stored.set(key, JSON.stringify({ recent: [...strange, gif(3)], favourites: 'all' }));
  expect(readShelf(SERVICE)).toEqual({ recent: [gif(3)], favourites: [] });
  for (const broken of ['{"recent":', 'null', '5']) {
    stored.set(key, broken);
    expect(readShelf(SERVICE), broken).toEqual({ recent: [], favourites: [] });
  }
});

test('without storage, the shelf lasts as long as the page', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => {
      throw new Error('forbidden');
    },
    setItem: () => {
      throw new Error('full');
    },
  });
  expect(noteUse(SERVICE, gif(1))).toEqual({ recent: [gif(1)], favourites: [] });
});

test("describing a GIF makes it one's favourite, and removing the favourite removes the description", () => {
  toggleFavourite(SERVICE, gif(1));
  describe(SERVICE, gif(2), 'mine');
  expect(readShelf(SERVICE).favourites).toEqual([favourite(2, 'mine'), favourite(1)]);
  describe(SERVICE, gif(1), 'also mine');
  expect(describe(SERVICE, gif(2), '').favourites).toEqual([favourite(2), favourite(1, 'also mine')]);
  toggleFavourite(SERVICE, gif(1));
  expect(toggleFavourite(SERVICE, gif(1)).favourites).toEqual([favourite(1), favourite(2)]);
});

test('at most 200 favourites are kept', () => {
  const many = Array.from({ length: 300 }, (_, n) => gif(n));
  expect(changeFavourites(SERVICE, () => favouritesOf(many)).favourites).toHaveLength(200);
});

test('a description that is not text is not shown', () => {
  describe(SERVICE, gif(1), 'mine');
  const [[key]] = [...stored] as [[string, string]];
  stored.set(key, JSON.stringify({ favourites: [{ ...gif(1), alt: { toString: 1 } }, gif(2)] }));
  expect(readShelf(SERVICE).favourites).toEqual([gif(2)]);
});
