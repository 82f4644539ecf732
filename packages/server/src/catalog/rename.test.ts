import { beforeEach, describe, expect, it } from 'vitest';
import { moderate, pageOfMoves, recordReport, saveRatings, stateOf } from '../moderation/index.ts';
import type { Database } from '../platform/db/index.ts';
import { aliasesOf, currentId, type GifRecord, tables } from '../records/index.ts';
import { onEachDatabase } from '../service/testing/databases.ts';
import { findGif, hiddenIds, recordGifs, snapshot } from './catalog.ts';
import { countDueProbes, type FileFacts, findLink, type LinkPolicy, noteLink } from './links.ts';

const NOW = 1_700_000_000_000;
const HASH = 'c'.repeat(64);
const NAMED = `${HASH}.gif`;
const READ: FileFacts = {
  ...{ format: 'gif', width: 30, height: 20 },
  ...{ bytes: 900, sha256: HASH, frames: 3, durationMs: 300 },
};
const HEADER: FileFacts = { ...READ, sha256: null, frames: null, durationMs: null };
const OPERATOR = { actor: 'test', now: NOW };
const SAFE: LinkPolicy = { http: 'upgrade', probe: 'on' };

let db: Database;

function linked(id: string, changes: Partial<GifRecord> = {}): GifRecord {
  const words = { title: id, tags: [id], characters: [], series: [], text: '', alt: '', lang: '' };
  const claims = { format: 'gif', width: 480, height: 270, frames: null, durationMs: null, bytes: null } as const;
  const told = { adult: false, popularity: 0, source: '', fallback: [], lqip: null, toldBy: `m#${id}` };
  const url = `https://gifs.example/${id}`;
  return { id, sha256: null, verified: 'nothing', url, ...claims, ...words, ...told, ...changes };
}

const read = (id: string, facts: FileFacts = READ) =>
  noteLink(db, id, { state: 'alive', url: `https://gifs.example/${id}`, kept: null, facts }, NOW);

async function shown(links: LinkPolicy = SAFE): Promise<string[]> {
  const ids: string[] = [];
  for await (const batch of snapshot(db, 10, { heldBack: 'relays', links })) ids.push(...batch.map(({ id }) => id));
  return ids.sort();
}

