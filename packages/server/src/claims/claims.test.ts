import { beforeEach, expect, it } from 'vitest';
import { countGifs, findGif, hiddenIds, recordGifs } from '../catalog/index.ts';
import { listReports } from '../moderation/index.ts';
import { type Database, migrate, openDatabase } from '../platform/db/index.ts';
import { type GifRecord, revision, tables } from '../records/index.ts';
import { onEachDatabase } from '../service/testing/databases.ts';
import { addressesToSee, noteAddress } from './addresses.ts';
import { showGifs } from './apply-claims.ts';
import { pageOfAuthors } from './authors.ts';
import { type Claim, claimMigration, claimOrderMigration, toClaimRow } from './claims.ts';
import { markingAuthors, setMarksIgnored } from './marks.ts';
import { keepClaimsOf, recordEvents, refreshClaimed } from './record-claims.ts';

const NOW = 1_790_000_000;
/** The authors whose marks count. */
const NAMED = new Set(['author7', 'author8', 'author9']);
const OPTIONS = { minAuthors: 3, now: NOW, marks: { needed: 2, counts: (author: string) => NAMED.has(author) } };
const HASH = 'a'.repeat(64);
const ID = `${HASH}.gif`;
const FACTS = { sha256: HASH, format: 'gif', width: 9, height: 9, frames: 2, durationMs: 200, bytes: 99, lqip: null };
const NOBODY = { files: [], withdrawals: [], votes: [], reports: [], packs: [] };

let db: Database;

function claim(n: number, changes: Partial<Claim> = {}): Claim {
  const who = { eventId: `event${n}`, part: 0, author: `author${n}`, relay: 'wss://relay.example' };
  const when = { createdAt: NOW - 1_000 + n, seenAt: NOW * 1_000 };
  const words = { title: `title ${n}`, titleRank: 0, alt: '', lang: '', tags: [`tag${n}`] };
  return {
    ...who,
    ...when,
    ...words,
    bare: false,
    urls: ['https://a.example/a.gif'],
    hashes: [HASH],
    adult: false,
    ...changes,
  };
}

/** Returns a record of the same bytes, from a folder or a manifest. */
function told(changes: Partial<GifRecord> = {}): GifRecord {
  const words = {
    title: 'told',
    tags: ['told'],
    characters: [],
    series: [],
    text: '',
    alt: '',
    lang: '',
    adult: false,
  };
  const rest = { popularity: 0, source: 'folder', fallback: [], toldBy: '/gifs/told.gif', url: null, id: ID };
  return { ...(FACTS as Omit<GifRecord, keyof typeof words | keyof typeof rest>), ...words, ...rest, ...changes };
}

async function hear(...claims: Claim[]): Promise<void> {
  await recordEvents(db, { ...NOBODY, claims }, OPTIONS);
}

async function withdraw(n: number, author = `author${n}`): Promise<void> {
  await recordEvents(db, { ...NOBODY, claims: [], withdrawals: [{ eventId: `event${n}`, author }] }, OPTIONS);
}

/** Records for every due address that its file was found there. */
async function seeAll(): Promise<string[]> {
  const urls = (await addressesToSee(db, NOW * 1_000, { limit: 100 })).map(({ url }) => url);
  for (const url of urls) await noteAddress(db, url, { state: 'there', facts: FACTS as never, kept: false }, OPTIONS);
  return urls;
}

