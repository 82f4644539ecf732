import { beforeEach, describe, expect, it } from 'vitest';
import { recordGifs } from '../catalog/index.ts';
import type { Database } from '../platform/db/index.ts';
import { type GifRecord, setHidden } from '../records/index.ts';
import { onEachDatabase } from '../service/testing/databases.ts';
import { CAPTIONS_MODEL, withCaptions } from './captions.ts';
import {
  areVectorsComplete,
  findVectors,
  noteSeenPicture,
  sampleVectors,
  saveVectors,
  seenPictures,
  setVectorsComplete,
} from './vectors.ts';

let db: Database;

const vectorOf = (...bytes: number[]) => Uint8Array.from(bytes);
const plain = (found: Map<string, Uint8Array>) => new Map([...found].map(([source, vector]) => [source, [...vector]]));

onEachDatabase((opened) => {
  beforeEach(async () => {
    db = opened.db;
  });

  describe('the picture of a linked GIF', () => {
    it('is scheduled for a description as soon as it is stored', async () => {
      await setVectorsComplete(db, 'looks', 'eye', 0);
      await setVectorsComplete(db, 'meaning', 'one', 0);
      await noteSeenPicture(db, 'a.gif');
      expect(await areVectorsComplete(db, 'looks', 'eye')).toBe(false);
      expect(await areVectorsComplete(db, 'meaning', 'one')).toBe(true);
      await setVectorsComplete(db, 'looks', 'eye', 0);
      await noteSeenPicture(db, 'a.gif');
      expect(await areVectorsComplete(db, 'looks', 'eye')).toBe(true);
      expect([...(await seenPictures(db))]).toEqual(['a.gif']);
    });
  });

  describe('vectors', () => {
    it('are found by model and source, byte for byte', async () => {
      await saveVectors(db, 'one', [
        { source: 'a', vector: vectorOf(0, 127, 128, 255) },
        { source: 'b', vector: vectorOf() },
      ]);
      await saveVectors(db, 'two', [{ source: 'a', vector: vectorOf(9) }]);
      expect(plain(await findVectors(db, 'one', ['a', 'b', 'c']))).toEqual(
        new Map([
          ['a', [0, 127, 128, 255]],
          ['b', []],
        ]),
      );
      expect(plain(await findVectors(db, 'two', ['a', 'b']))).toEqual(new Map([['a', [9]]]));
      expect(await findVectors(db, 'one', [])).toEqual(new Map());
    });

    it('are not replaced when they are saved again', async () => {
      await saveVectors(db, 'one', [{ source: 'a', vector: vectorOf(1) }]);
      await saveVectors(db, 'one', [
        { source: 'a', vector: vectorOf(2) },
        { source: 'b', vector: vectorOf(3) },
      ]);
      await saveVectors(db, 'one', []);
      expect(plain(await findVectors(db, 'one', ['a', 'b']))).toEqual(
        new Map([
          ['a', [1]],
          ['b', [3]],
        ]),
      );
    });

    it('are sampled in the same way, regardless of the order in which they were saved', async () => {
      const all = Array.from({ length: 20 }, (_, n) => ({
        source: `s${String(n).padStart(2, '0')}`,
        vector: vectorOf(n),
      }));
      await saveVectors(db, 'one', all.toReversed());
      await saveVectors(db, 'two', [{ source: 's00', vector: vectorOf(99) }]);
      const sample = await sampleVectors(db, 'one', 5);
      expect(sample.map((vector) => [...vector])).toEqual([[0], [1], [2], [3], [4]]);
      expect(await sampleVectors(db, 'one', 100)).toHaveLength(20);
    });
  });

  describe('areVectorsComplete', () => {
    it('is true for the recorded model and revision', async () => {
      expect(await areVectorsComplete(db, 'meaning', 'one')).toBe(false);
      await setVectorsComplete(db, 'meaning', 'one', 0);
      expect(await areVectorsComplete(db, 'meaning', 'one')).toBe(true);
      expect(await areVectorsComplete(db, 'meaning', 'two')).toBe(false);
      expect(await areVectorsComplete(db, 'looks', 'one')).toBe(false);
      await setVectorsComplete(db, 'meaning', 'two', 0);
      expect(await areVectorsComplete(db, 'meaning', 'one')).toBe(false);
      expect(await areVectorsComplete(db, 'meaning', 'two')).toBe(true);
    });

    it('is false as soon as the catalogue changes', async () => {
      await setVectorsComplete(db, 'meaning', 'one', 0);
      await recordGifs(db, [gif]);
      expect(await areVectorsComplete(db, 'meaning', 'one')).toBe(false);
      await setVectorsComplete(db, 'meaning', 'one', 1);
      await setHidden(db, gif.id, true);
      expect(await areVectorsComplete(db, 'meaning', 'one')).toBe(false);
    });
  });

  it('a caption becomes the text of a GIF that has none from its source', async () => {
    const gifs: GifRecord[] = [
      gif,
      { ...gif, id: 'own.gif', url: null },
      { ...gif, id: 'told.gif', text: 'from its source' },
      { ...gif, id: 'wordless.gif' },
      { ...gif, id: 'unread.gif' },
    ];
    const captions = {
      'preview of a.gif': 'déjà vu',
      'own.gif': 'stop',
      'preview of told.gif': 'x',
      'preview of wordless.gif': '',
    };
    const stored = Object.entries(captions).map(([source, text]) => ({
      source,
      vector: new TextEncoder().encode(text),
    }));
    await saveVectors(db, CAPTIONS_MODEL, stored);
    const texts = ['déjà vu', 'stop', 'from its source', '', ''];
    expect(await withCaptions(db, gifs)).toEqual(gifs.map((each, at) => ({ ...each, text: texts[at] })));
  });

  const gif: GifRecord = {
    ...{
      id: 'a.gif',
      sha256: null,
      verified: 'header',
      url: 'https://gifs.example/a.gif',
      format: 'gif',
      width: 8,
      height: 8,
    },
    ...{ frames: 2, durationMs: 100, bytes: 99, lqip: null, fallback: [], source: '', toldBy: 'test' },
    ...{ title: 'a cat', tags: [], characters: [], series: [], text: '', alt: '', lang: 'en' },
    ...{ adult: false, popularity: 0 },
  };
});
