import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { recordGifs } from '../catalog/index.ts';
import { copyTables, type Database, isPostgres, migrate, openDatabase, tablesOf } from '../platform/db/index.ts';
import { claimJob, enqueueJobs } from '../platform/jobs/index.ts';
import { changedSince, revision } from '../records/index.ts';
import { findVectors, saveVectors } from '../vectors/index.ts';
import { CATALOGUE_MIGRATIONS, DATA_MIGRATIONS } from './migrations.ts';
import { onEachDatabase } from './testing/databases.ts';

const QUIET = { onProgress: () => {}, signal: new AbortController().signal };
const linked = (n: number) => ({
  ...({
    id: `${n}.gif`,
    sha256: null,
    verified: 'nothing',
    url: `https://gifs.example/${n}.gif`,
    format: 'gif',
  } as const),
  ...{
    width: 480,
    height: 270,
    frames: null,
    durationMs: null,
    bytes: null,
    lqip: null,
    adult: false,
    popularity: n / 3,
  },
  ...{ title: `title ${n} é🙂`, tags: ['a', 'b'], characters: [], series: [], text: '', alt: '', lang: '' },
  ...{ source: '', fallback: [], toldBy: 'test' },
});

let sqlite: Database;
let catalogue: ReadonlySet<string>;

beforeEach(async () => {
  sqlite = openDatabase(':memory:');
  await migrate(sqlite, DATA_MIGRATIONS);
  const own = openDatabase(':memory:');
  await migrate(own, CATALOGUE_MIGRATIONS);
  catalogue = new Set(await tablesOf(own));
  await own.destroy();
  return () => sqlite.destroy();
});

async function fill(db: Database): Promise<void> {
  await recordGifs(
    db,
    Array.from({ length: 1_234 }, (_, n) => linked(n)),
  );
  await saveVectors(db, 'model', [{ source: 'one', vector: Uint8Array.of(0, 1, 255) }]);
  await enqueueJobs(db, 'test', [{ key: 'one', run: 'run', payload: { n: 1 } }]);
}

onEachDatabase((opened) => {
  it('a catalogue is copied to another database, can be changed there, and is copied back', async () => {
    await fill(sqlite);
    const { db } = opened;
    const counts = await copyTables(sqlite, db, catalogue, QUIET);
    expect(counts.get('gifs')).toBe(1_234);
    expect(await revision(db)).toBe(await revision(sqlite));
    expect(await changedSince(db, 0)).toEqual(await changedSince(sqlite, 0));
    expect([...(await findVectors(db, 'model', ['one'])).values()]).toEqual([Buffer.of(0, 1, 255)]);
    await enqueueJobs(db, 'test', [{ key: 'two', run: 'run', payload: { n: 2 } }]);
    expect([await claimJob(db, 'test', 'me'), await claimJob(db, 'test', 'me')]).toMatchObject([
      { key: 'one' },
      { key: 'two' },
    ]);
    const before = await revision(db);
    await recordGifs(db, [linked(7_777)]);
    expect(await changedSince(db, before)).toEqual(['7777.gif']);
    await copyTables(db, sqlite, catalogue, QUIET);
    expect(await changedSince(sqlite, before)).toEqual(['7777.gif']);
  });

  it('a copy that is interrupted leaves the target as it was', async () => {
    await fill(sqlite);
    const { db } = opened;
    await recordGifs(db, [linked(9_999)]);
    const stop = new AbortController();
    const onProgress = ({ done }: { done: number }) => {
      if (done > 500) stop.abort(new Error('stopped'));
    };
    await expect(copyTables(sqlite, db, catalogue, { onProgress, signal: stop.signal })).rejects.toThrow('stopped');
    expect(await changedSince(db, 0)).toEqual(['9999.gif']);
  });

  it('texts with characters that PostgreSQL cannot store are copied without these', async () => {
    await recordGifs(sqlite, [linked(1)]);
    await sql`update gifs set title = ${'a\0b'}`.execute(sqlite);
    await copyTables(sqlite, opened.db, catalogue, QUIET);
    const { rows } = await sql<{ title: string }>`select title from gifs`.execute(opened.db);
    expect(rows).toEqual([{ title: isPostgres(opened.db) ? 'ab' : 'a\0b' }]);
  });
});
