import type { Kysely } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { findGif, recordGifs } from '../catalog/index.ts';
import type { Database } from '../platform/db/index.ts';
import { onEachDatabase } from '../service/testing/databases.ts';
import { changedSince } from './changes.ts';
import { cleanTextMigration } from './clean-texts.ts';
import type { GifRecord } from './record.ts';
import { revision } from './revision.ts';

function gif(id: string, url: string, fallback: string[] = []): GifRecord {
  return {
    ...{ id, sha256: null, verified: 'header', url, format: 'gif', width: 8, height: 8, frames: 2, durationMs: 100 },
    ...{ bytes: 99, lqip: null, fallback, source: '', toldBy: `m#${url}`, title: id, tags: [], characters: [] },
    ...{ series: [], text: '', alt: '', lang: '', adult: false, popularity: 0 },
  };
}

onEachDatabase((opened) => {
  describe('stored texts', () => {
    let db: Database;

    beforeEach(() => {
      ({ db } = opened);
    });

    test('are cleaned, and the changed GIFs get into the next build', async () => {
      await recordGifs(db, [
        gif('clean.gif', 'https://a.example/clean.gif', ['https://b.example/']),
        gif('lines.gif', 'https://a.example/x.gif?\n\nSend sats to me'),
        gif('user.gif', 'https://gifs.example@evil.example/x.gif#top'),
        { ...gif('words.gif', 'https://a.example/w.gif'), title: 'fig\u202e.exe', tags: ['a\u2066b', '\u202e'] },
        gif('marks.gif', 'HTTPS://A.example/\u202efig.gif', ['https://b.example/a b']),
        gif('null.gif', 'https://a.example/n.gif', [null as unknown as string, 'https://b.example/n']),
      ]);
      const before = await revision(db);
      const notes: string[] = [];
      await cleanTextMigration.up(db as unknown as Kysely<unknown>, (text) => notes.push(text));
      expect(notes).toEqual(['The URLs or words of 5 GIFs were cleaned: what is shown is now what is fetched.']);
      const url = async (id: string) => (await findGif(db, id))!.url;
      expect(await url('clean.gif')).toBe('https://a.example/clean.gif');
      expect(await url('lines.gif')).toBe('https://a.example/x.gif?Send%20sats%20to%20me');
      expect(await url('user.gif')).toBe('https://evil.example/x.gif');
      expect(await findGif(db, 'marks.gif')).toMatchObject({
        url: 'https://a.example/%E2%80%AEfig.gif',
        fallback: ['https://b.example/a%20b'],
      });
      expect(await findGif(db, 'null.gif')).toMatchObject({ fallback: ['https://b.example/n'] });
      expect(await findGif(db, 'words.gif')).toMatchObject({ title: 'fig .exe', tags: ['a b'] });
      expect(await revision(db)).toBe(before + 1);
      const changed = ['lines.gif', 'marks.gif', 'null.gif', 'user.gif', 'words.gif'];
      expect((await changedSince(db, before)).toSorted()).toEqual(changed);
      await cleanTextMigration.up(db as unknown as Kysely<unknown>, (text) => notes.push(text));
      expect([notes.length, await revision(db)]).toEqual([1, before + 1]);
    });
  });
});
