import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { recordGifs } from '../../catalog/index.ts';
import { loadConfig } from '../../config.ts';
import { migrate, openDatabase } from '../../platform/db/index.ts';
import { DATA_MIGRATIONS, type Service } from '../../service/index.ts';
import { addCatalogue, shownKey } from '../../sharing/index.ts';
import { createSharedCatalogues } from './catalogues.ts';

const KEY = 'a'.repeat(64);
const db = openDatabase(':memory:');
afterEach(() => db.destroy());

test('a followed catalogue is waiting, being read, read or failed', async () => {
  const folder = path.join(os.tmpdir(), 'zoetrope-nothing-here');
  await migrate(db, DATA_MIGRATIONS);
  for (const name of ['waiting', 'reading', 'read', 'failed']) await addCatalogue(db, `https://${name}.example`);
  await sql`update catalogues set pubkey = ${KEY}, gifs = 2, error = 'the signature of the manifest is wrong'
    where url = 'https://failed.example'`.execute(db);
  await sql`update catalogues set gifs = 3, read_at = 7 where url = 'https://read.example'`.execute(db);
  await sql`update catalogues set gifs = 2 where url = 'https://reading.example'`.execute(db);
  for (const name of ['reading', 'read']) {
    await sql`insert into catalogue_gifs values (${`https://${name}.example`}, 'a.gif', 0)`.execute(db);
  }
  const known = ['b.gif', 'c.gif'];
  for (const id of known) await sql`insert into catalogue_gifs values ('https://read.example', ${id}, 1)`.execute(db);
  await recordGifs(
    db,
    known.map((id) => ({
      ...{ id, sha256: null, verified: 'file', url: null, format: 'gif', width: 9, height: 9, frames: 2, bytes: 99 },
      ...{ durationMs: 200, lqip: null, title: '', tags: [], characters: [], series: [], text: '', alt: '', lang: '' },
      ...{ adult: false, popularity: 0, source: 'folder', fallback: [], toldBy: '/srv/gifs' },
    })),
  );
  const config = loadConfig({}, folder);
  const { sharedCatalogues } = createSharedCatalogues({
    config,
    store: { db, catalogue: folder },
  } as Service);
  const { followed, ...rest } = await sharedCatalogues();
  expect(rest).toEqual({ publishing: false, published: null });
  expect(followed.map(({ url, state }) => `${new URL(url).hostname} ${state}`)).toEqual([
    'failed.example failed',
    'read.example read',
    'reading.example reading',
    'waiting.example waiting',
  ]);
  expect(followed[0]).toMatchObject({ key: shownKey(KEY), taken: 0, error: 'the signature of the manifest is wrong' });
  expect(followed[1]).toMatchObject({ key: null, taken: 1, known: 2, readAt: 7 });
});
