import { beforeEach, expect, it } from 'vitest';
import { deleteUpload, findGif, hiddenIds, recordGifs } from '../catalog/index.ts';
import { findWithheld } from '../index/index.ts';
import { moderate, pageOfQueue, undoMove } from '../moderation/index.ts';
import type { Database } from '../platform/db/index.ts';
import { HIDDEN_AS_DEAD, setInReview, tables } from '../records/index.ts';
import { onEachDatabase } from '../service/testing/databases.ts';

import {
  findFile,
  findUpload,
  noteUploader,
  recordUpload,
  requireUnused,
  uploadsOf,
  useAuthorisation,
  usedQuota,
} from './uploads.ts';

const NOW = 1_790_000_000_000;
const DAY_MS = 86_400_000;
const [MEMBER, OTHER] = ['a'.repeat(64), 'b'.repeat(64)];
const QUOTA = { files: 2, bytes: 1_000_000 };
const hashOf = (n: number) => String(n).padStart(64, '0');

let db: Database;

const upload = (n: number, { pubkey = MEMBER, bytes = 100, at = NOW } = {}) =>
  recordUpload(db, { sha256: hashOf(n), pubkey, bytes, format: 'gif', run: `run ${n}`, at }, QUOTA);

/** Adds a GIF, as ingest does. */
async function add(n: number, inReview: boolean, { toldBy = `/uploads/run ${n}/a.gif`, source = 'member' } = {}) {
  const id = `${hashOf(n)}.gif`;
  const words = { title: '', tags: [], characters: [], series: [], text: '', alt: '', lang: '' };
  const facts = { format: 'gif', width: 9, height: 9, frames: 2, durationMs: 200, bytes: 99, lqip: null } as const;
  const told = { adult: false, popularity: 0, source, fallback: [], toldBy };
  await recordGifs(db, [{ id, sha256: hashOf(n), verified: 'file', url: null, ...words, ...facts, ...told }]);
  if (inReview) await setInReview(db, id, true);
  return id;
}

const isWithheld = async (n: number) => (await findWithheld(db, [])).originals.has(hashOf(n));

