import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { catalogMigrations, recordGifs } from '../catalog/index.ts';
import { type Database, migrate, openDatabase } from '../platform/db/index.ts';
import { changedSince, type GifRecord, revision, setHidden, tables } from '../records/index.ts';
import { areVectorsComplete, findVectors } from '../vectors/index.ts';
import { type FillOptions, fillSpace, type SpaceFiller } from './spaces.ts';

let folder: string;
let file: string;
let db: Database;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'zoetrope-'));
  file = path.join(folder, 'zoetrope.db');
  await open();
});

afterEach(async () => {
  await db.destroy();
  await rm(folder, { recursive: true });
});

async function open(): Promise<void> {
  db = openDatabase(file);
  await migrate(db, {
    '1': catalogMigrations.catalog,
    '2': catalogMigrations.vectors,
    '3': catalogMigrations.claims,
    '4': catalogMigrations.moderation,
    '5': catalogMigrations.verified,
    '6': catalogMigrations.links,
    '7': catalogMigrations.ratings,
    '8': catalogMigrations.seenPictures,
    '9': catalogMigrations.changes,
    a: catalogMigrations.frameFacts,
    b: catalogMigrations.added,
    c: catalogMigrations.uploads,
    d: catalogMigrations.deletedUploads,
  });
}

function makeGif(n: number, title: string, adult = false): GifRecord {
  const id = `${String(n).padStart(5, '0')}.gif`;
  return {
    ...{ id, sha256: null, verified: 'file', url: `https://gifs.example/${id}`, format: 'gif', width: 8, height: 8 },
    ...{ frames: 2, durationMs: 100, bytes: 99, lqip: null, fallback: [], source: '', toldBy: id },
    ...{ title, tags: [], characters: [], series: [], text: '', alt: '', lang: 'en' },
    ...{ adult, popularity: 0 },
  };
}

const STEP = 5;

/** Enough GIFs for three steps. Each GIF has a different title. */
const MANY = Array.from({ length: 13 }, (_, n) => makeGif(n, `cat ${n}`));

/** Creates a filler that makes vectors from titles and records these titles. `act` is called before each step. */
function makeFiller(model = 'one', act: (call: number) => void = () => {}) {
  const described: string[] = [];
  let calls = 0;
  const filler: SpaceFiller = {
    space: 'meaning',
    model,
    step: STEP,
    sourceOf: ({ title }) => title || undefined,
    async describe(gifs) {
      act(++calls);
      described.push(...gifs.map(({ title }) => title));
      return gifs.map(({ title }) => (title === 'later' ? undefined : vectorOf(title)));
    },
  };
  return { filler, described };
}

const vectorOf = (title: string) => new TextEncoder().encode(title === 'nothing' ? '' : title);

const options = (more: Partial<FillOptions> = {}): FillOptions => ({
  db,
  onProgress: () => {},
  signal: new AbortController().signal,
  ...more,
});

async function expectAllThere(model: string, gifs: readonly GifRecord[]): Promise<void> {
  const safe = gifs.filter(({ adult, title }) => !adult && title !== '').map(({ title }) => title);
  const found = await findVectors(db, model, safe);
  expect(found.size).toBe(new Set(safe).size);
  for (const [title, vector] of found) expect(Buffer.from(vector).equals(vectorOf(title)), title).toBe(true);
  expect(await areVectorsComplete(db, 'meaning', model)).toBe(true);
}

