import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { catalogMigrations } from '../catalog/index.ts';
import { type Database, migrate, openDatabase } from '../platform/db/index.ts';
import type { GifRecord } from '../records/index.ts';
import { saveVectors } from '../vectors/index.ts';
import { meaningVectors } from './embed.ts';

const SPACE = { id: 'model', dimensions: 4 };
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
