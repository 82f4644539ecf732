import { beforeEach, expect, it } from 'vitest';
import { type Database, inTransaction } from '../platform/db/index.ts';
import { tables } from '../records/index.ts';
import { onEachDatabase } from '../service/testing/databases.ts';
import {
  countReported,
  listReports,
  pageOfReported,
  type ReportReason,
  recordReport,
  recordReportEvent,
  setOpenReports,
} from './reports.ts';

const NOW = 1_790_000_000_000;
const HASH = 'a'.repeat(64);
const GIF = `${HASH}.gif`;

let db: Database;

/** @param seenAt milliseconds since the Unix epoch */
function tell(n: number, author: string, seenAt = NOW): Promise<void> {
  const about = { hashes: [HASH], events: [], reason: 'other' as const, message: '' };
  return recordReportEvent(db, { eventId: `event${n}`, author, seenAt, ...about });
}

const form = (id: string, at = NOW, reason: ReportReason = 'illegal') =>
  recordReport(db, { id, gif: GIF, reason, message: '', contact: '', reporter: 'form', at });

const open = async () => (await listReports(db, { state: 'open' })).map(({ id }) => id.split(' ')[0]);

onEachDatabase((opened) => {
  beforeEach(async () => {
    db = opened.db;
    const size = { format: 'gif', width: 9, height: 9, frames: 2, durationMs: 200, bytes: 99, lqip: null } as const;
    const shown = { transparent: 0, blankStill: 0 };
    const words = { title: 'cat', text: '', alt: '', lang: '', tags: '[]', characters: '[]', series: '[]' };
    const rest = { url: null, adult: 0, popularity: 0, source: '', fallback: '[]', toldBy: '', hidden: 0, verified: 2 };
    await tables(db)
      .insertInto('gifs')
      .values({ id: GIF, sha256: HASH, ...size, ...shown, ...words, ...rest })
      .execute();
  });

  it('accepts a report under a former id of a GIF, but no report about an unknown GIF', async () => {
    await tables(db).insertInto('aliases').values({ id: 'old.gif', gif: GIF, url: null }).execute();
    const report = { id: 'r', reason: 'adult' as const, message: '', contact: '', reporter: 'form', at: NOW };
    expect(await recordReport(db, { ...report, gif: 'old.gif' })).toBe('taken');
    expect(await recordReport(db, { ...report, id: 's', gif: 'never.gif' })).toBe('unknown');
    expect(await listReports(db, {})).toMatchObject([{ id: 'r', gif: GIF }]);
  });

  it('accepts at most fifty open reports from one Nostr author', async () => {
    for (let n = 0; n < 60; n++) await tell(n, 'flooder');
    await tell(60, 'somebody');
    expect(await open()).toEqual([...Array.from({ length: 50 }, (_, n) => `event${n}`), 'event60']);
    await setOpenReports(db, GIF, []);
    await tell(61, 'flooder');
    expect(await open()).toEqual(['event61']);
  });

  it('accepts reports from the form when reports from relays have reached their limit', async () => {
    await inTransaction(db, async (trx) => {
      const about = { gif: GIF, reason: 'other' as const, message: '', contact: '', at: NOW, state: 'open' as const };
      for (let n = 0; n < 5_000; n++) {
        await tables(trx)
          .insertInto('reports')
          .values({ id: `old${n}`, reporter: `nostr:author${n}`, ...about })
          .execute();
      }
    });
    await tell(1, 'somebody');
    expect(await open()).not.toContain('event1');
    expect(await form('mine')).toBe('taken');
    expect(await open()).toContain('mine');
  });

  it('stores five reports about a GIF for one reason, and only counts further reports until the five are closed', async () => {
    for (let n = 0; n < 12; n++) expect(await form(`report${n}`)).toBe('taken');
    expect(await form('copyright', NOW, 'copyright')).toBe('taken');
    expect((await listReports(db, { state: 'open' })).map(({ id, more }) => [id, more])).toEqual([
      ['report0', 0],
      ['report1', 0],
      ['report2', 0],
      ['report3', 0],
      ['report4', 7],
      ['copyright', 0],
    ]);
    await setOpenReports(db, GIF, []);
    expect(await form('later')).toBe('taken');
    expect(await open()).toEqual(['later']);
  });

  it('accepts other reasons when one has reached its limit', async () => {
    await inTransaction(db, async (trx) => {
      const about = { reason: 'other' as const, message: '', contact: '', at: NOW, state: 'open' as const };
      for (let from = 0; from < 10_000; from += 1_000) {
        const rows = Array.from({ length: 1_000 }, (_, n) => ({
          ...{ id: `old${from + n}`, gif: `gif${from + n}`, reporter: 'form', ...about },
        }));
        await tables(trx).insertInto('reports').values(rows).execute();
      }
    });
    expect(await form('other', NOW, 'other')).toBe('full');
    expect(await form('illegal')).toBe('taken');
  });

  it('lists reports in the order in which they came', async () => {
    await form('first', NOW);
    await tell(2, 'somebody', NOW + 1);
    await tell(1, 'somebody', NOW + 1);
    await form('last', NOW + 2);
    expect(await open()).toEqual(['first', 'event2', 'event1', 'last']);
  });

  /** Inserts open reports. Each has the id of a GIF, the time, and the number of reports that were only counted. */
  async function insertReports(...reports: [gif: string, at: number, more?: number][]): Promise<void> {
    const about = { reason: 'other' as const, message: '', contact: '', reporter: 'form', state: 'open' as const };
    const rows = reports.map(([gif, at, more = 0], n) => ({ id: `r${n}`, gif, at, more, ...about }));
    await tables(db).insertInto('reports').values(rows).execute();
  }

  it.each([
    ['oldest', ['b', 'a', 'c', 'd']],
    ['most', ['c', 'b', 'd', 'a']],
  ] as const)('pages of reported GIFs, %s first, have each GIF once', async (order, expected) => {
    await insertReports(['b', 1], ['a', 2], ['b', 3], ['c', 3, 4], ['c', 4], ['d', 5], ['d', 5], ['b', 5]);
    const shown: string[] = [];
    let after = '';
    do {
      const { ids, next } = await pageOfReported(db, { order, after, limit: 1 });
      shown.push(...ids);
      after = next;
    } while (after !== '');
    expect(shown).toEqual(expected);
    expect(await countReported(db)).toBe(4);
    await setOpenReports(db, 'b', []);
    expect((await pageOfReported(db, { order, after: '', limit: 9 })).ids).not.toContain('b');
    expect(await countReported(db)).toBe(3);
  });
});
