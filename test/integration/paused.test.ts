import { afterAll, expect, test } from 'vitest';
import { findImportOf, requestSources, setPaused } from '../../packages/server/src/ingest/index.ts';
import { openStore } from '../../packages/server/src/service/store.ts';
import { writeGifs } from '../support/catalogue.ts';
import { temporaryFolder, zoetrope } from '../support/server.ts';

const ENV = { ZOETROPE_EMBEDDER: 'none', ZOETROPE_RATING: 'off', ZOETROPE_CAPTIONS: 'off' };
const folder = temporaryFolder();
const data = `${folder.path}/data`;

afterAll(() => folder[Symbol.dispose]());

async function withDatabase<Result>(
  act: (db: Awaited<ReturnType<typeof openStore>>['db']) => Promise<Result>,
): Promise<Result> {
  const store = await openStore(data);
  try {
    return await act(store.db);
  } finally {
    await store.close();
  }
}

test('other work goes on while an import is paused, and the import is complete after it continues', async () => {
  for (const [n, name] of ['paused', 'other'].entries()) writeGifs(`${folder.path}/${name}`, 2 + n);
  const source = { type: 'folder', path: `${folder.path}/paused` } as const;
  await withDatabase(async (db) => {
    await requestSources(db, [source], { run: 'paused', machine: '' });
    await setPaused(db, (await findImportOf(db, 'paused')).id, true);
  });
  const work = async (...command: string[]) => {
    const { code, stdout, stderr } = await zoetrope(data, [...command, '--json', '--quiet'], ENV);
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout) as { added: number; documents: number };
  };
  // The catalogue is still empty, but the command does not wait for the paused import.
  expect(await work('work')).toMatchObject({ documents: 0 });
  expect(await work('add', `${folder.path}/other`)).toMatchObject({ documents: 3 });
  await withDatabase(async (db) => {
    const { id, ...found } = await findImportOf(db, 'paused');
    expect(found).toMatchObject({ isPaused: true, endedAt: null, open: 1, added: 0 });
    await setPaused(db, id, false);
  });
  await work('work');
  const { added, known, endedAt } = await withDatabase((db) => findImportOf(db, 'paused'));
  expect({ all: added + known, isEnded: endedAt !== null }).toEqual({ all: 2, isEnded: true });
});
