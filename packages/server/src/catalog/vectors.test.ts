import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, migrate, openDatabase } from '../platform/db/index.ts';
import { catalogMigrations, recordGifs, setHidden } from './index.ts';
import type { GifRecord } from './record.ts';
import {
  areVectorsComplete,
  findVectors,
  noteSeenPicture,
  sampleVectors,
  saveVectors,
  seenPictures,
  setVectorsComplete,
} from './vectors.ts';

let folder: string;
let db: Database;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'zoetrope-'));
  db = openDatabase(path.join(folder, 'zoetrope.db'));
  await migrate(db, {
    '1': catalogMigrations.catalog,
    '2': catalogMigrations.vectors,
    '3': catalogMigrations.seenPictures,
    '4': catalogMigrations.claims,
    '5': catalogMigrations.verified,
    '6': catalogMigrations.links,
    '7': catalogMigrations.ratings,
    '8': catalogMigrations.moderation,
    '9': catalogMigrations.changes,
  });
});

afterEach(async () => {
  await db.destroy();
  await rm(folder, { recursive: true });
});

const vectorOf = (...bytes: number[]) => Uint8Array.from(bytes);
const plain = (found: Map<string, Uint8Array>) => new Map([...found].map(([source, vector]) => [source, [...vector]]));

describe('the picture of a linked GIF', () => {
  it('is scheduled for a description once it has been seen', async () => {
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
