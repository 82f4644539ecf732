import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { recordGifs } from '../catalog/index.ts';
import { recordReport, saveRatings } from '../moderation/index.ts';
import { migrate, openDatabase } from '../platform/db/index.ts';
import type { GifRecord } from '../records/index.ts';
import type { Service } from '../service/index.ts';
import { DATA_MIGRATIONS } from '../service/migrations.ts';
import { foldersOf } from '../service/store.ts';
import { readStatus } from './status.ts';

function gif(id: string): GifRecord {
  const words = { title: 'happy', tags: [], characters: [], series: [], text: '', alt: '', lang: '' };
  const facts = { format: 'gif', width: 9, height: 9, frames: 2, durationMs: 200, bytes: 99, lqip: null } as const;
  const told = { adult: false, popularity: 0, source: 'folder', fallback: [], toldBy: id };
  return { id, sha256: null, verified: 'file', url: null, ...words, ...facts, ...told };
}

test('the status counts everything that waits for an operator, and the space of each kind of file', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-'));
  const db = openDatabase(path.join(folder, 'zoetrope.db'));
  onTestFinished(async () => {
    await db.destroy();
    fs.rmSync(folder, { recursive: true });
  });
  await migrate(db, DATA_MIGRATIONS);
  await recordGifs(db, ['reported.gif', 'doubtful.gif', 'withheld.gif', 'good.gif'].map(gif));
  const report = { id: 'r', gif: 'reported.gif', reason: 'other', message: '', contact: '', reporter: 'form' } as const;
  await recordReport(db, { ...report, at: 1 });
  await saveRatings(db, [
    { id: 'doubtful.gif', rating: 'review', saidBy: 'model' },
    { id: 'withheld.gif', rating: 'adult', saidBy: 'model' },
  ]);
  for (const [name, bytes] of [
    ['media/orig/ab/a.gif', 5],
    ['media/d/r1/a.webp', 6],
    ['models/one/model.onnx', 7],
  ] as const) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), Buffer.alloc(bytes));
  }
  const store = { ...foldersOf(folder), folder, db };
  const service = { store, registry: { db, ready: async () => {} } } as unknown as Service;
  const { gifs, disk, free } = await readStatus(service);
  const { bavail, bsize } = fs.statfsSync(folder);
  // Other programs can use the disk between the two measurements.
  expect(free / (bavail * bsize)).toBeCloseTo(1, 0);
  expect(gifs).toEqual({ found: 0, catalogue: 4, toReview: 3 });
  expect(disk).toMatchObject({ media: 11, models: 7, builds: 0, starter: 0 });
  expect(disk.others).toBeGreaterThan(0);
});