onEachDatabase((opened) => {
  beforeEach(async () => {
    db = opened.db;
  });

  it('shows no GIF before its bytes have been read', async () => {
    await hear(claim(1));
    expect(await countGifs(db)).toBe(0);
    expect(await seeAll()).toEqual(['https://a.example/a.gif']);
    expect(await findGif(db, ID)).toMatchObject({
      title: 'title 1',
      tags: ['tag1'],
      source: 'nostr',
      url: claim(1).urls[0],
    });
  });

  it('lists the authors of shown GIFs page by page, each author once', async () => {
    const authors = Array.from({ length: 40 }, (_, n) => `author${(n * 7) % 40}`);
    const claims = authors.map((author, n) => claim(n, { author }));
    await hear(
      ...claims,
      claim(40, { author: 'author5' }),
      claim(41, { author: 'nobody', urls: ['https://b.example/'] }),
    );
    expect(await pageOfAuthors(db, '', 100)).toEqual([]);
    await noteAddress(db, claim(1).urls[0]!, { state: 'there', facts: FACTS as never, kept: false }, OPTIONS);
    await withdraw(0, 'author0');
    const found: string[] = [];
    for (let page = ['']; page.length > 0; found.push(...page)) page = await pageOfAuthors(db, page.at(-1)!, 8);
    expect(found).toEqual(authors.filter((author) => author !== 'author0').toSorted());
  });

  it('of the titles that people wrote, uses the title that arrived first, regardless of timestamps', async () => {
    await hear(claim(1, { title: 'img 1234', titleRank: 2 }), claim(3, { lang: 'de' }));
    await hear(claim(2, { alt: 'a cat', createdAt: 1 }));
    await seeAll();
    const gif = await findGif(db, ID);
    expect(gif).toMatchObject({ title: 'title 3', text: 'title 2\nimg 1234', alt: 'a cat', lang: 'de' });
    expect(gif!.tags).toEqual(['tag1', 'tag3', 'tag2']);
  });

  it('keeps the facts from the frames of its file, even if another record lacks them', async () => {
    const shown = { transparent: true, blankStill: true };
    await hear(claim(1));
    const facts = { ...FACTS, ...shown } as never;
    await noteAddress(db, claim(1).urls[0]!, { state: 'there', facts, kept: false }, OPTIONS);
    expect(await findGif(db, ID)).toMatchObject(shown);
    await recordGifs(db, [told({ source: 'manifest', url: 'https://c.example/c.gif' })]);
    expect(await findGif(db, ID)).toMatchObject({ source: 'manifest', ...shown });
  });

  const ELSEWHERE = { urls: ['https://b.example/b.gif'] };

  it("prefers the operator's URL to URLs from claims, and adds the latter as fallbacks", async () => {
    const url = 'https://c.example/c.gif';
    await recordGifs(db, [told({ source: 'manifest', url, width: 1, title: 'given', alt: 'given' })]);
    await hear(claim(1, { createdAt: 1, ...ELSEWHERE }));
    await seeAll();
    expect(await findGif(db, ID)).toMatchObject({
      url,
      width: 1,
      title: 'given',
      alt: 'given',
      fallback: ELSEWHERE.urls,
    });
  });

  it('prefers the URL of the claim that arrived first to that of a claim with an earlier timestamp', async () => {
    await hear(claim(1));
    await seeAll();
    await hear(claim(2, { createdAt: 1, ...ELSEWHERE }));
    await seeAll();
    expect(await findGif(db, ID)).toMatchObject({ url: claim(1).urls[0], fallback: ELSEWHERE.urls });
  });

  it('does not replace a working URL by that of an earlier claim that works later', async () => {
    await hear(claim(1, ELSEWHERE), claim(2));
    await noteAddress(db, claim(2).urls[0]!, { state: 'there', facts: FACTS as never, kept: false }, OPTIONS);
    expect(await findGif(db, ID)).toMatchObject({ url: claim(2).urls[0] });
    await seeAll();
    expect(await findGif(db, ID)).toMatchObject({ url: claim(2).urls[0], fallback: ELSEWHERE.urls });
    await withdraw(2);
    expect(await findGif(db, ID)).toMatchObject({ url: ELSEWHERE.urls[0] });
  });

  const reportsOf = async () =>
    (await listReports(db, { state: 'open' })).map(({ gif, reason, reporter }) => [gif, reason, reporter]);

  it('treats a mark on a GIF of the operator as a report', async () => {
    await recordGifs(db, [told()]);
    for (const _ of [1, 2]) await hear(claim(1, { adult: true }), claim(7, { adult: true }), claim(8, { adult: true }));
    await seeAll();
    expect(await findGif(db, ID)).toMatchObject({ adult: false });
    expect(await reportsOf()).toEqual([1, 7, 8].map((n) => [ID, 'adult', `nostr:author${n}`]));
  });

  it('accepts a mark by the author of the first claim, even if it comes later', async () => {
    await hear(claim(1), claim(2, { author: 'author1', adult: true }));
    await seeAll();
    expect(await findGif(db, ID)).toMatchObject({ adult: true });
    expect(await reportsOf()).toEqual([]);
  });

  it('treats marks by others as reports until enough trusted authors agree', async () => {
    await hear(
      claim(1),
      ...[2, 3, 4, 7].map((n) => claim(n, { adult: true })),
      claim(5, { author: 'author7', adult: true }),
    );
    await seeAll();
    expect(await findGif(db, ID)).toMatchObject({ adult: false });
    expect((await reportsOf()).map(([, , reporter]) => reporter)).toContain('nostr:author2');
    await hear(claim(8, { adult: true }));
    expect(await findGif(db, ID)).toMatchObject({ adult: true });
  });

  it('shows a GIF again when its marks, or all marks by their author, are ignored', async () => {
    for (const subject of [ID, 'author1']) {
      await hear(claim(1, { adult: true }));
      await seeAll();
      expect(await findGif(db, ID)).toMatchObject({ adult: true });
      for (const ignored of [true, false]) {
        const gifs = await setMarksIgnored(db, subject, ignored);
        expect(gifs).toEqual(new Set([HASH]));
        await showGifs(db, gifs!, OPTIONS);
        expect(await findGif(db, ID)).toMatchObject({ adult: !ignored });
        expect(await setMarksIgnored(db, subject, ignored)).toBeNull();
      }
    }
  });

  it('closes the reports of marks that the operator ignores, and no others', async () => {
    await recordGifs(db, [told()]);
    await hear(claim(1, { adult: true }), claim(2, { adult: true }));
    await seeAll();
    const about = { hashes: [HASH], events: [], message: 'mine', reason: 'adult' as const, seenAt: 1 };
    await recordEvents(
      db,
      { ...NOBODY, claims: [], reports: [{ ...about, eventId: 'said', author: 'author1' }] },
      OPTIONS,
    );
    await setMarksIgnored(db, 'author1', true);
    const authors = await markingAuthors(db, 9);
    expect(authors.map(({ author, ignored }) => [author, ignored])).toEqual([
      ['author1', true],
      ['author2', false],
    ]);
    const left = await listReports(db, { state: 'open' });
    expect(left.map(({ id }) => id).sort()).toEqual([`event2 ${ID}`, `said ${ID}`]);
  });

  it('lists the authors with the most marks first', async () => {
    const other = { author: 'author2', adult: true, hashes: ['b'.repeat(64)], ...ELSEWHERE };
    await hear(claim(1, { adult: true }), claim(2, { adult: true }), claim(3, other));
    for (const { urls, hashes } of [claim(1), other]) {
      const facts = { ...FACTS, sha256: hashes[0] } as never;
      await noteAddress(db, urls[0]!, { state: 'there', facts, kept: false }, OPTIONS);
    }
    const [most, fewer] = [
      { author: 'author2', gifs: 2 },
      { author: 'author1', gifs: 1 },
    ];
    expect(await markingAuthors(db, 9)).toMatchObject([most, fewer]);
    expect(await markingAuthors(db, 1)).toMatchObject([most]);
  });

  it('stores reports about known GIFs, by hash or by event, each once', async () => {
    const report = {
      eventId: 'report1',
      author: 'reporter',
      seenAt: NOW * 1_000,
      hashes: [HASH],
      events: [],
      message: 'mine',
    };
    const reports = [
      { ...report, reason: 'copyright' as const },
      { ...report, eventId: 'report2', hashes: [], events: ['event1', 'event9'], reason: 'adult' as const },
      { ...report, eventId: 'report3', hashes: ['b'.repeat(64)], reason: 'other' as const },
    ];
    await hear(claim(1));
    await seeAll();
    for (const _ of [1, 2]) await recordEvents(db, { ...NOBODY, claims: [], reports }, OPTIONS);
    expect(await listReports(db, { state: 'open' })).toMatchObject([
      { gif: ID, reason: 'copyright', reporter: 'nostr:reporter', message: 'mine', at: NOW * 1_000 },
      { gif: ID, reason: 'adult' },
    ]);
  });

  it('does not assign a file to a claim with another hash', async () => {
    await hear(claim(1, { hashes: ['b'.repeat(64)] }));
    await seeAll();
    expect(await countGifs(db)).toBe(0);
    await hear(claim(2));
    expect((await findGif(db, ID))?.title).toBe('title 2');
  });

  it('checks the next URL of a claim if the first is dead', async () => {
    await hear(claim(1, { urls: ['https://a.example/a.gif', 'https://b.example/a.gif'] }));
    await noteAddress(db, 'https://a.example/a.gif', { state: 'refused', reason: 'gone' }, OPTIONS);
    expect(await seeAll()).toEqual(['https://b.example/a.gif']);
    expect(await findGif(db, ID)).toMatchObject({ url: 'https://b.example/a.gif', fallback: [] });
  });

  it('accepts a bare URL only if enough people have posted it', async () => {
    await hear(claim(1, { bare: true, hashes: [] }), claim(2, { bare: true, hashes: [], author: 'author1' }));
    await hear(claim(3, { bare: true, hashes: [] }));
    expect(await seeAll()).toEqual([]);
    await hear(claim(4, { bare: true, hashes: [] }));
    await seeAll();
    expect(await countGifs(db)).toBe(1);
    await withdraw(4);
    expect(await countGifs(db)).toBe(0);
  });

  it('lets only authors withdraw their claims, even before the claims arrive', async () => {
    await withdraw(1);
    await withdraw(2, 'author3');
    await hear(claim(1), claim(2), claim(3));
    await seeAll();
    expect((await findGif(db, ID))!.tags).toEqual(['tag2', 'tag3']);
    await withdraw(3);
    await withdraw(2);
    expect(await countGifs(db)).toBe(0);
    expect(await hiddenIds(db)).toEqual([ID]);
    expect(await findGif(db, ID)).toMatchObject({ title: '', tags: [] });
    await hear(claim(4));
    expect(await hiddenIds(db)).toEqual([]);
  });

  it.each([[[1, 2, 3]], [[3, 1, 2]], [[2, 3, 1]], [[3, 2, 1]]])(
    'shows only the last version of a pack, in whatever order versions arrive: %j',
    async (order) => {
      const version = (n: number) => ({
        address: 'pack',
        eventId: `event${n}`,
        author: 'author1',
        // The second and third versions have the same time, so the version with the lower id counts.
        createdAt: n === 1 ? NOW : NOW + 1,
      });
      for (const n of order) {
        const claims = [claim(n, { author: 'author1', title: `version ${n}` })];
        await recordEvents(db, { ...NOBODY, claims, packs: [version(n)] }, OPTIONS);
      }
      await seeAll();
      expect(await findGif(db, ID)).toMatchObject({ title: 'version 2', text: '', tags: ['tag2'] });
      await recordEvents(db, { ...NOBODY, claims: [], packs: [{ ...version(4), createdAt: NOW + 2 }] }, OPTIONS);
      expect(await countGifs(db)).toBe(0);
    },
  );

  it('erases the words of a claim that its author withdraws', async () => {
    await hear(claim(1, { alt: 'a cat', lang: 'en' }));
    await withdraw(1);
    const rows = await tables(db).selectFrom('claims').select(['title', 'alt', 'lang', 'tags']).execute();
    expect(rows).toEqual([{ title: '', alt: '', lang: '', tags: '[]' }]);
  });

  it('stays adult when the mark is withdrawn', async () => {
    await hear(claim(1, { adult: true }), claim(2));
    await seeAll();
    await withdraw(1);
    expect(await findGif(db, ID)).toMatchObject({ adult: true, title: 'title 2' });
  });

  it('keeps sources and claims apart, in any order', async () => {
    await recordGifs(db, [told()]);
    await hear(claim(1));
    await seeAll();
    const joined = await findGif(db, ID);
    expect(joined).toMatchObject({
      title: 'told',
      text: 'title 1',
      tags: ['told', 'tag1'],
      source: 'folder',
      url: null,
    });
    await withdraw(1);
    expect(await findGif(db, ID)).toEqual(told());
    await hear(claim(2));
    await recordGifs(db, [told({ title: 'new title' })]);
    expect(await findGif(db, ID)).toMatchObject({ title: 'new title', text: 'title 2' });
  });

  it('shows a GIF again if a source adds it after its claims were withdrawn', async () => {
    await hear(claim(1));
    await seeAll();
    await withdraw(1);
    await recordGifs(db, [told({ source: 'manifest', url: 'https://c.example/c.gif' })]);
    expect(await countGifs(db)).toBe(1);
    expect(await findGif(db, ID)).toMatchObject({ title: 'told', url: 'https://c.example/c.gif' });
  });

  it('counts one vote per author and day, and reduces its weight over time', async () => {
    await hear(claim(1), claim(2, { author: 'author1' }), claim(3));
    await seeAll();
    const popular = (await findGif(db, ID))!.popularity;
    expect(popular).toBeCloseTo(Math.log(3), 6);
    const votes = [1, 2].map((n) => ({
      eventId: `like${n}`,
      target: 'event1',
      author: 'fan',
      createdAt: NOW,
      weight: n,
    }));
    await recordEvents(db, { ...NOBODY, claims: [], votes }, OPTIONS);
    expect((await findGif(db, ID))!.popularity).toBeCloseTo(Math.log(5), 6);
    const before = await revision(db);
    expect(await refreshClaimed(db, '', { ...OPTIONS, now: NOW + 30 * 86_400 })).toBe(HASH);
    expect((await findGif(db, ID))!.popularity).toBeCloseTo(Math.log(3), 6);
    expect(await revision(db)).toBe(before + 1);
    await refreshClaimed(db, '', { ...OPTIONS, now: NOW + 30 * 86_400 });
    expect(await revision(db)).toBe(before + 1);
  });

  it('counts at most thirty voices, because one person can have many keys', async () => {
    await hear(claim(1));
    await seeAll();
    const votes = Array.from({ length: 60 }, (_, n) => ({
      ...{ eventId: `like${n}`, target: 'event1', author: `fan${n}`, createdAt: NOW, weight: 1 },
    }));
    await recordEvents(db, { ...NOBODY, claims: [], votes }, OPTIONS);
    expect((await findGif(db, ID))!.popularity).toBeCloseTo(Math.log(1 + 30), 6);
  });

  it('lets only authors withdraw their likes, even before the likes arrive', async () => {
    const like = (eventId: string) => {
      const vote = { eventId, target: 'event1', author: `fan of ${eventId}`, createdAt: NOW, weight: 1 };
      return recordEvents(db, { ...NOBODY, claims: [], votes: [vote] }, OPTIONS);
    };
    const withdrawLike = (eventId: string, author: string) =>
      recordEvents(db, { ...NOBODY, claims: [], withdrawals: [{ eventId, author }] }, OPTIONS);
    const expectLikes = async (likes: number) =>
      expect((await findGif(db, ID))!.popularity).toBeCloseTo(Math.log(1 + 1 + likes), 6);
    await hear(claim(1));
    await seeAll();
    await withdrawLike('early', 'somebody else');
    await like('early');
    await like('late');
    await expectLikes(2);
    await withdrawLike('late', 'somebody else');
    await withdrawLike('late', 'author1');
    await expectLikes(2);
    await withdrawLike('late', 'fan of late');
    await expectLikes(1);
    await withdrawLike('never', 'fan of never');
    await like('never');
    await expectLikes(1);
  });

  it('deletes claims of authors who are no longer allowed', async () => {
    await hear(claim(1), claim(2));
    await seeAll();
    expect(await keepClaimsOf(db, (author) => author === 'author2', OPTIONS)).toBe(1);
    expect(await findGif(db, ID)).toMatchObject({ title: 'title 2', tags: ['tag2'] });
  });
});

it('orders old claims by their time of arrival', async () => {
  const old = openDatabase(':memory:');
  await migrate(old, { '3': claimMigration });
  const rows = [claim(2, { seenAt: 5 }), claim(1, { seenAt: 5 }), claim(3, { seenAt: 4 })].map(toClaimRow);
  await tables(old).insertInto('claims').values(rows).execute();
  await migrate(old, { '3': claimMigration, '6': claimOrderMigration });
  const kept = await tables(old).selectFrom('claims').select(['eventId', 'seq']).orderBy('seq').execute();
  expect(kept.map(({ eventId }) => eventId)).toEqual(['event3', 'event2', 'event1']);
  await old.destroy();
});
