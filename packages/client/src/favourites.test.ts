import { expect, test } from 'vitest';
import {
  type EncryptingSigner,
  type Favourite,
  fromFavouritesEvents,
  mergeFavourites,
  toFavouritesEvent,
} from './favourites.ts';

const now = () => 1_790_000_000_999;

function gif(name: string, alt?: string): Favourite {
  const url = `https://gifs.example/${name}.gif`;
  const preview = { width: 9, height: 9, animated: `${url}?small`, still: `${url}?still` };
  return {
    ...{ id: name, url, sha256: null, format: 'gif', width: 9, height: 9, title: name, verified: true, tags: ['a'] },
    ...{
      frames: 2,
      duration: 1,
      bytes: 9,
      lqip: 'data:,',
      transparent: null,
      blankStill: null,
      mp4: null,
      previewMp4: null,
    },
    previews: { small: preview, medium: preview, w240: preview, w480: preview },
    ...(alt !== undefined && { alt }),
  };
}

/** A signer whose secret is a prefix. The test with a relay uses real encryption. */
function signerOf(secret: string): EncryptingSigner {
  return {
    getPublicKey: async () => secret,
    signEvent: async (event) => ({ ...event, id: '', pubkey: secret, sig: '' }),
    nip44: {
      encrypt: async (pubkey, text) => pubkey + text,
      decrypt: async (pubkey, text) => {
        if (pubkey === secret && text.startsWith(secret)) return text.slice(secret.length);
        throw new Error('invalid MAC');
      },
    },
  };
}

const mine = signerOf('mine:');
const names = (gifs: readonly Favourite[]) => gifs.map(({ id, alt }) => (alt === undefined ? id : `${id}=${alt}`));

test('the latest event that the user has encrypted counts', async () => {
  const hash = 'b'.repeat(64);
  const hashed = { ...gif('x'), id: `${hash}.gif`, sha256: hash };
  const old = await toFavouritesEvent([gif('old')], mine, { now });
  const after = await fromFavouritesEvents([old], mine);
  const latest = await toFavouritesEvent([gif('a', 'mine'), hashed], mine, { after, now });
  const strange = { ...latest, content: `theirs:${latest.content}` };
  const unreadable = { ...latest, content: 'mine:{"version":2}' };
  const later = await toFavouritesEvent([gif('z')], mine, { after: await fromFavouritesEvents([latest], mine), now });
  const ofOthers = [
    { ...later, kind: 1 },
    { ...later, tags: [['d', 'another app']] },
    { ...later, tags: [['t', later.tags[0]![1]!]] },
  ];
  const found = await fromFavouritesEvents([old, latest, strange, unreadable, ...ofOthers], mine);
  expect(latest.created_at).toBe(1_790_000_001);
  expect(found?.at).toBe(1_790_000_001);
  expect(found?.favourites.map(({ id, sha256, alt }) => [id, sha256, alt])).toEqual([
    ['a', null, 'mine'],
    [`${hash}.gif`, hash, undefined],
  ]);
  expect(await fromFavouritesEvents([strange, unreadable], mine)).toBe(undefined);
});

test('values that are not GIFs are left out', async () => {
  const wrong = [
    { url: 'javascript:1' },
    { width: 0 },
    { height: 0 },
    { format: 'svg' },
    ...['id', 'title', 'sha256', 'alt'].map((name) => ({ [name]: 1 })),
  ].map((value) => ({ ...gif('a'), ...value }));
  const event = await toFavouritesEvent([...wrong, gif('d')] as Favourite[], mine);
  expect(names((await fromFavouritesEvents([event], mine))!.favourites)).toEqual(['d']);
});

test.each([
  { version: 2, at: 1, favourites: [] },
  { version: 1, at: '1', favourites: [] },
  { version: 1, at: 1.5, favourites: [] },
  { version: 1, at: 1 },
  null,
])('an event with %j is ignored', async (content) => {
  const event = await toFavouritesEvent([gif('a')], mine, { now });
  const strange = { ...event, content: `mine:${JSON.stringify(content)}` };
  expect(await fromFavouritesEvents([strange], mine)).toBe(undefined);
});

test('200 favourites fit, and favourites beyond the limit of the encryption are refused', async () => {
  const many = (n: number) =>
    Array.from({ length: n }, (_, at) => {
      const sha256 = String(at).padStart(64, 'a');
      const url = `https://media.gifs.example/m/aa/${sha256}.gif`;
      return { ...gif('a funny title of usual length'), id: `${sha256}.gif`, sha256, url };
    });
  await expect(toFavouritesEvent(many(200), mine)).resolves.toBeDefined();
  await expect(toFavouritesEvent(many(400), mine)).rejects.toThrow('at most 65535 fit');
});

/** The favourites on this device, in the event and at the last sync, and the merged favourites. */
interface Merge {
  here: Favourite[];
  there: Favourite[];
  last: Favourite[];
  merged: string[];
}

test.each<[string, Merge]>([
  ['added here', { here: [gif('a'), gif('b')], there: [gif('a')], last: [gif('a')], merged: ['a', 'b'] }],
  ['added there', { here: [gif('a')], there: [gif('b'), gif('a')], last: [gif('a')], merged: ['a', 'b'] }],
  ['removed here', { here: [gif('a')], there: [gif('a'), gif('b')], last: [gif('a'), gif('b')], merged: ['a'] }],
  ['removed there', { here: [gif('a'), gif('b')], there: [gif('a')], last: [gif('a'), gif('b')], merged: ['a'] }],
  ['described there', { here: [gif('a')], there: [gif('a', 'x')], last: [gif('a')], merged: ['a=x'] }],
  ['described here', { here: [gif('a', 'y')], there: [gif('a', 'x')], last: [gif('a')], merged: ['a=y'] }],
  ['described again', { here: [gif('a', 'x')], there: [gif('a', 'y')], last: [gif('a', 'x')], merged: ['a=y'] }],
  ['undescribed here', { here: [gif('a')], there: [gif('a', 'x')], last: [gif('a', 'x')], merged: ['a'] }],
])('a favourite that was %s', (_, { here, there, last, merged }) => {
  expect(names(mergeFavourites(here, { at: 2, favourites: there }, { at: 1, favourites: last }))).toEqual(merged);
});

test('the first sync removes nothing, and an old event changes nothing', () => {
  const there = { at: 5, favourites: [gif('b')] };
  expect(names(mergeFavourites([gif('a')], there))).toEqual(['a', 'b']);
  expect(names(mergeFavourites([gif('a')], undefined))).toEqual(['a']);
  expect(names(mergeFavourites([gif('a')], there, { at: 6, favourites: [gif('a')] }))).toEqual(['a']);
});

test('a GIF that this device knows keeps its previews', () => {
  const [kept] = mergeFavourites([gif('a')], { at: 1, favourites: [{ ...gif('a', 'x'), lqip: null }] });
  expect(kept).toEqual(gif('a', 'x'));
});
