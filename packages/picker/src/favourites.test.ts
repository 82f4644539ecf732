import type { Gif, GifClient } from '@zoetrope/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { add, readFile, seek } from './favourites.ts';
import { type Favourite, favouritesOf } from './view/shelf.ts';

const OLD = 'https://old.example';
const NEW = 'https://new.example';
const FIRST = 'https://one.example';
const SECOND = 'https://two.example';

const hash = (n: number) => String(n).padStart(64, '0');

/** Returns a GIF of a service. */
function gif(n: number, base = OLD): Favourite {
  const preview = { width: 4, height: 3, animated: null, still: `${base}/p/${n}.png` };
  const previews = { small: preview, medium: preview, w240: preview, w480: preview };
  const url = `${base}/m/${hash(n)}.gif`;
  return {
    ...{ id: `${hash(n)}.gif`, sha256: hash(n), title: `GIF ${n}`, tags: [], url, previews, width: 4, height: 3 },
    ...{ format: 'gif', lqip: 'data:image/png;base64,AA==', mp4: `${base}/v/${n}.mp4`, blankStill: null },
  } as unknown as Favourite;
}

const file = (content: unknown) => new Blob([JSON.stringify(content)]);
/** The requests for files. */
let asked: { url: string; options: RequestInit }[];
/** URLs that exist. */
let files: Set<string>;

beforeEach(() => {
  asked = [];
  files = new Set();
  vi.stubGlobal('fetch', async (url: string, options: RequestInit) => {
    asked.push({ url, options });
    if (url.startsWith(`${FIRST}/broken`)) throw new TypeError('network');
    return new Response(null, { status: files.has(url) ? 200 : 404 });
  });
});

afterEach(() => void vi.unstubAllGlobals());

/** Looks for favourites. @returns the favourites afterwards, and the ids that the service was asked for */
async function find(favourites: readonly Favourite[], known: readonly Gif[] | Error, servers = '') {
  const ids: string[][] = [];
  const gifs = async (some: readonly string[]) => {
    ids.push([...some]);
    if (known instanceof Error) throw known;
    return known.filter(({ id }) => some.includes(id));
  };
  const client = { url: NEW, gifs } as unknown as GifClient;
  let all = favourites;
  const replace = (change: (before: readonly Favourite[]) => Favourite[]) => {
    all = change(all);
  };
  const again = () => seek(favourites, client, servers, replace);
  await again();
  return { all, ids, again };
}

test("if the service has the GIF of a favourite, its GIF replaces the favourite, but the user's description stays", async () => {
  const { all, ids } = await find([{ ...gif(1), alt: 'mine' }, gif(2)], [gif(1, NEW), gif(2, NEW)]);
  expect(all).toEqual([{ ...gif(1, NEW), alt: 'mine' }, gif(2, NEW)]);
  expect(ids).toEqual([[`${hash(1)}.gif`, `${hash(2)}.gif`]]);
  expect(asked).toEqual([]);
});

test('a GIF that has another id now is found by its hash, and is in the list only once', async () => {
  const linked = { ...gif(1), id: 'linked.gif' };
  const { all, ids } = await find([linked, gif(1)], [gif(1, NEW)]);
  expect(all).toEqual([gif(1, NEW)]);
  expect(ids).toEqual([['linked.gif', `${hash(1)}.gif`, `${hash(1)}.gif`]]);
});

test('a different file with the same id is not accepted', async () => {
  const other = { ...gif(2, NEW), id: 'linked.gif' };
  const favourite = { ...gif(1), id: 'linked.gif' };
  expect((await find([favourite], [other])).all).toEqual([favourite]);
});

test('files are looked for on the service first, then on the servers in their order', async () => {
  files = new Set([`${SECOND}/${hash(1)}.gif`, `${NEW}/${hash(2)}.gif`]);
  const favourites = [{ ...gif(1), alt: 'mine' }, gif(2), gif(3)];
  const { all } = await find(favourites, new Error('down'), `${FIRST}/broken/  javascript:alert(1) ${SECOND}`);
  const [first, second, third] = all;
  const url = `${SECOND}/${hash(1)}.gif`;
  const preview = { width: 4, height: 3, animated: url, still: url };
  expect(first).toMatchObject({ alt: 'mine', url, mp4: null, blankStill: true, previews: { w240: preview } });
  expect(favouritesOf(all)).toEqual(all);
  expect(second!.url).toBe(`${NEW}/${hash(2)}.gif`);
  expect(third).toEqual(gif(3));
  const paths = asked.filter(({ url }) => url.includes(hash(3))).map(({ url }) => url);
  expect(paths).toEqual([NEW, `${FIRST}/broken`, SECOND].map((base) => `${base}/${hash(3)}.gif`));
  for (const { options } of asked)
    expect(options).toMatchObject({ method: 'HEAD', credentials: 'omit', referrerPolicy: 'no-referrer' });
});

