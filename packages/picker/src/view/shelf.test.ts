import type { Gif } from '@zoetrope/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { describe, exportFavourites, importFavourites, noteUse, readShelf, toggleFavourite } from './shelf.ts';

const SERVICE = 'https://gifs.example';

/** Returns a GIF with the fields that the shelf reads. */
function gif(n: number): Gif {
  const preview = { still: `https://gifs.example/p/${n}.png` };
  const previews = { small: preview, medium: preview, w240: preview, w480: preview };
  return {
    id: `${n}.gif`,
    title: `GIF ${n}`,
    tags: [],
    url: `https://gifs.example/m/${n}.gif`,
    previews,
  } as unknown as Gif;
}

const ids = (gifs: readonly Gif[]) => gifs.map(({ id }) => id);
let stored: Map<string, string>;

beforeEach(() => {
  stored = new Map();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  });
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

test('favourites come and go, whatever is picked', () => {
  toggleFavourite(SERVICE, gif(1));
  toggleFavourite(SERVICE, gif(2));
  noteUse(SERVICE, gif(3));
  expect(readShelf(SERVICE)).toEqual({ recent: [gif(3)], favourites: [gif(2), gif(1)] });
  expect(toggleFavourite(SERVICE, gif(2))).toEqual({ recent: [gif(3)], favourites: [gif(1)] });
  expect(readShelf(SERVICE).favourites).toEqual([gif(1)]);
});

test('each service has its own shelf', () => {
  noteUse(SERVICE, gif(1));
  expect(readShelf('https://other.example')).toEqual({ recent: [], favourites: [] });
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

test("a description of one's own makes a favourite, and goes with it", () => {
  toggleFavourite(SERVICE, gif(1));
  describe(SERVICE, gif(2), 'mine');
  expect(readShelf(SERVICE).favourites).toEqual([{ ...gif(2), alt: 'mine' }, gif(1)]);
  describe(SERVICE, gif(1), 'also mine');
  expect(describe(SERVICE, gif(2), '').favourites).toEqual([gif(2), { ...gif(1), alt: 'also mine' }]);
  toggleFavourite(SERVICE, gif(1));
  expect(toggleFavourite(SERVICE, gif(1)).favourites).toEqual([gif(1), gif(2)]);
});

test('a file brings favourites and descriptions that are not there yet', () => {
  describe(SERVICE, gif(1), 'theirs');
  describe(SERVICE, gif(2), 'theirs');
  toggleFavourite(SERVICE, gif(3));
  const file = exportFavourites(readShelf(SERVICE));
  stored.clear();
  noteUse(SERVICE, gif(4));
  toggleFavourite(SERVICE, gif(2));
  describe(SERVICE, gif(1), 'mine');
  const expected = [{ ...gif(1), alt: 'mine' }, { ...gif(2), alt: 'theirs' }, gif(3)];
  expect(importFavourites(SERVICE, file)).toEqual({ recent: [gif(4)], favourites: expected });
  expect(readShelf(SERVICE).favourites).toEqual(expected);
  const many = Array.from({ length: 300 }, (_, n) => gif(n));
  expect(importFavourites(SERVICE, JSON.stringify({ favourites: many })).favourites).toHaveLength(200);
});

test.each(['', 'null', '{}', '{"favourites":[]}', '{"favourites":[{"id":"1.gif","alt":5}]}'])(
  'the file %j has no favourites, and changes nothing',
  (file) => {
    toggleFavourite(SERVICE, gif(1));
    expect(() => importFavourites(SERVICE, file)).toThrow();
    expect(readShelf(SERVICE).favourites).toEqual([gif(1)]);
  },
);

test('a description that is not text is not shown', () => {
  describe(SERVICE, gif(1), 'mine');
  const [[key]] = [...stored] as [[string, string]];
  stored.set(key, JSON.stringify({ favourites: [{ ...gif(1), alt: { toString: 1 } }, gif(2)] }));
  expect(readShelf(SERVICE).favourites).toEqual([gif(2)]);
});
