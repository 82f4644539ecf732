import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { catalogMigrations } from '../catalog/index.ts';
import { documentText, type QueryTable } from '../embed/index.ts';
import { type Database, migrate, openDatabase } from '../platform/db/index.ts';
import type { GifRecord } from '../records/index.ts';
import { saveVectors } from '../vectors/index.ts';
import { meaningVectors } from './embed.ts';

const SPACE = { id: 'model', dimensions: 4, table: undefined };
let db: Database;
beforeEach(async () => {
  db = openDatabase(':memory:');
  await migrate(db, { vectors: catalogMigrations.vectors });
});
afterEach(() => db.destroy());

const gif = (title: string) =>
  ({ title, tags: [], characters: [], series: [], text: '', alt: '', lang: '' }) as unknown as GifRecord;
const sourceOf = (text: string) => createHash('sha256').update(text).digest('base64url');

test('a build gets the vector of each text, and none for a text with nothing to embed', async () => {
  await saveVectors(db, SPACE.id, [
    { source: sourceOf('cat'), vector: Uint8Array.from([1, 2, 255, 4]) },
    { source: sourceOf('zxqv'), vector: new Uint8Array() },
  ]);
  const vectors = await meaningVectors(SPACE).vectorsOf(db, [gif('cat'), gif('zxqv'), gif('dog'), gif('')]);
  expect(vectors.map((vector) => vector && [...vector])).toEqual([[1, 2, -1, 4], undefined, undefined, undefined]);
});

test('with a model that understands only English, a GIF whose words it does not know has no vector', async () => {
  const titles = ['happy cat', 'urlaub', '¯\\_ツ_/¯', 'traurig happy dance', 'schade traurig happy bildschirmschoner'];
  const vector = Uint8Array.from([1, 2, 3, 4]);
  const textOf = (title: string) => documentText(gif(title));
  await saveVectors(
    db,
    SPACE.id,
    titles.map((title) => ({ source: sourceOf(textOf(title)), vector })),
  );
  const hasVector = async (table: QueryTable | undefined) => {
    const vectors = await meaningVectors({ ...SPACE, table }).vectorsOf(db, titles.map(gif));
    return titles.filter((_, i) => vectors[i] !== undefined);
  };
  expect(await hasVector(undefined)).toEqual(titles);
  for (const name of ['queries', 'meaning'] as const)
    expect(await hasVector({ name, queries: 'short' })).toEqual(['happy cat', 'traurig happy dance']);
});
