import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../platform/db/index.ts';
import { changedSince, type GifRecord, revision, setHidden } from '../records/index.ts';
import { onEachDatabase } from '../service/testing/databases.ts';
import { hiddenIds, recordGifs, snapshot } from './catalog.ts';
import { keptLinksMigration } from './link-table.ts';
import {
  countDueLinks,
  type FileFacts,
  findLink,
  forgetKept,
  type LinkChange,
  noteLink,
  pageOfDueLinks,
  pageOfDueProbes,
} from './links.ts';

const HOUR = 3_600_000;
const START = 1_800_000_000_000;
const TOLD = 'https://one.example/a.gif';
const MIRROR = 'https://two.example/a.gif';
const GONE = { state: 'gone', reason: 'gone' } as const;
const UNCLEAR = { state: 'unclear' } as const;
const alive = (url = TOLD, kept: string | null = null) => ({ state: 'alive', url, kept }) as const;

let db: Database;

const SHOWN = { heldBack: 'relays', links: { http: 'upgrade', probe: 'on' } } as const;

function linked(id: string, changes: Partial<GifRecord> = {}): GifRecord {
  const words = { title: 'happy', tags: [], characters: [], series: [], text: '', alt: '', lang: '' };
  const facts = { format: 'gif', width: 9, height: 9, frames: 2, durationMs: 200, bytes: 99, lqip: null } as const;
  const told = { adult: false, popularity: 0, source: '', fallback: [MIRROR], toldBy: 'manifest' };
  return { id, sha256: null, verified: 'header', url: TOLD, ...words, ...facts, ...told, ...changes };
}

/** Records that the link was dead at these hours. */
async function goneAt(...hours: number[]): Promise<LinkChange[]> {
  const changes: LinkChange[] = [];
  for (const hour of hours) changes.push(await noteLink(db, 'a.gif', GONE, START + hour * HOUR));
  return changes;
}

async function shownAddress(): Promise<string | null | undefined> {
  for await (const [gif] of snapshot(db, 10, SHOWN)) return gif?.url;
  return undefined;
}

