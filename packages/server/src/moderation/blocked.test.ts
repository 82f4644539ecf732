import { beforeEach, describe, expect, it } from 'vitest';
import { hiddenIds, recordGifs } from '../catalog/index.ts';
import type { Database } from '../platform/db/index.ts';
import { type GifRecord, setHidden } from '../records/index.ts';
import { onEachDatabase } from '../service/testing/databases.ts';
import { pictureKey } from '../vectors/index.ts';
import { blockGif, hasBlockedPictures, isBlocked, unblockGif } from './blocked.ts';
import { savePictureRating } from './ratings.ts';

let db: Database;

const hashOf = (n: number) => String(n).repeat(64);

/** Adds a GIF and the hashes of its frames. */
async function take(n: number, hashes: readonly bigint[], url: string | null = null): Promise<string> {
  const id = url === null ? `${hashOf(n)}.gif` : `linked-${n}.gif`;
  const words = { title: 'happy', tags: [], characters: [], series: [], text: '', alt: '', lang: '' };
  const facts = { format: 'gif', width: 9, height: 9, frames: 2, durationMs: 200, bytes: 99, lqip: null } as const;
  const told = { adult: false, popularity: 0, source: '', fallback: [], toldBy: 'folder' };
  const gif: GifRecord = { id, sha256: hashOf(n), verified: 'file', url, ...words, ...facts, ...told };
  await recordGifs(db, [gif]);
  await savePictureRating(db, pictureKey(gif), { suspicion: null, hashes });
  return id;
}

/** Returns the hash with this number of its lowest bits flipped. */
const turned = (hash: bigint, bits: number) => hash ^ ((1n << BigInt(bits)) - 1n);

const FRAMES = [0x0123456789abcdefn, 0xfedcba9876543210n, 0x5555aaaa5555aaaan];

onEachDatabase((opened) => {
  beforeEach(async () => {
    db = opened.db;
  });

  describe('a blocked GIF', () => {
    it('is recognised by its bytes, and by similar frames', async () => {
      const id = await take(1, FRAMES);
      expect(await hasBlockedPictures(db)).toBe(false);
      expect(await isBlocked(db, hashOf(1), FRAMES)).toBeNull();
      expect(await blockGif(db, id)).toBe(1);
      expect(await hasBlockedPictures(db)).toBe(true);
      expect(await isBlocked(db, hashOf(1), [])).toBe('file');
      expect(
        await isBlocked(
          db,
          hashOf(2),
          FRAMES.map((hash) => turned(hash, 4)),
        ),
      ).toBe('picture');
      expect(
        await isBlocked(
          db,
          null,
          FRAMES.map((hash) => turned(hash, 5)),
        ),
      ).toBeNull();
      expect(await isBlocked(db, hashOf(2), [...FRAMES.slice(0, 2), 0x77n])).toBeNull();
      expect(await isBlocked(db, hashOf(2), [])).toBeNull();
    });

    it('hides its look-alikes until it is unblocked, even if the operator shows them again', async () => {
      const [id, alike, other] = [
        await take(1, FRAMES),
        await take(
          2,
          FRAMES.map((hash) => turned(hash, 3)),
        ),
        await take(3, [0x1n << 60n, 0x3n << 58n]),
      ];
      expect(await blockGif(db, id)).toBe(2);
      expect(await blockGif(db, id)).toBe(0);
      await setHidden(db, alike, true);
      await setHidden(db, alike, false);
      expect((await hiddenIds(db)).toSorted()).toEqual([id, alike]);
      expect(await blockGif(db, other)).toBe(1);
    });

    it('hides linked GIFs that look like it, too', async () => {
      const id = await take(1, FRAMES);
      const linked = await take(2, FRAMES, 'https://gifs.example/2.gif');
      expect(await blockGif(db, id)).toBe(2);
      expect((await hiddenIds(db)).toSorted()).toEqual([id, linked]);
    });

    it('is shown again with its look-alikes when it is unblocked, but other blocked GIFs are not', async () => {
      const id = await take(1, FRAMES);
      const copy = FRAMES.map((hash) => turned(hash, 3));
      const alike = await take(2, copy);
      const other = await take(3, [0x1n << 60n, 0x3n << 58n]);
      for (const blocked of [id, other]) await blockGif(db, blocked);
      expect((await unblockGif(db, id)).toSorted()).toEqual([id, alike]);
      expect(await hiddenIds(db)).toEqual([other]);
      expect([await isBlocked(db, hashOf(1), FRAMES), await isBlocked(db, hashOf(2), copy)]).toEqual([null, null]);
      expect(await isBlocked(db, hashOf(3), [])).toBe('file');
    });

    it('of a single colour has no look-alikes', async () => {
      await blockGif(db, await take(1, [0n, 0n, 0n]));
      expect(await isBlocked(db, hashOf(2), [0n, 0n, 0n])).toBeNull();
      expect(await isBlocked(db, hashOf(1), [0n])).toBe('file');
    });
  });
});