onEachDatabase((opened) => {
  beforeEach(async () => {
    db = opened.db;
  });

  describe('a linked GIF', () => {
    it('is hidden and due for a probe until its header has been read', async () => {
      await recordGifs(db, [linked('a.gif'), linked('b.gif')]);
      expect([await shown(), await countDueProbes(db, SAFE, NOW)]).toEqual([[], 2]);
      expect(await shown({ http: 'upgrade', probe: 'off' })).toEqual(['a.gif', 'b.gif']);
      expect(await read('a.gif', HEADER)).toBe('read');
      expect([await shown(), await countDueProbes(db, SAFE, NOW)]).toEqual([['a.gif'], 1]);
      expect(await findGif(db, 'a.gif')).toMatchObject({ width: 30, height: 20, bytes: 900, verified: 'header' });
    });

    it('is shown only with an https URL if http is upgraded', async () => {
      await recordGifs(db, [linked('a.gif', { url: 'http://gifs.example/a.gif' })]);
      const facts = HEADER;
      await noteLink(db, 'a.gif', { state: 'alive', url: 'http://gifs.example/a.gif', kept: null, facts }, NOW);
      expect([await shown(), await shown({ http: 'show', probe: 'on' })]).toEqual([[], ['a.gif']]);
      await read('a.gif', facts);
      expect(await shown()).toEqual(['a.gif']);
      expect((await findLink(db, 'a.gif'))!.addresses[0]).toBe('https://gifs.example/a.gif');
    });

    it('keeps verified facts when its manifest gives other facts again', async () => {
      await recordGifs(db, [linked('a.gif')]);
      await read('a.gif', HEADER);
      await recordGifs(db, [linked('a.gif', { title: 'better', width: 1, height: 1 })]);
      expect(await findGif(db, 'a.gif')).toMatchObject({ title: 'better', width: 30, verified: 'header' });
    });

    it('is unverified again when its manifest gives another URL', async () => {
      await recordGifs(db, [linked('a.gif')]);
      await read('a.gif');
      await recordGifs(db, [linked('a.gif', { url: 'https://elsewhere.example/a.gif' })]);
      expect(await findGif(db, 'a.gif')).toMatchObject({ id: 'a.gif', sha256: null, verified: 'nothing' });
      expect(await findGif(db, NAMED)).toMatchObject({ id: 'a.gif' });
      expect(await shown()).toEqual([]);
    });
  });

  describe('a GIF whose whole file was read', () => {
    it('is named by its hash, and found by its former ids', async () => {
      await recordGifs(db, [linked('a.gif'), linked('b.gif')]);
      await read('a.gif');
      await read('b.gif');
      expect(await shown()).toEqual([NAMED]);
      expect((await aliasesOf(db, [NAMED])).get(NAMED)).toEqual(['a.gif', 'b.gif']);
      expect(await Promise.all(['a.gif', 'b.gif', NAMED].map((id) => currentId(db, id)))).toEqual(Array(3).fill(NAMED));
      const gif = await findGif(db, 'b.gif');
      expect(gif).toMatchObject({
        id: NAMED,
        title: 'a.gif',
        tags: ['a.gif', 'b.gif'],
        sha256: HASH,
        verified: 'file',
        frames: 3,
      });
      const [a, b] = ['https://gifs.example/a.gif', 'https://gifs.example/b.gif'];
      expect([gif!.url, gif!.fallback]).toEqual([a, [b]]);
      // Recording both rows again changes nothing.
      await recordGifs(db, [linked('a.gif'), linked('b.gif')]);
      expect(await findGif(db, 'a.gif')).toMatchObject({ url: a, fallback: [b], verified: 'file' });
      expect(await shown()).toEqual([NAMED]);
    });

    it('keeps edits and reports, and stays hidden if either of two GIFs with its bytes was hidden', async () => {
      await recordGifs(db, [linked('a.gif'), linked('b.gif')]);
      await saveRatings(db, [
        { id: 'a.gif', rating: 'safe', saidBy: 'model' },
        { id: 'b.gif', rating: 'adult', saidBy: 'operator' },
      ]);
      await moderate(db, OPERATOR, 'b.gif', { action: 'hide' });
      await moderate(db, OPERATOR, 'a.gif', { action: 'edit', edit: { title: 'ours' } });
      const report = { reason: 'other', message: 'why?', contact: '', reporter: 'form', at: NOW } as const;
      await recordReport(db, { ...report, id: 'r', gif: 'a.gif' });
      await read('a.gif');
      await read('b.gif');
      expect(await stateOf(db, 'a.gif')).toMatchObject({
        ...{ hidden: true, rating: { rating: 'adult', saidBy: 'operator' } },
        ...{ edit: { title: 'ours' }, reports: ['r'] },
      });
      expect((await pageOfMoves(db, { gif: NAMED })).map(({ action }) => action)).toEqual(['edit', 'hide']);
      // An earlier build can contain the GIF under any of its ids.
      expect((await hiddenIds(db)).sort()).toEqual(['a.gif', 'b.gif', NAMED].sort());
      expect(await moderate(db, OPERATOR, 'b.gif', { action: 'show' })).toMatchObject({ gif: NAMED });
    });

    it('keeps all its former ids when its file changes, and when the file changes back', async () => {
      const other = 'd'.repeat(64);
      await recordGifs(db, [linked('a.gif')]);
      await read('a.gif');
      for (let round = 0; round < 2; round++) {
        await read('a.gif', { ...READ, sha256: other });
        const current = await Promise.all(['a.gif', NAMED].map((id) => currentId(db, id)));
        expect(current).toEqual([`${other}.gif`, `${other}.gif`]);
        await read('a.gif');
        expect((await aliasesOf(db, [NAMED])).get(NAMED)).toEqual(['a.gif', `${other}.gif`]);
      }
      expect(await shown()).toEqual([NAMED]);
    });

    it('is left by a source that gives another URL, and kept by the other source', async () => {
      await recordGifs(db, [linked('a.gif'), linked('b.gif')]);
      for (const id of ['a.gif', 'b.gif']) await read(id);
      const url = 'https://elsewhere.example/b.gif';
      await recordGifs(db, [linked('b.gif', { url })]);
      expect(await findGif(db, 'a.gif')).toMatchObject({ id: NAMED, verified: 'file' });
      expect(await findGif(db, 'b.gif')).toMatchObject({ id: 'b.gif', url, verified: 'nothing' });
    });

    it("is merged with an operator's own file that has the same bytes", async () => {
      const own = linked(NAMED, { sha256: HASH, verified: 'file', url: null, toldBy: 'folder', width: 30, height: 20 });
      await recordGifs(db, [own, linked('a.gif')]);
      await read('a.gif');
      expect(await findGif(db, 'a.gif')).toMatchObject({ id: NAMED, url: null, tags: [NAMED, 'a.gif'] });
    });

    it('is blocked if its bytes are blocked', async () => {
      const own = linked(NAMED, { sha256: HASH, verified: 'file', url: null });
      await recordGifs(db, [own]);
      await moderate(db, OPERATOR, NAMED, { action: 'block' });
      await tables(db).deleteFrom('gifs').where('id', '=', NAMED).execute();
      await recordGifs(db, [linked('a.gif')]);
      await read('a.gif');
      expect(await shown({ http: 'show', probe: 'off' })).toEqual([]);
    });
  });
});