onEachDatabase((opened) => {
  beforeEach(async () => {
    db = opened.db;
    await recordGifs(db, [linked('a.gif')]);
  });

  it('whose original is stored here goes into the next build, and again when the copy is lost', async () => {
    const hash = 'c'.repeat(64);
    const id = `${hash}.gif`;
    const isKept = async () => {
      for await (const gifs of snapshot(db, 10, SHOWN)) return gifs.find((gif) => gif.id === id)?.isKept;
      return undefined;
    };
    await recordGifs(db, [linked(id, { url: MIRROR, sha256: hash })]);
    let before = await revision(db);
    const hasChanged = async () => {
      const ids = await changedSince(db, before);
      before = await revision(db);
      return ids.includes(id);
    };
    expect([await isKept(), await hasChanged()]).toEqual([false, false]);
    expect(await noteLink(db, id, alive(MIRROR, hash), START)).toBe('read');
    expect([await isKept(), await hasChanged()]).toEqual([true, true]);
    expect(await noteLink(db, id, alive(MIRROR, hash), START)).toBeNull();
    expect(await hasChanged()).toBe(false);
    await keptLinksMigration.up(db);
    expect(await hasChanged()).toBe(true);
    await forgetKept(db, hash);
    expect([await isKept(), await hasChanged()]).toEqual([false, true]);
    await keptLinksMigration.up(db);
    expect(await hasChanged()).toBe(false);
  });

  describe('a link that is gone', () => {
    it('hides its GIF after three failures over a day', async () => {
      expect(await goneAt(0, 12)).toEqual([null, null]);
      expect(await hiddenIds(db)).toEqual([]);
      const before = await revision(db);
      expect(await goneAt(24)).toEqual(['hidden']);
      expect(await hiddenIds(db)).toEqual(['a.gif']);
      expect(await revision(db)).toBe(before + 1);
      expect(await shownAddress()).toBeUndefined();
      expect(await goneAt(48)).toEqual([null]);
      expect(await revision(db)).toBe(before + 1);
    });

    it.each([
      ['failures within less than a day', [0, 7, 14, 23.9]],
      ['only two failures', [0, 30]],
      ['many failures in only two outages', [0, 0, 0.5, 1, 5.9, 30, 31]],
    ])('does not hide its GIF after %s', async (_, hours) => {
      expect(new Set(await goneAt(...hours))).toEqual(new Set([null]));
      expect(await hiddenIds(db)).toEqual([]);
    });

    it('starts counting again after a success', async () => {
      await goneAt(0, 12);
      expect(await noteLink(db, 'a.gif', alive(), START + 13 * HOUR)).toBeNull();
      expect(await goneAt(24, 36)).toEqual([null, null]);
      expect(await goneAt(48)).toEqual(['hidden']);
    });

    it('does not change if servers do not respond', async () => {
      await goneAt(0, 12);
      for (const hour of [20, 30, 40]) expect(await noteLink(db, 'a.gif', UNCLEAR, START + hour * HOUR)).toBeNull();
      expect(await findLink(db, 'a.gif')).toMatchObject({ failures: 2 });
      expect(await goneAt(50)).toEqual(['hidden']);
    });

    it('no longer hides its GIF when it works again, or when another URL works', async () => {
      for (const url of [TOLD, MIRROR]) {
        await goneAt(0, 12, 24);
        expect(await noteLink(db, 'a.gif', UNCLEAR, START + 30 * HOUR)).toBeNull();
        expect(await noteLink(db, 'a.gif', alive(url), START + 36 * HOUR)).toBe('back');
        expect(await hiddenIds(db)).toEqual([]);
        expect(await shownAddress()).toBe(url);
      }
    });

    it('hides its GIF independently of the operator', async () => {
      await setHidden(db, 'a.gif', true);
      expect(await goneAt(0, 12, 24)).toEqual([null, null, 'hidden']);
      expect(await noteLink(db, 'a.gif', alive(), START + 36 * HOUR)).toBe('back');
      expect(await hiddenIds(db)).toEqual(['a.gif']);
      await goneAt(40, 52, 64);
      await setHidden(db, 'a.gif', false);
      expect(await hiddenIds(db)).toEqual(['a.gif']);
      expect(await noteLink(db, 'a.gif', alive(), START + 70 * HOUR)).toBe('back');
      expect(await hiddenIds(db)).toEqual([]);
    });

    it('is forgotten when the source gives another URL or the file itself', async () => {
      for (const told of [{ url: 'https://three.example/a.gif' }, { url: null }]) {
        await recordGifs(db, [linked('a.gif')]);
        await noteLink(db, 'a.gif', alive(MIRROR), START);
        await goneAt(0, 12, 24);
        await recordGifs(db, [linked('a.gif')]);
        expect(await hiddenIds(db)).toEqual(['a.gif']);
        await recordGifs(db, [linked('a.gif', told)]);
        expect(await hiddenIds(db)).toEqual([]);
        expect(await shownAddress()).toBe(told.url);
      }
      await setHidden(db, 'a.gif', true);
      await recordGifs(db, [linked('a.gif')]);
      expect(await hiddenIds(db)).toEqual(['a.gif']);
    });
  });

  describe('another URL of a linked GIF', () => {
    it('is shown and tried first until the original URL works again', async () => {
      const before = await revision(db);
      expect(await noteLink(db, 'a.gif', alive(MIRROR), START)).toBe('moved');
      expect(await noteLink(db, 'a.gif', alive(MIRROR), START)).toBeNull();
      expect(await revision(db)).toBe(before + 1);
      expect(await shownAddress()).toBe(MIRROR);
      expect((await findLink(db, 'a.gif'))?.addresses).toEqual([MIRROR, TOLD]);
      expect(await noteLink(db, 'a.gif', alive(TOLD), START)).toBe('moved');
      expect(await shownAddress()).toBe(TOLD);
      expect((await findLink(db, 'a.gif'))?.addresses).toEqual([TOLD, MIRROR]);
    });

    it('is still shown when the source repeats the original URL', async () => {
      await noteLink(db, 'a.gif', alive(MIRROR), START);
      await recordGifs(db, [linked('a.gif', { title: 'happier' })]);
      expect(await shownAddress()).toBe(MIRROR);
    });
  });

  it('keeps the record that an original is stored', async () => {
    await noteLink(db, 'a.gif', alive(TOLD, 'ab'.repeat(32)), START);
    for (const news of [alive(), UNCLEAR, GONE]) await noteLink(db, 'a.gif', news, START + HOUR);
    expect(await findLink(db, 'a.gif')).toMatchObject({ kept: 'ab'.repeat(32) });
  });

  it('records what the frames of a file show', async () => {
    const size = { format: 'gif', width: 9, height: 9, bytes: 99 } as const;
    const header = { ...size, sha256: null, frames: null, durationMs: null };
    const whole = { ...size, sha256: 'b'.repeat(64), frames: 2, durationMs: 200 };
    const note = (facts: FileFacts) => noteLink(db, 'a.gif', { ...alive(), facts }, START);
    expect(await note({ ...whole, transparent: true, blankStill: true })).toBe('read');
    const shown = { transparent: true, blankStill: true };
    expect((await findLink(db, 'a.gif'))!.gif).toMatchObject(shown);
    expect(await note(header)).toBeNull();
    await recordGifs(db, [linked('a.gif', { verified: 'nothing' })]);
    expect((await findLink(db, 'a.gif'))!.gif).toMatchObject(shown);
    await note({ ...whole, transparent: false, blankStill: false });
    const { gif } = (await findLink(db, 'a.gif'))!;
    expect([gif.transparent, gif.blankStill]).toEqual([undefined, undefined]);
  });

  it('records nothing for GIFs that are unknown or not linked', async () => {
    await recordGifs(db, [linked('own.gif', { url: null })]);
    const before = await revision(db);
    for (const id of ['own.gif', 'unknown.gif']) {
      expect(await noteLink(db, id, alive(MIRROR), START)).toBeNull();
      expect(await findLink(db, id)).toBeUndefined();
    }
    expect(await revision(db)).toBe(before);
  });

  it('a link that cannot be shown is probed again after an hour, and later if its file is gone or it is dead', async () => {
    const [unclear, gone, dead] = ['unclear.gif', 'gone.gif', 'dead.gif'];
    await recordGifs(
      db,
      [unclear, gone, dead].map((id) => linked(id, { verified: 'nothing' })),
    );
    await noteLink(db, unclear, UNCLEAR, START);
    await noteLink(db, gone, GONE, START);
    for (const hour of [48, 24, 0]) await noteLink(db, dead, GONE, START - hour * HOUR);
    const dueAfter = async (ms: number) => {
      const due = { policy: SHOWN.links, now: START + ms };
      const links = await pageOfDueProbes(db, due, { after: '', limit: 10 });
      return links.map(({ gif }) => gif.id);
    };
    const [half, week] = [12 * HOUR, 7 * 24 * HOUR];
    expect(await dueAfter(HOUR - 1)).toEqual([]);
    for (const ms of [HOUR, half - 1]) expect(await dueAfter(ms)).toEqual([unclear]);
    for (const ms of [half, week - 1]) expect(await dueAfter(ms)).toEqual([gone, unclear]);
    expect(await dueAfter(week)).toEqual([dead, gone, unclear]);
  });

  describe('links that are due', () => {
    const due = { before: START - 24 * HOUR, failedBefore: START - 12 * HOUR };
    const ids = async (after = '', limit = 10) =>
      (await pageOfDueLinks(db, due, { after, limit })).map(({ gif }) => gif.id);

    it('are those that were not checked recently; failed links are due sooner', async () => {
      const gifs = ['fresh', 'failed', 'old', 'own', 'adult', 'hidden', 'suspect'].map((id) => linked(`${id}.gif`));
      Object.assign(gifs[3]!, { url: null });
      Object.assign(gifs[4]!, { adult: true });
      await recordGifs(db, gifs);
      await setHidden(db, 'hidden.gif', true);
      await noteLink(db, 'fresh.gif', alive(), START - 20 * HOUR);
      await noteLink(db, 'failed.gif', GONE, START - 10 * HOUR);
      await noteLink(db, 'suspect.gif', GONE, START - 13 * HOUR);
      await noteLink(db, 'old.gif', alive(), START - 25 * HOUR);
      expect(await ids()).toEqual(['a.gif', 'old.gif', 'suspect.gif']);
      expect(await countDueLinks(db, due)).toBe(3);
      expect(await ids('', 2)).toEqual(['a.gif', 'old.gif']);
      expect(await ids('old.gif')).toEqual(['suspect.gif']);
    });

    it('are still checked when they are dead', async () => {
      for (const hour of [60, 40, 20]) await noteLink(db, 'a.gif', GONE, START - hour * HOUR);
      expect(await hiddenIds(db)).toEqual(['a.gif']);
      expect(await ids()).toEqual(['a.gif']);
    });
  });
});
