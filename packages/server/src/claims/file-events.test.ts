import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { noteLink, recordGifs } from '../catalog/index.ts';
import { type Database, migrate, openDatabase } from '../platform/db/index.ts';
import { saveEdit, setHidden } from '../records/index.ts';
import { DATA_MIGRATIONS } from '../service/migrations.ts';
import { onEachDatabase } from '../service/testing/databases.ts';
import { addressesToSee, noteAddress } from './addresses.ts';
import { gifsOfEvents, relayFactsOf } from './file-events.ts';
import { type EventBatch, keepClaimsOf, recordEvents } from './record-claims.ts';

const NOW = 1_790_000_000;
const OPTIONS = { minAuthors: 3, now: NOW, marks: { needed: 0, counts: () => false } };
const SIZE = { width: 9, height: 9, frames: 2, durationMs: 200, bytes: 99 };
const FACTS = { ...SIZE, format: 'gif' as const, lqip: null, transparent: undefined, blankStill: undefined };
const NOTHING = { claims: [], files: [], withdrawals: [], votes: [], reports: [], packs: [] };

/** Returns an event about a file, and its claim. The hash of the file is this letter, repeated. */
function told(n: number, letter = 'a'): Pick<EventBatch, 'claims' | 'files'> {
  const [id, author, createdAt] = [`event${n}`, `author${n % 10}`, NOW - 1_000 + n];
  const words = { title: `title ${n}`, titleRank: 0, alt: '', lang: '', tags: [], adult: false, bare: false };
  const file = { urls: [`https://${letter}.example/a.gif`], hashes: [letter.repeat(64)] };
  const from = { relay: 'wss://relay.example', seenAt: NOW * 1_000 };
  return {
    claims: [{ ...words, ...file, ...from, eventId: id, part: 0, author, createdAt }],
    files: [{ id, author, createdAt, event: `"${id}"` }],
  };
}

const idOf = (letter: string) => `${letter.repeat(64)}.gif`;
const ID = idOf('a');

onEachDatabase((opened) => {
  let db: Database;
  beforeEach(() => {
    db = opened.db;
  });

  const hear = (batch: Partial<EventBatch>) => recordEvents(db, { ...NOTHING, ...batch }, OPTIONS);
  const withdraw = (n: number, author = `author${n % 10}`) => hear({ withdrawals: [{ eventId: `event${n}`, author }] });

  /** Records for every due address that its file was found there. */
  async function seeAll(): Promise<void> {
    for (const { url } of await addressesToSee(db, NOW * 1_000, { limit: 100 })) {
      const sha256 = new URL(url).hostname[0]!.repeat(64);
      await noteAddress(db, url, { state: 'there', facts: { ...FACTS, sha256 }, kept: false }, OPTIONS);
    }
  }

  async function sent(id = ID): Promise<string | null | undefined> {
    return (await relayFactsOf(db, [id, idOf('f')]))[id]?.event;
  }

  it('sends the event that came first, and after its deletion the next event that still exists', async () => {
    for (const n of [2, 1]) await hear(told(n));
    await seeAll();
    expect(await sent()).toBe('"event2"');
    await withdraw(2, 'author1');
    expect(await sent()).toBe('"event2"');
    await withdraw(2);
    expect(await sent()).toBe('"event1"');
    expect(await gifsOfEvents(db, { ids: ['event1', 'event2'] })).toEqual([ID]);
    expect(await gifsOfEvents(db, { ids: ['event2'] })).toEqual([]);
  });

  it('does not store an event whose deletion came before', async () => {
    await withdraw(1);
    await hear(told(1));
    await hear({ ...told(2), withdrawals: [{ eventId: 'event2', author: 'author2' }] });
    expect(await gifsOfEvents(db, { authors: ['author1', 'author2'], since: 0, until: NOW, limit: 9 })).toEqual([]);
    await hear(told(3));
    await seeAll();
    expect(await sent()).toBe('"event3"');
  });

  it('removes the events of authors who are no longer allowed', async () => {
    await hear(told(1));
    await seeAll();
    await keepClaimsOf(db, () => false, OPTIONS);
    // The author's claim arrives again without the event.
    await hear({ ...told(1), files: [] });
    expect(await sent()).toBe(null);
  });

  it('sends no event of a GIF that is hidden, edited or shown at another URL', async () => {
    await hear(told(1));
    await seeAll();
    await setHidden(db, ID, true);
    expect(await sent()).toBe(undefined);
    await setHidden(db, ID, false);
    expect(await sent()).toBe('"event1"');
    await saveEdit(db, ID, { title: 'better', tags: null, alt: null });
    expect(await sent()).toBe(null);
    await saveEdit(db, ID, null);
    expect(await sent()).toBe('"event1"');
    await noteLink(db, ID, { state: 'alive', url: 'https://b.example/a.gif', kept: null }, NOW * 1_000);
    expect(await sent()).toBe(null);
  });

  it("sends no event of the operator's own GIF", async () => {
    await hear(told(1));
    await seeAll();
    const words = { title: 'own', tags: [], characters: [], series: [], text: '', alt: '', lang: '', adult: false };
    const rest = { popularity: 0, source: 'folder', fallback: [], url: null, toldBy: '/gifs/own.gif' };
    await recordGifs(db, [{ id: ID, sha256: 'a'.repeat(64), verified: 'file', ...FACTS, ...words, ...rest }]);
    expect(await sent()).toBe(null);
  });

  it('finds the last GIFs of authors within a time', async () => {
    for (const [n, letter] of [
      [1, 'a'],
      [11, 'b'],
      [21, 'c'],
      [2, 'd'],
    ] as const) {
      await hear(told(n, letter));
    }
    await seeAll();
    const [first, second, third] = [1, 11, 21].map((n) => NOW - 1_000 + n);
    const of = (authors: string[], since: number, until: number, limit = 9) =>
      gifsOfEvents(db, { authors, since, until, limit });
    expect(await of(['author1'], 0, NOW, 2)).toEqual([idOf('c'), idOf('b')]);
    expect(await of(['author1'], first! + 1, third! - 1)).toEqual([idOf('b')]);
    expect(await of(['author1'], second!, second!)).toEqual([idOf('b')]);
    expect(await of(['author2', 'author3', 'author1'], 0, first!)).toEqual([idOf('a')]);
    expect(await of(['author2', 'author1'], 0, NOW)).toEqual(['d', 'c', 'b', 'a'].map(idOf));
  });
});

it('lets the events of known GIFs be read again after the migration', async () => {
  const db = openDatabase(':memory:');
  await migrate(db, Object.fromEntries(Object.entries(DATA_MIGRATIONS).filter(([name]) => name < '0057')));
  await sql`insert into relay_events values ('files', 'event1', 1), ('deletions', 'event2', 1)`.execute(db);
  await migrate(db, DATA_MIGRATIONS);
  expect((await sql`select id from relay_events`.execute(db)).rows).toEqual([{ id: 'event2' }]);
  await db.destroy();
});
