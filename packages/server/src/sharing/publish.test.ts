import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordGifs, renameGif, withdrawGifs } from '../catalog/index.ts';
import { saveRatings } from '../moderation/index.ts';
import type { Database } from '../platform/db/index.ts';
import { bumpRevision, forgetChanges, revision, setHidden } from '../records/index.ts';
import { onEachDatabase } from '../service/testing/databases.ts';
import { fileOf, readManifest } from './manifest.ts';
import { type Publication, type PublishOptions, publishCatalogue } from './publish.ts';
import { reportPublished } from './report.ts';
import { tables } from './tables.ts';
import { linked } from './testing/linked.ts';

const POLICY = { heldBack: 'relays', links: { http: 'show', probe: 'off' } } as const;
const GIFS = 2_000;
const KEY = randomBytes(32);

onEachDatabase((opened) => {
  let db: Database;
  let folder: string;
  let now: number;

  beforeEach(async () => {
    db = opened.db;
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-'));
    now = 1;
    const gifs = Array.from({ length: GIFS }, (_, n) => linked(`${n}.gif`));
    await recordGifs(db, gifs);
    expect(await publish()).toMatchObject({ read: GIFS, gifs: GIFS, parts: 4, changed: 4 });
  });

  afterEach(() => fs.rmSync(folder, { recursive: true }));

  /** @returns what was published, and how many GIFs were read for it */
  async function publish(changes: Partial<PublishOptions> = {}): Promise<Publication & { read: number }> {
    const of = { db, policy: POLICY, folder, key: KEY, mediaUrl: 'https://a.example', name: 'A', now: now++ };
    let read = 0;
    const onProgress = (done: number) => {
      read = done;
    };
    const { signal } = new AbortController();
    const published = await publishCatalogue({ ...of, url: 'https://a.example', onProgress, signal, ...changes });
    return { ...published, read };
  }

  const partsIn = (of: string) => readManifest(fs.readFileSync(path.join(of, 'manifest.json'))).manifest.parts;

  /** Expects that the published parts equal the parts that result from reading the whole catalogue. */
  async function expectWhole(): Promise<void> {
    const other = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-'));
    try {
      await publish({ folder: other });
      expect(partsIn(folder)).toEqual(partsIn(other));
    } finally {
      fs.rmSync(other, { recursive: true });
    }
  }

  const retitle = (id: string, title: string) => recordGifs(db, [linked(id, { title })]);

  it.each<[string, () => Promise<unknown>, Partial<Publication & { read: number }>]>([
    ['edited', () => retitle('1.gif', 'another'), { read: 1, changed: 1, gifs: GIFS }],
    ['hidden', () => setHidden(db, '1.gif', true), { read: 0, changed: 1, gifs: GIFS - 1 }],
    ['withdrawn', () => withdrawGifs(db, '/list', ['1.gif']), { read: 0, changed: 1, gifs: GIFS - 1 }],
    ['renamed', () => renameGif(db, '1.gif', 'other.gif'), { read: 1, gifs: GIFS }],
    ['added', () => retitle('new.gif', 'new'), { read: 1, changed: 1, gifs: GIFS + 1 }],
    [
      'rated adult',
      () => saveRatings(db, [{ id: '1.gif', rating: 'adult', saidBy: 'operator' }]),
      { read: 0, changed: 1, gifs: GIFS - 1 },
    ],
  ])('writes only the parts of a GIF that was %s', async (_, change, expected) => {
    await change();
    await bumpRevision(db);
    expect(await publish()).toMatchObject({ ...expected, generation: 2, parts: 4 });
    await expectWhole();
    expect(await publish()).toMatchObject({ read: 0, changed: 0, generation: 2 });
  });

  it('publishes everything again if it cannot know what has changed', async () => {
    const part = () => path.join(folder, fileOf(partsIn(folder)[0]!.sha256));
    const conditions: [string, () => unknown, Partial<PublishOptions>][] = [
      ['other settings', () => {}, { mediaUrl: 'https://b.example' }],
      ['a part is damaged', () => fs.writeFileSync(part(), 'damaged'), {}],
      ['the database is another one', () => tables(db).deleteFrom('publications').execute(), {}],
      ['the manifest is missing', () => fs.rmSync(path.join(folder, 'manifest.json')), {}],
      ['the changes were forgotten', async () => forgetChanges(db, { build: 'b', revision: await revision(db) }), {}],
    ];
    for (const [why, change, options] of conditions) {
      await publish();
      for (let n = 0; n < GIFS; n += 100) await retitle(`${n}.gif`, why);
      await change();
      expect(await publish(options), why).toMatchObject({ read: GIFS, gifs: GIFS });
    }
    await publish();
    await expectWhole();
  });

  it('numbers each generation by the time, or by the last number plus one if the clock is behind', async () => {
    await retitle('1.gif', 'another');
    expect(await publish({ now: 1_000 })).toMatchObject({ generation: 1_000 });
    await retitle('1.gif', 'a third');
    expect(await publish({ now: 900 })).toMatchObject({ generation: 1_001 });
    const known = await tables(db).selectFrom('publications').select('manifest').execute();
    expect(known).toEqual([{ manifest: readManifest(fs.readFileSync(path.join(folder, 'manifest.json'))).id }]);
  });

  it('does not publish the popularity of GIFs from relays, which declines every day', async () => {
    await recordGifs(db, [
      linked('relay.gif', { source: 'nostr', popularity: 5 }),
      linked('list.gif', { source: 'archive', popularity: 5 }),
    ]);
    await saveRatings(db, [{ id: 'relay.gif', rating: 'safe', saidBy: 'operator' }]);
    await publish();
    const files = partsIn(folder).map((part) => gunzipSync(fs.readFileSync(path.join(folder, fileOf(part!.sha256)))));
    const rows = files.flatMap((lines) => lines.toString().trim().split('\n')).map((line) => JSON.parse(line));
    const shared = ['relay.gif', 'list.gif'].map((id) => rows.find((row) => row.id === id).popularity);
    expect(shared).toEqual([undefined, 5]);
  });

  it('reports whether the published catalogue has all changes', async () => {
    expect(await reportPublished(db, folder)).toMatchObject({ gifs: GIFS, parts: 4, isCurrent: true });
    await retitle('1.gif', 'another');
    expect(await reportPublished(db, folder)).toMatchObject({ generation: 1, isCurrent: false });
    await publish();
    expect(await reportPublished(db, folder)).toMatchObject({ generation: 2, isCurrent: true });
    fs.rmSync(path.join(folder, 'manifest.json'));
    expect(await reportPublished(db, folder)).toBeNull();
  });

  it('keeps replaced parts for a while, but not forever', async () => {
    const files = () => fs.readdirSync(folder).filter((name) => name.endsWith('.gz')).length;
    for (let n = 0; n < 20; n++) {
      await retitle('1.gif', `title ${n}`);
      await publish();
    }
    expect(files()).toBeGreaterThan(4 + 2);
    expect(files()).toBeLessThan(4 + 12);
    await retitle('1.gif', 'the last');
    await publish({ now: now + 3_600 });
    expect(files()).toBe(4 + 1);
  });
});
