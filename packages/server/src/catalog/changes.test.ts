import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../service/store.ts';
import { recordGifs, type SnapshotGif, snapshot } from './catalog.ts';
import {
  areChangesKnown,
  changedSince,
  countChangedSince,
  forgetChanges,
  isBuildKnown,
  noteBuild,
  noteChanged,
} from './changes.ts';
import { noteLink } from './links.ts';
import { moderate } from './moderation/moderation.ts';
import { saveRatings } from './moderation/ratings.ts';
import type { GifRecord } from './record.ts';
import { revision } from './revision.ts';
import { noteSeenPicture, setVectorsComplete } from './vectors.ts';

let folder: string;
let store: Store;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'zoetrope-'));
  store = await openStore(folder);
});

afterEach(async () => {
  await store.db.destroy();
  await rm(folder, { recursive: true });
});

function linked(id: string, title: string): GifRecord {
  const words = { title, tags: [id], characters: [], series: [], text: '', alt: '', lang: '' };
  const claims = { format: 'gif', width: 480, height: 270, frames: null, durationMs: null, bytes: null } as const;
  const told = { adult: false, popularity: 0, source: '', fallback: [], lqip: null, toldBy: `m#${id}` };
  return { id, sha256: null, verified: 'nothing', url: `https://gifs.example/${id}`, ...claims, ...words, ...told };
}

async function shown(): Promise<Map<string, SnapshotGif>> {
  const gifs = new Map<string, SnapshotGif>();
  const policy = { heldBack: 'relays', links: { http: 'upgrade', probe: 'off' } } as const;
  for await (const batch of snapshot(store.db, 100, policy)) for (const gif of batch) gifs.set(gif.id, gif);
  return gifs;
}

const OPERATOR = { actor: 'test', now: 0 };
const facts = { format: 'gif', width: 30, height: 20, bytes: 900, frames: 3, durationMs: 300 } as const;

/** Everything that can change what a build shows. */
const ACTS: Record<string, (id: string, n: number) => Promise<unknown>> = {
  record: (id, n) => recordGifs(store.db, [linked(id, `title ${n}`)]),
  hide: (id) => moderate(store.db, OPERATOR, id, { action: 'hide' }),
  show: (id) => moderate(store.db, OPERATOR, id, { action: 'show' }),
  adult: (id) => moderate(store.db, OPERATOR, id, { action: 'adult' }),
  safe: (id) => moderate(store.db, OPERATOR, id, { action: 'safe' }),
  edit: (id, n) => moderate(store.db, OPERATOR, id, { action: 'edit', edit: { title: `edited ${n}` } }),
  rate: (id, n) => saveRatings(store.db, [{ id, rating: n % 2 === 0 ? 'adult' : 'safe', saidBy: 'model' }]),
  moved: (id, n) =>
    noteLink(store.db, id, { state: 'alive', url: `https://other.example/${n}`, kept: null }, n * 1_000),
  header: (id, n) =>
    noteLink(
      store.db,
      id,
      {
        state: 'alive',
        url: `https://gifs.example/${id}`,
        kept: null,
        facts: { ...facts, sha256: null, width: n + 1 },
      },
      n,
    ),
  file: (id, n) =>
    noteLink(
      store.db,
      id,
      { state: 'alive', url: `https://gifs.example/${id}`, kept: null, facts: { ...facts, sha256: `${n}`.repeat(64) } },
      n,
    ),
  gone: (id, n) => noteLink(store.db, id, { state: 'gone', reason: 'not found' }, n * 40 * 3_600_000),
};

describe('changes', () => {
  it('include every GIF that a build would show differently', async () => {
    const acts = fc.array(fc.record({ act: fc.constantFrom(...Object.keys(ACTS)), id: fc.nat(5), n: fc.nat(9) }), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(acts, async (all) => {
        const before = await shown();
        const since = await revision(store.db);
        for (const { act, id, n } of all) await ACTS[act]!(`${id}.gif`, n).catch(() => {});
        const after = await shown();
        const changed = new Set(await changedSince(store.db, since));
        for (const id of new Set([...before.keys(), ...after.keys()])) {
          if (!changed.has(id)) expect(after.get(id)).toEqual(before.get(id));
        }
      }),
      { numRuns: 150 },
    );
  });

  it('are not noted when nothing is different', async () => {
    await recordGifs(store.db, [linked('a.gif', 'one'), linked('b.gif', 'two')]);
    const since = await revision(store.db);
    await recordGifs(store.db, [linked('a.gif', 'one'), linked('b.gif', 'two')]);
    await noteLink(store.db, 'a.gif', { state: 'alive', url: 'https://gifs.example/a.gif', kept: null }, 1);
    await noteLink(store.db, 'b.gif', { state: 'unclear' }, 1);
    expect(await changedSince(store.db, since)).toEqual([]);
    await recordGifs(store.db, [linked('a.gif', 'one'), linked('b.gif', 'three')]);
    expect(await changedSince(store.db, since)).toEqual(['b.gif']);
  });

  it('are noted for every column of a GIF', async () => {
    const { rows: columns } = await sql<{ name: string }>`select name from pragma_table_info('gifs')`.execute(store.db);
    const { rows } = await sql<{ sql: string }>`
      select sql from sqlite_master where type = 'trigger' and name = 'gifs_update_noted'`.execute(store.db);
    const trigger = rows[0]!.sql;
    for (const { name } of columns) expect(trigger).toContain(`old.${name} is not new.${name}`);
  });

  it('can be noted for many GIFs, and counted', async () => {
    const ids = Array.from({ length: 1_200 }, (_, n) => `${n}.gif`);
    await noteChanged(store.db, ids);
    await noteChanged(store.db, ids.slice(0, 3));
    expect(await countChangedSince(store.db, await revision(store.db))).toBe(1_200);
    await noteChanged(store.db, []);
    await noteSeenPicture(store.db, 'seen.gif');
    expect((await changedSince(store.db, await revision(store.db))).includes('seen.gif')).toBe(true);
  });

  it('are forgotten once they are in a build and vectors need not be made for them', async () => {
    await recordGifs(store.db, [linked('a.gif', 'one')]);
    const first = await revision(store.db);
    await setVectorsComplete(store.db, 'meaning', 'one', first);
    await recordGifs(store.db, [linked('b.gif', 'two')]);
    await forgetChanges(store.db, { build: 'one', revision: await revision(store.db) });
    expect(await changedSince(store.db, 0)).toEqual(['b.gif']);
    await setVectorsComplete(store.db, 'meaning', 'one', await revision(store.db));
    await forgetChanges(store.db, { build: 'two', revision: first });
    expect(await changedSince(store.db, 0)).toEqual(['b.gif']);
    await forgetChanges(store.db, { build: 'three', revision: await revision(store.db) });
    expect(await changedSince(store.db, 0)).toEqual([]);
  });

  it('can be added to known builds, and to none that were made before changes were forgotten', async () => {
    for (const build of ['one', 'two', 'two']) await noteBuild(store.db, { build, revision: 7 });
    const known = () =>
      Promise.all(['one', 'two', 'three'].map((build) => isBuildKnown(store.db, { build, revision: 7 })));
    expect(await isBuildKnown(store.db, { build: 'one', revision: 6 })).toBe(false);
    expect(await known()).toEqual([true, true, false]);
    expect(await areChangesKnown(store.db, 0)).toBe(true);
    await forgetChanges(store.db, { build: 'two', revision: 2 });
    expect([await areChangesKnown(store.db, 1), await areChangesKnown(store.db, 2)]).toEqual([false, true]);
    expect(await known()).toEqual([false, true, false]);
  });
});