onEachDatabase((opened) => {
  beforeEach(() => {
    db = opened.db;
  });

  it('a file is withheld before it is read, and until an operator accepts it', async () => {
    await upload(1);
    expect([await isWithheld(1), await hiddenIds(db)]).toEqual([true, [`${hashOf(1)}.gif`]]);
    const id = await add(1, true);
    expect([await isWithheld(1), await hiddenIds(db)]).toEqual([true, [id]]);
    expect(await pageOfQueue(db, 'uploaded', { after: '', limit: 9 })).toEqual([id]);
    const accepted = await moderate(db, { actor: 'test', now: NOW }, id, { action: 'safe' });
    expect([await isWithheld(1), await hiddenIds(db)]).toEqual([false, []]);
    expect(await pageOfQueue(db, 'uploaded', { after: '', limit: 9 })).toEqual([]);
    await undoMove(db, { actor: 'test', now: NOW }, accepted!.seq);
    expect([await isWithheld(1), (await findFile(db, hashOf(1)))?.inReview]).toEqual([true, true]);
  });

  it.each(['hide', 'adult', 'block'] as const)(
    'a file that an operator refuses (%s) stays withheld',
    async (action) => {
      await upload(1);
      const id = await add(1, true);
      await moderate(db, { actor: 'test', now: NOW }, id, { action });
      expect(await isWithheld(1)).toBe(true);
      expect(await pageOfQueue(db, 'uploaded', { after: '', limit: 9 })).toEqual([]);
      await expect(findFile(db, hashOf(1))).rejects.toMatchObject({ code: 'forbidden' });
      await expect(upload(1)).rejects.toMatchObject({ code: 'forbidden' });
    },
  );

  it('a linked GIF is not replaced, unless its link is dead', async () => {
    const id = await add(1, false);
    await tables(db).updateTable('gifs').set({ url: 'https://other.example/a.gif' }).where('id', '=', id).execute();
    await expect(upload(1)).rejects.toMatchObject({ code: 'conflict' });
    await tables(db).updateTable('gifs').set({ hidden: HIDDEN_AS_DEAD }).where('id', '=', id).execute();
    await upload(1);
  });

  it('a quota limits the files and the bytes of 24 hours', async () => {
    await upload(1, { bytes: 600_000 });
    const over = upload(2, { bytes: 500_000 });
    await expect(over).rejects.toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining('0.4 MB are left'),
    });
    await upload(2, { at: NOW + 1_000 });
    await expect(upload(3, { at: NOW + 2_000 })).rejects.toMatchObject({ retryAfter: DAY_MS / 1_000 - 2 });
    await upload(3, { pubkey: OTHER });
    expect(await usedQuota(db, MEMBER, NOW + 2_000)).toMatchObject({ files: 2, bytes: 600_100 });
    await upload(4, { at: NOW + DAY_MS });
    await expect(upload(5, { bytes: 1_000_001 })).rejects.toMatchObject({ code: 'validation' });
  });

  it('an authorisation is used once for a file, and forgotten when it has expired', async () => {
    const authorisation = { id: `event:${hashOf(1)}`, expiresAt: NOW + 1_000 };
    await requireUnused(db, authorisation);
    await useAuthorisation(db, authorisation, NOW);
    await expect(requireUnused(db, authorisation)).rejects.toMatchObject({ code: 'login_refused' });
    await expect(useAuthorisation(db, authorisation, NOW)).rejects.toMatchObject({ code: 'login_refused' });
    await useAuthorisation(db, { ...authorisation, id: 'other' }, NOW + 2_000);
    await requireUnused(db, authorisation);
  });

  it.each([true, false])(
    'a deleted file is withheld, and reviewed again after another upload (in review: %s)',
    async (inReview) => {
      await upload(1);
      const id = await add(1, inReview);
      await tables(db).updateTable('gifs').set({ title: 'private' }).where('id', '=', id).execute();
      await deleteUpload(db, { sha256: hashOf(1), pubkey: MEMBER, now: NOW });
      expect([await isWithheld(1), await hiddenIds(db)]).toEqual([true, [id]]);
      expect((await findGif(db, id))?.title).toBe('');
      expect(await pageOfQueue(db, 'uploaded', { after: '', limit: 9 })).toEqual([]);
      expect([await uploadsOf(db, MEMBER), await findUpload(db, hashOf(1))]).toEqual([[], undefined]);
      expect(await findFile(db, hashOf(1))).toBeUndefined();
      // The quota still counts the deleted file.
      expect(await usedQuota(db, MEMBER, NOW)).toMatchObject({ files: 1 });
      await upload(1, { pubkey: OTHER });
      await add(1, false);
      expect(await isWithheld(1)).toBe(true);
      expect(await pageOfQueue(db, 'uploaded', { after: '', limit: 9 })).toEqual([id]);
      expect((await uploadsOf(db, OTHER)).map(({ sha256 }) => sha256)).toEqual([hashOf(1)]);
    },
  );

  it('a file that an operator removed stays removed after its member deletes it', async () => {
    await upload(1);
    const id = await add(1, true);
    await moderate(db, { actor: 'test', now: NOW }, id, { action: 'hide' });
    await deleteUpload(db, { sha256: hashOf(1), pubkey: MEMBER, now: NOW });
    await expect(upload(1)).rejects.toMatchObject({ code: 'forbidden' });
  });

  const deletion = (pubkey = MEMBER) => deleteUpload(db, { sha256: hashOf(1), pubkey, now: NOW });

  it('a member cannot delete a GIF that others brought', async () => {
    await add(1, false, { toldBy: '/folder/a.gif', source: 'folder' });
    await expect(deletion()).rejects.toMatchObject({ code: 'not_found' });
    await upload(2);
    await add(2, false);
    await expect(deleteUpload(db, { sha256: hashOf(2), pubkey: OTHER, now: NOW })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it.each([
    ['the operator added it from a folder', () => add(1, false, { toldBy: '/zebra/a.gif', source: 'folder' })],
    ['another member uploaded it', () => noteUploader(db, { sha256: hashOf(1), pubkey: OTHER })],
  ])('a member cannot delete an upload after %s', async (_, bring) => {
    await upload(1);
    const id = await add(1, false);
    await noteUploader(db, { sha256: hashOf(1), pubkey: MEMBER });
    await bring();
    await expect(deletion()).rejects.toMatchObject({ code: 'conflict' });
    expect(await hiddenIds(db)).not.toContain(id);
  });

  it('a list of uploads has pages, and can be limited to a period', async () => {
    for (let n = 1; n <= 4; n++) await upload(n, { at: NOW + Math.floor(n / 2) * DAY_MS });
    const seen = async (page: Parameters<typeof uploadsOf>[2]) =>
      (await uploadsOf(db, MEMBER, page)).map(({ sha256 }) => Number(sha256));
    expect(await seen({})).toEqual([4, 2, 3, 1]);
    expect(await seen({ after: await findUpload(db, hashOf(2)) })).toEqual([3, 1]);
    expect(await seen({ since: NOW + DAY_MS, until: NOW + DAY_MS })).toEqual([2, 3]);
  });

  it('files that never became GIFs are forgotten after 30 days', async () => {
    await upload(1);
    await upload(2);
    await add(2, true);
    await upload(4, { pubkey: OTHER });
    await add(4, false);
    await deleteUpload(db, { sha256: hashOf(4), pubkey: OTHER, now: NOW });
    await upload(3, { pubkey: OTHER, at: NOW + 31 * DAY_MS });
    const left = await tables(db).selectFrom('uploads').select('sha256').orderBy('sha256').execute();
    expect(left.map(({ sha256 }) => sha256)).toEqual([hashOf(2), hashOf(3)]);
    expect((await uploadsOf(db, MEMBER)).map(({ sha256 }) => sha256)).toEqual([hashOf(2)]);
  });
});