describe('fillSpace', () => {
  it('makes every vector once, step by step, and reports progress', async () => {
    await recordGifs(db, MANY);
    const { filler, described } = makeFiller();
    const progress: unknown[] = [];
    expect(await fillSpace(filler, options({ onProgress: (step) => progress.push(step) }))).toBe(13);
    expect(described).toEqual(MANY.map(({ title }) => title));
    expect(progress).toEqual([5, 10, 13].map((done) => ({ phase: 'meaning', done, total: 13 })));
    await expectAllThere('one', MANY);
  });

  it('requests a new build even for a single vector, but only if a vector was made', async () => {
    await recordGifs(db, [makeGif(1, 'cat')]);
    const recorded = await revision(db);
    expect(await fillSpace(makeFiller().filler, options())).toBe(1);
    const filled = await revision(db);
    expect(filled).toBeGreaterThan(recorded);
    await recordGifs(db, [makeGif(2, 'cat')]);
    const again = await revision(db);
    expect(await fillSpace(makeFiller().filler, options())).toBe(0);
    expect(await revision(db)).toBe(again);
  });

  it('does nothing if all vectors exist', async () => {
    await recordGifs(db, MANY.slice(0, 10));
    await fillSpace(makeFiller().filler, options());
    const { filler, described } = makeFiller();
    expect(await fillSpace(filler, options())).toBe(0);
    expect(described).toEqual([]);
  });

  it.each([
    ['a failure', (call: number) => void (call === 2 && fail('it died'))],
    ['a signal', (call: number, stop: AbortController) => void (call === 1 && stop.abort(new Error('it died')))],
  ])('continues after %s where it stopped, also in another process', async (_, act) => {
    await recordGifs(db, MANY);
    const stop = new AbortController();
    const first = makeFiller('one', (call) => act(call, stop));
    await expect(fillSpace(first.filler, options({ signal: stop.signal }))).rejects.toThrow('it died');
    expect(first.described).toHaveLength(STEP);
    expect(await areVectorsComplete(db, 'meaning', 'one')).toBe(false);
    await db.destroy();
    await open();
    const { filler, described } = makeFiller();
    expect(await fillSpace(filler, options())).toBe(13 - STEP);
    expect(described).toEqual(MANY.slice(STEP).map(({ title }) => title));
    await expectAllThere('one', MANY);
  });

  it('starts again for another model, and keeps the vectors of the first', async () => {
    const gifs = MANY.slice(0, 10);
    await recordGifs(db, gifs);
    await fillSpace(makeFiller('one').filler, options());
    expect(await fillSpace(makeFiller('two').filler, options())).toBe(10);
    await expectAllThere('two', gifs);
    expect(await areVectorsComplete(db, 'meaning', 'one')).toBe(false);
    const { filler, described } = makeFiller('one');
    expect(await fillSpace(filler, options())).toBe(0);
    expect(described).toEqual([]);
    await expectAllThere('one', gifs);
  });

  it('describes only new GIFs and those with changed words', async () => {
    await recordGifs(db, MANY.slice(0, 10));
    await fillSpace(makeFiller().filler, options());
    await recordGifs(db, [makeGif(3, 'another title'), makeGif(98, 'a new cat'), makeGif(99, 'cat 5')]);
    const { filler, described } = makeFiller();
    expect(await fillSpace(filler, options())).toBe(2);
    expect(described).toEqual(['another title', 'a new cat']);
  });

  it('gives no vector to GIFs that are adult, hidden or without words', async () => {
    await recordGifs(db, [makeGif(1, 'adult', true), makeGif(2, ''), makeGif(3, 'hidden'), makeGif(4, 'cat')]);
    await setHidden(db, '00003.gif', true);
    const { filler, described } = makeFiller();
    expect(await fillSpace(filler, options())).toBe(1);
    expect(described).toEqual(['cat']);
    expect(await findVectors(db, 'one', ['adult', '', 'hidden'])).toEqual(new Map());
    expect(await areVectorsComplete(db, 'meaning', 'one')).toBe(true);
  });

  it('does not retry GIFs that have no vector', async () => {
    await recordGifs(db, [makeGif(1, 'nothing')]);
    await fillSpace(makeFiller().filler, options());
    await recordGifs(db, [makeGif(2, 'cat')]);
    const { filler, described } = makeFiller();
    await fillSpace(filler, options());
    expect(described).toEqual(['cat']);
  });

  it('retries failed GIFs when the catalogue has changed', async () => {
    await recordGifs(db, [makeGif(1, 'later'), makeGif(2, 'cat')]);
    expect(await fillSpace(makeFiller().filler, options())).toBe(1);
    await recordGifs(db, [makeGif(3, 'dog')]);
    const { filler, described } = makeFiller();
    expect(await fillSpace(filler, options())).toBe(1);
    expect(described).toEqual(['later', 'dog']);
  });

  it('does not report the vectors as complete if the catalogue changes meanwhile', async () => {
    await recordGifs(db, MANY);
    const { filler } = makeFiller();
    const late = { ...makeGif(0, 'late'), id: '!.gif' };
    const describeAll = filler.describe;
    filler.describe = async (gifs, signal) => {
      await recordGifs(db, [late]);
      return describeAll(gifs, signal);
    };
    await fillSpace(filler, options());
    expect(await areVectorsComplete(db, 'meaning', 'one')).toBe(false);
    expect(await fillSpace(makeFiller().filler, options())).toBe(1);
    await expectAllThere('one', [late, ...MANY]);
  });

  it('records all GIFs that share a vector as changed, even if it is killed between two steps', async () => {
    await recordGifs(db, [...MANY, makeGif(99, 'cat 0')]);
    const shown = await revision(db);
    const { filler } = makeFiller('one', (call) => void (call === 2 && fail('it died')));
    await expect(fillSpace(filler, options())).rejects.toThrow('it died');
    expect(await changedSince(db, shown)).toHaveLength(14);
    await fillSpace(makeFiller().filler, options());
    const complete = await revision(db);
    await recordGifs(db, [makeGif(100, 'cat 1')]);
    await fillSpace(makeFiller().filler, options());
    expect(await changedSince(db, complete + 1)).toEqual([]);
  });

  it('makes one vector for all GIFs with the same title', async () => {
    const gif = fc.record({ title: fc.constantFrom('', 'cat', 'dog', 'bird', 'fish'), adult: fc.boolean() });
    let model = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(gif, { minLength: 1, maxLength: 30 }), async (rows) => {
        const name = `model ${model++}`;
        await tables(db).deleteFrom('gifs').execute();
        const gifs = rows.map(({ title, adult }, n) => makeGif(n, title, adult));
        await recordGifs(db, gifs);
        const { filler, described } = makeFiller(name);
        const made = await fillSpace(filler, options());
        expect(made).toBe(described.length);
        expect(new Set(described).size).toBe(described.length);
        await expectAllThere(name, gifs);
      }),
      { numRuns: 30 * inject('cases') },
    );
  });
});

function fail(message: string): never {
  throw new Error(message);
}
