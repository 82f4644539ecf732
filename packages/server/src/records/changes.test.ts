import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { noteLink, recordGifs, type SnapshotGif, snapshot } from '../catalog/index.ts';
import { moderate, saveRatings } from '../moderation/index.ts';
import { type Database, inSnapshot, inTransaction, isPostgres } from '../platform/db/index.ts';
import { onEachDatabase } from '../service/testing/databases.ts';
import { noteSeenPicture, setVectorsComplete } from '../vectors/index.ts';
import {
  areChangesKnown,
  changedSince,
  countChangedSince,
  forgetChanges,
  isBuildKnown,
  noteBuild,
  noteChanged,
} from './changes.ts';
import { setHidden } from './hidden-flags.ts';
import type { GifRecord } from './record.ts';
import { revision } from './revision.ts';

let db: Database;

function linked(id: string, title: string): GifRecord {
  const words = { title, tags: [id], characters: [], series: [], text: '', alt: '', lang: '' };
  const claims = { format: 'gif', width: 480, height: 270, frames: null, durationMs: null, bytes: null } as const;
  const told = { adult: false, popularity: 0, source: '', fallback: [], lqip: null, toldBy: `m#${id}` };
  return { id, sha256: null, verified: 'nothing', url: `https://gifs.example/${id}`, ...claims, ...words, ...told };
}

async function shown(): Promise<Map<string, SnapshotGif>> {
  const gifs = new Map<string, SnapshotGif>();
  const policy = { heldBack: 'relays', links: { http: 'upgrade', probe: 'off' } } as const;
  for await (const batch of snapshot(db, 100, policy)) for (const gif of batch) gifs.set(gif.id, gif);
  return gifs;
}

const OPERATOR = { actor: 'test', now: 0 };
const facts = { format: 'gif', width: 30, height: 20, bytes: 900, frames: 3, durationMs: 300 } as const;

/** All actions that can change the content of a build. */
const ACTS: Record<string, (id: string, n: number) => Promise<unknown>> = {
  record: (id, n) => recordGifs(db, [linked(id, `title ${n}`)]),
  hide: (id) => moderate(db, OPERATOR, id, { action: 'hide' }),
  show: (id) => moderate(db, OPERATOR, id, { action: 'show' }),
  adult: (id) => moderate(db, OPERATOR, id, { action: 'adult' }),
  safe: (id) => moderate(db, OPERATOR, id, { action: 'safe' }),
  edit: (id, n) => moderate(db, OPERATOR, id, { action: 'edit', edit: { title: `edited ${n}` } }),
  rate: (id, n) => saveRatings(db, [{ id, rating: n % 2 === 0 ? 'adult' : 'safe', saidBy: 'model' }]),
  moved: (id, n) => noteLink(db, id, { state: 'alive', url: `https://other.example/${n}`, kept: null }, n * 1_000),
  header: (id, n) =>
    noteLink(
      db,
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
      db,
      id,
      { state: 'alive', url: `https://gifs.example/${id}`, kept: null, facts: { ...facts, sha256: `${n}`.repeat(64) } },
      n,
    ),
  gone: (id, n) => noteLink(db, id, { state: 'gone', reason: 'not found' }, n * 40 * 3_600_000),
};