test('a file on a server has its extension, and no preview, video or placeholder of the service', async () => {
  files = new Set([`${FIRST}/${hash(1)}.webp`]);
  const webp = { ...gif(1), format: 'webp', lqip: null, previewMp4: `${OLD}/v/w240/1.mp4` } as Favourite;
  const { all } = await find([webp], [], `${FIRST}/`);
  expect(all[0]).toMatchObject({ url: `${FIRST}/${hash(1)}.webp`, mp4: null, previewMp4: null, blankStill: null });
});

test('a linked GIF is replaced by the GIF with its file if the service has stored the file', async () => {
  const stored = { ...gif(1, NEW), sha256: hash(7) };
  const { all } = await find([{ ...gif(1), id: 'linked.gif' }], [stored]);
  expect(all).toEqual([stored]);
});

test('GIFs that are lost during a search are looked for after it, together and only once', async () => {
  const asked: string[][] = [];
  const answer = Promise.withResolvers<Gif[]>();
  const gifs = async (ids: readonly string[]) => {
    asked.push([...ids]);
    return asked.length === 1 ? answer.promise : [];
  };
  const client = { url: NEW, gifs } as unknown as GifClient;
  const lost = (n: number) => ({ ...gif(n), sha256: null });
  const first = seek([lost(1)], client, '', () => {});
  await seek([lost(2)], client, '', () => {});
  await seek([lost(3), lost(1)], client, '', () => {});
  expect(asked).toEqual([[`${hash(1)}.gif`]]);
  answer.resolve([]);
  await first;
  expect(asked.slice(1)).toEqual([[`${hash(2)}.gif`, `${hash(3)}.gif`]]);
  await seek([lost(4)], client, '', () => {});
  expect(asked[2]).toEqual([`${hash(4)}.gif`]);
});

test('without a hash, only the service is asked; strange ids and hashes are not sent', async () => {
  const old = { ...gif(1), id: 'old.gif', sha256: null };
  const strange = { ...gif(2), id: '../../admin?x', sha256: '../admin' };
  const { ids, all } = await find([old, strange], [{ ...gif(5, NEW), id: 'old.gif' }], FIRST);
  expect(ids).toEqual([['old.gif']]);
  expect(all).toEqual([{ ...gif(5, NEW), id: 'old.gif' }, strange]);
  expect(asked).toEqual([]);
});

test('each GIF is looked for once, and at most 50 ids are in a request', async () => {
  const many = Array.from({ length: 120 }, (_, n) => ({ ...gif(n), id: `${n}.gif` }));
  const { ids, again } = await find(many, []);
  expect(ids.map(({ length }) => length)).toEqual([50, 50, 50, 50, 40]);
  const before = asked.length;
  expect(before).toBe(120);
  await again();
  expect([ids.length, asked.length]).toEqual([5, before]);
});

test('a file adds the favourites and descriptions that are not there yet', async () => {
  const read = await readFile(
    file({ version: 1, favourites: [{ ...gif(1), alt: 'theirs' }, { ...gif(2), alt: 'also theirs' }, gif(3), gif(3)] }),
    favouritesOf,
  );
  const expected = [{ ...gif(1), alt: 'mine' }, { ...gif(2), alt: 'also theirs' }, gif(3)];
  expect(add([{ ...gif(1), alt: 'mine' }, gif(2)], read)).toEqual(expected);
});

test('a file without a version number, from an earlier version, is read', async () => {
  expect(await readFile(file({ favourites: [gif(1)] }), favouritesOf)).toEqual([gif(1)]);
});

test('a favourite without a hash, of a linked GIF or of an earlier version, is read', async () => {
  const { sha256: _, ...former } = gif(2);
  const favourites = [{ ...gif(1), sha256: null }, former];
  expect(await readFile(file({ version: 1, favourites }), favouritesOf)).toEqual(favourites);
});

const hostile = 'javascript:alert(1)';
const { previews } = gif(1);
test.each<object>([
  { id: undefined },
  { id: 5 },
  { title: null },
  { alt: 5 },
  { sha256: 5 },
  { tags: 'cat' },
  { tags: ['cat', 5] },
  { url: hostile },
  { previews: null },
  ...Object.entries(previews).map(([size, preview]) => ({
    previews: { ...previews, [size]: { ...preview, still: hostile } },
  })),
  { width: 0 },
  { height: -1 },
])('a favourite with %j is left out, and the others are read', (wrong) => {
  expect(favouritesOf([{ ...gif(1), ...wrong }, gif(2)])).toEqual([gif(2)]);
});

test.each([
  null,
  [],
  {},
  { favourites: [] },
  { version: 1, favourites: [{ id: '1.gif', alt: 5 }] },
  { version: 1, favourites: [{ ...gif(1), alt: 'a'.repeat(1_001) }] },
  { version: 2, favourites: [gif(1)] },
  { version: 1, favourites: [gif(1)], filler: 'a'.repeat(2_000_000) },
])('the hostile file %# is refused', async (content) => {
  await expect(readFile(file(content), favouritesOf)).rejects.toThrow();
});
