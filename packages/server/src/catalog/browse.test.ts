import { beforeEach, expect, test } from 'vitest';
import { blockGif, saveRatings } from '../moderation/index.ts';
import type { Database } from '../platform/db/index.ts';
import { type GifRecord, saveEdit, setHidden } from '../records/index.ts';
import { onEachDatabase } from '../service/testing/databases.ts';
import { ANY_GIF, type BrowseFilter, browseGifs, pickGifs } from './browse.ts';
import { recordGifs } from './catalog.ts';

let db: Database;

function gif(n: number, changes: Partial<GifRecord> = {}): GifRecord {
  const sha256 = n.toString(16).padStart(64, '0');
  const words = { title: `party ${n}`, tags: ['joy'], characters: [], series: [], text: '', alt: '', lang: '' };
  const facts = { format: 'gif', width: 9, height: 9, frames: 2, durationMs: 200, bytes: 99, lqip: null } as const;
  const told = { adult: false, popularity: 0, source: 'folder', fallback: [], toldBy: 'folder' };
  return { id: `${sha256}.gif`, sha256, verified: 'file', url: null, ...words, ...facts, ...told, ...changes };
}

/** Returns the titles of all pages. */
async function titles(filter: Partial<BrowseFilter> = {}, limit = 3): Promise<string[]> {
  const found: string[] = [];
  let after = '';
  do {
    const page = await browseGifs(db, { ...ANY_GIF, ...filter }, { after, limit });
    found.push(...page.gifs.map(({ title }) => title));
    after = page.next;
  } while (after !== '');
  return found;
}

onEachDatabase((opened) => {
  beforeEach(() => {
    db = opened.db;
  });

  test('pages together have each GIF once, the newest first', async () => {
    for (const n of [1, 2, 3]) await recordGifs(db, [gif(10 * n), gif(10 * n + 1)]);
    const all = await titles();
    expect(all.toSorted()).toEqual(['party 10', 'party 11', 'party 20', 'party 21', 'party 30', 'party 31']);
    const [first] = (await browseGifs(db, ANY_GIF, { after: '', limit: 1 })).gifs;
    expect(first!.addedAt).toBeGreaterThan(Date.UTC(2026, 0, 1));
    const times = (await browseGifs(db, ANY_GIF, { after: '', limit: 9 })).gifs.map(({ addedAt }) => addedAt);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });

  test('adding a GIF again leaves its place in the list', async () => {
    await recordGifs(db, [gif(1)]);
    const before = await pickGifs(db, ANY_GIF, [gif(1).id]);
    await recordGifs(db, [gif(2), gif(1, { title: 'again' })]);
    const [now] = await pickGifs(db, ANY_GIF, [gif(1).id]);
    expect(now).toMatchObject({ title: 'again', addedAt: before[0]!.addedAt });
  });

  test('each filter returns only the GIFs that match it', async () => {
    await recordGifs(db, [
      gif(1),
      gif(2, { title: 'Grumpy 100%', text: 'monday', format: 'webp', source: 'https://pack.example' }),
      gif(3, { title: '', tags: [] }),
      gif(4, { url: 'https://a.example/4.gif', verified: 'nothing', sha256: null }),
      gif(5),
    ]);
    await setHidden(db, gif(5).id, true);
    await blockGif(db, gif(1).id);
    await saveRatings(db, [{ id: gif(2).id, rating: 'adult', saidBy: 'model' }]);
    await saveEdit(db, gif(4).id, { title: 'renamed', tags: null, alt: null });
    expect(await titles({ words: ['GRUMPY', 'monday'] })).toEqual(['Grumpy 100%']);
    expect(await titles({ words: ['100%'] })).toEqual(['Grumpy 100%']);
    expect(await titles({ words: ['renamed'] })).toEqual(['renamed']);
    expect(await titles({ source: 'https://pack.example' })).toEqual(['Grumpy 100%']);
    expect(await titles({ format: 'webp' })).toEqual(['Grumpy 100%']);
    expect(await titles({ isWordless: true })).toEqual(['']);
    expect(await titles({ state: 'waiting' })).toEqual(['renamed']);
    expect(await titles({ state: 'hidden' }, 1)).toEqual(['party 1', 'party 5']);
    expect(await titles({ state: 'operator' })).toEqual(['party 5']);
    expect(await titles({ state: 'blocked' })).toEqual(['party 1']);
    expect(await titles({ rating: 'adult' })).toEqual(['Grumpy 100%']);
    expect((await titles({ rating: 'none', state: 'shown' })).toSorted()).toEqual(['', 'renamed']);
    const [hidden] = await pickGifs(db, ANY_GIF, [gif(5).id]);
    expect(hidden).toMatchObject({ hiddenBecause: ['operator'], said: null, edited: false });
  });

  test('a GIF with a title, tags, alt text or an edit is not among the GIFs without words', async () => {
    const wordless = { title: '', tags: [] };
    await recordGifs(db, [
      gif(1, wordless),
      gif(2, { ...wordless, title: 'party' }),
      gif(3, { ...wordless, tags: ['joy'] }),
      gif(4, { ...wordless, alt: 'a cat dances' }),
      gif(5, wordless),
    ]);
    await saveEdit(db, gif(5).id, { title: 'renamed', tags: null, alt: null });
    const { gifs } = await browseGifs(db, { ...ANY_GIF, isWordless: true }, { after: '', limit: 9 });
    expect(gifs.map(({ id }) => id)).toEqual([gif(1).id]);
  });

  test('a page reads a bounded number of rows, and the next page continues after them', async () => {
    const rare = gif(1, { title: 'rare' });
    await recordGifs(db, [rare]);
    const many = Array.from({ length: 5_200 }, (_, n) => gif(n + 2, { title: 'common' }));
    await recordGifs(db, many);
    const filter = { ...ANY_GIF, words: ['rare'] };
    const first = await browseGifs(db, filter, { after: '', limit: 10 });
    expect(first.gifs).toEqual([]);
    expect(first.next).not.toBe('');
    const second = await browseGifs(db, filter, { after: first.next, limit: 10 });
    expect(second.gifs.map(({ id }) => id)).toEqual([rare.id]);
    expect(second.next).toBe('');
  });
});
