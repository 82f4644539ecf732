import { beforeEach, expect, it } from 'vitest';
import type { Database } from '../platform/db/index.ts';
import { type GifRecord, setHidden, tables } from '../records/index.ts';
import { onEachDatabase } from '../service/testing/databases.ts';
import { findGif, hiddenIds, recordGifs } from './catalog.ts';
import { toldElsewhere, withdrawGifs } from './told-by.ts';

let db: Database;

function linked(id: string, toldBy: string, title = id): GifRecord {
  const words = { title, tags: [id], characters: [], series: [], text: '', alt: '', lang: '' };
  const claims = { format: 'gif', width: 480, height: 270, frames: null, durationMs: null, bytes: null } as const;
  const told = { adult: false, popularity: 0, source: '', fallback: [], lqip: null, toldBy: `${toldBy}#${id}` };
  return { id, sha256: null, verified: 'nothing', url: `https://gifs.example/${id}`, ...claims, ...words, ...told };
}

onEachDatabase((opened) => {
  beforeEach(() => {
    db = opened.db;
  });

  it('only the source that named a GIF can withdraw it', async () => {
    await recordGifs(db, [linked('a.gif', 'one'), linked('b.gif', 'two')]);
    expect(await toldElsewhere(db, 'one', ['a.gif', 'b.gif', 'c.gif'])).toEqual(new Set(['b.gif']));
    expect(await withdrawGifs(db, 'one', ['a.gif', 'b.gif', 'c.gif'])).toBe(1);
    expect(await hiddenIds(db)).toEqual(['a.gif']);
    expect(await findGif(db, 'a.gif')).toMatchObject({ title: '', tags: [] });
  });

  it('a withdrawn GIF comes back if another source names it, with the words of that source', async () => {
    await recordGifs(db, [linked('a.gif', 'one')]);
    await withdrawGifs(db, 'one', ['a.gif']);
    expect(await toldElsewhere(db, 'two', ['a.gif'])).toEqual(new Set());
    await recordGifs(db, [linked('a.gif', 'two', 'again')]);
    expect(await hiddenIds(db)).toEqual([]);
    expect(await findGif(db, 'a.gif')).toMatchObject({ title: 'again', toldBy: 'two#a.gif' });
  });

  it('a GIF that an operator hid stays hidden when it comes back', async () => {
    await recordGifs(db, [linked('a.gif', 'one')]);
    await setHidden(db, 'a.gif', true);
    await withdrawGifs(db, 'one', ['a.gif']);
    await recordGifs(db, [linked('a.gif', 'one')]);
    expect(await hiddenIds(db)).toEqual(['a.gif']);
  });

  it('a GIF that relays also name is shown as they describe it', async () => {
    const [others, claimed] = [linked('a.gif', 'one'), linked('a.gif', 'nostr:x', 'from a relay')];
    await recordGifs(db, [others]);
    const row = { id: 'a.gif', others: JSON.stringify(others), claimed: JSON.stringify(claimed) };
    await tables(db).insertInto('claimedGifs').values(row).execute();
    expect(await withdrawGifs(db, 'one', ['a.gif'])).toBe(1);
    expect(await hiddenIds(db)).toEqual([]);
    expect(await findGif(db, 'a.gif')).toMatchObject({ title: 'from a relay' });
  });
});