onEachDatabase((opened) => {
  beforeEach(async () => {
    db = opened.db;
  });

  describe('changes', () => {
    it('include every GIF that a build would show differently', async () => {
      const acts = fc.array(fc.record({ act: fc.constantFrom(...Object.keys(ACTS)), id: fc.nat(5), n: fc.nat(9) }), {
        minLength: 1,
        maxLength: 12,
      });
      await fc.assert(
        fc.asyncProperty(acts, async (all) => {
          const before = await shown();
          const since = await revision(db);
          for (const { act, id, n } of all) await ACTS[act]!(`${id}.gif`, n).catch(() => {});
          const after = await shown();
          const changed = new Set(await changedSince(db, since));
          for (const id of new Set([...before.keys(), ...after.keys()])) {
            if (!changed.has(id)) expect(after.get(id)).toEqual(before.get(id));
          }
        }),
        { numRuns: 150 * inject('cases') },
      );
    });

    it('are not noted when nothing is different', async () => {
      await recordGifs(db, [linked('a.gif', 'one'), linked('b.gif', 'two')]);
      const since = await revision(db);
      await recordGifs(db, [linked('a.gif', 'one'), linked('b.gif', 'two')]);
      await noteLink(db, 'a.gif', { state: 'alive', url: 'https://gifs.example/a.gif', kept: null }, 1);
      await noteLink(db, 'b.gif', { state: 'unclear' }, 1);
      expect(await changedSince(db, since)).toEqual([]);
      await recordGifs(db, [linked('a.gif', 'one'), linked('b.gif', 'three')]);
      expect(await changedSince(db, since)).toEqual(['b.gif']);
    });

    it('are noted for every column of a GIF', async () => {
      await recordGifs(db, [linked('a.gif', 'one')]);
      const known = (await db.introspection.getTables()).find(({ name }) => name === 'gifs')!;
      for (const { name, dataType } of known.columns) {
        await forgetChanges(db, { build: 'one', revision: (await revision(db)) + 1 });
        expect(await changedSince(db, 0)).toEqual([]);
        const value = dataType.toLowerCase() === 'text' ? 'other' : 7;
        await sql`update gifs set ${sql.ref(name)} = ${value}`.execute(db);
        expect(await changedSince(db, 0)).toEqual(name === 'id' ? ['a.gif', 'other'] : ['other']);
      }
    });

    it('can be noted for many GIFs, and counted', async () => {
      const ids = Array.from({ length: 1_200 }, (_, n) => `${n}.gif`);
      await noteChanged(db, ids);
      await noteChanged(db, ids.slice(0, 3));
      expect(await countChangedSince(db, await revision(db))).toBe(1_200);
      await noteChanged(db, []);
      await noteSeenPicture(db, 'seen.gif');
      expect((await changedSince(db, await revision(db))).includes('seen.gif')).toBe(true);
    });

    it('are forgotten once they are in a build and vectors need not be made for them', async () => {
      await recordGifs(db, [linked('a.gif', 'one')]);
      const first = await revision(db);
      await setVectorsComplete(db, 'meaning', 'one', first);
      await recordGifs(db, [linked('b.gif', 'two')]);
      await forgetChanges(db, { build: 'one', revision: await revision(db) });
      expect(await changedSince(db, 0)).toEqual(['b.gif']);
      await setVectorsComplete(db, 'meaning', 'one', await revision(db));
      await forgetChanges(db, { build: 'two', revision: first });
      expect(await changedSince(db, 0)).toEqual(['b.gif']);
      await forgetChanges(db, { build: 'three', revision: await revision(db) });
      expect(await changedSince(db, 0)).toEqual([]);
    });

    it('can be added to known builds, and to none that were made before changes were forgotten', async () => {
      for (const build of ['one', 'two', 'two']) await noteBuild(db, { build, revision: 7 });
      const known = () => Promise.all(['one', 'two', 'three'].map((build) => isBuildKnown(db, { build, revision: 7 })));
      expect(await isBuildKnown(db, { build: 'one', revision: 6 })).toBe(false);
      expect(await known()).toEqual([true, true, false]);
      await expect(await areChangesKnown(db, 0)).toBe(true);
      await forgetChanges(db, { build: 'two', revision: 2 });
      expect([await areChangesKnown(db, 1), await areChangesKnown(db, 2)]).toEqual([false, true]);
      // In PostgreSQL, the build can belong to another machine that has not seen the new base yet.
      expect(await known()).toEqual([isPostgres(db), true, false]);
    });

    it('can be added to the latest index of another engine, if it is newer than the earlier base', async () => {
      const [first, second] = ['cluster one', 'cluster two'].map((build, i) => ({ build, revision: 5 + i }));
      const known = () => Promise.all([first, second].map((index) => isBuildKnown(db, index!)));
      await noteBuild(db, { build: 'base', revision: 4 });
      for (const index of [first, second]) await noteBuild(db, index!);
      await noteChanged(db, ['a.gif']);
      await forgetChanges(db, { build: 'base 2', revision: 8 });
      expect(await known()).toEqual([isPostgres(db), true]);
      await noteBuild(db, { build: 'base 2', revision: 8 });
      await forgetChanges(db, { build: 'base 3', revision: 9 });
      expect(await known()).toEqual([isPostgres(db), isPostgres(db)]);
    });
  });
});

onEachDatabase(
  (opened) => {
    const isAnyoneWaiting = async (): Promise<boolean> => {
      const waiting = sql<{ n: number }>`select count(*) as n from pg_locks where not granted`;
      return (await waiting.execute(opened.db)).rows[0]!.n > 0;
    };

    it('a change is noted with a later revision than a snapshot that was taken before it was committed', async () => {
      db = opened.db;
      await recordGifs(db, [linked('a.gif', 'one'), linked('b.gif', 'two')]);
      const writer = await db.startTransaction().execute();
      await saveRatings(writer, [{ id: 'a.gif', rating: 'adult', saidBy: 'model' }]);
      const hiding = setHidden(db, 'b.gif', true);
      await Promise.race([hiding, vi.waitUntil(isAnyoneWaiting, { timeout: 480_000 })]);
      const since = await inSnapshot(db, revision);
      await writer.commit().execute();
      await hiding;
      expect(await changedSince(db, since)).toEqual(['a.gif', 'b.gif']);
    });

    it('transactions that read before they write do so one after the other', async () => {
      db = opened.db;
      const raise = () =>
        inTransaction(db, async (trx) => {
          const now = await revision(trx);
          await sql`update catalog_state set revision = ${now + 1}`.execute(trx);
        });
      await Promise.all(Array.from({ length: 20 }, raise));
      expect(await revision(db)).toBe(20);
    });
  },
  { only: 'PostgreSQL' },
);
