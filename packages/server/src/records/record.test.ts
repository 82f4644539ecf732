import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type GifRecord, keepVerified, mergeRecords } from './record.ts';

const word = fc.constantFrom('', 'cat', 'dance', 'party', '猫');
const words = fc.uniqueArray(fc.constantFrom('cat', 'dance', 'party', '猫'), { maxLength: 3 });

const gif: fc.Arbitrary<GifRecord> = fc.record({
  id: fc.constant('x.gif'),
  sha256: fc.constant('a'.repeat(64)),
  verified: fc.constant('file' as const),
  url: fc.constant(null),
  format: fc.constant('gif' as const),
  width: fc.constant(10),
  height: fc.constant(10),
  frames: fc.constant(2),
  durationMs: fc.constant(200),
  bytes: fc.constant(99),
  title: word,
  tags: words,
  characters: words,
  series: words,
  text: word,
  alt: word,
  lang: fc.constantFrom('', 'en', 'de'),
  adult: fc.boolean(),
  popularity: fc.nat(9),
  source: fc.constant('folder'),
  fallback: fc.constant([]),
  lqip: fc.constant('data:image/webp;base64,xx'),
  toldBy: fc.constantFrom('a', 'b', 'c'),
});

const sample = () => fc.sample(gif, 1)[0]!;

const sorted = (record: GifRecord) => ({
  ...record,
  tags: record.tags.toSorted(),
  characters: record.characters.toSorted(),
  series: record.series.toSorted(),
});

describe('mergeRecords', () => {
  it('does not depend on the order of the records', () => {
    fc.assert(
      fc.property(gif, gif, (one, two) => {
        fc.pre(one.toldBy !== two.toldBy);
        expect(sorted(mergeRecords(one, two))).toEqual(sorted(mergeRecords(two, one)));
      }),
    );
  });

  it('changes nothing when the same record comes again', () => {
    fc.assert(
      fc.property(gif, (record) => {
        expect(mergeRecords(record, record)).toEqual(record);
      }),
    );
  });

  it('never makes an adult GIF safe because of a second source', () => {
    fc.assert(
      fc.property(gif, gif, (one, two) => {
        fc.pre(one.toldBy !== two.toldBy && (one.adult || two.adult));
        expect(mergeRecords(one, two).adult).toBe(true);
      }),
    );
  });

  it('keeps our own bytes when somebody links to the same picture', () => {
    const [own] = fc.sample(gif, 1) as [GifRecord];
    const link = { ...own, url: 'https://a.example/x.gif', width: 480, frames: null, lqip: null, toldBy: '0' };
    expect(mergeRecords(own, link)).toMatchObject({ url: null, width: 10, frames: 2, lqip: own.lqip });
    expect(mergeRecords(link, own)).toMatchObject({ url: null, width: 10, frames: 2, lqip: own.lqip });
    const opaque = { ...own, transparent: false };
    expect(mergeRecords(opaque, { ...link, transparent: true }).transparent).toBe(false);
    expect(mergeRecords({ ...own, transparent: true }, link).transparent).toBe(true);
  });

  it('replaces the facts of a linked GIF, but keeps the placeholder if the new record has none', () => {
    const known = { ...sample(), url: 'https://a.example/x.gif', width: 10 };
    const other = { ...known, url: 'https://b.example/x.gif', width: 20, lqip: null, toldBy: '0' };
    expect(mergeRecords(known, other)).toMatchObject({ url: other.url, width: 20, lqip: known.lqip });
    const own = { ...known, url: null, width: 30, lqip: 'data:,new', toldBy: '0' };
    expect(mergeRecords(known, own)).toMatchObject({ url: null, width: 30, lqip: 'data:,new' });
  });

  it('takes texts from the source whose name sorts first, and its empty texts from the other source', () => {
    const first = { ...sample(), toldBy: 'a', title: 'cat', alt: '', tags: ['cat'] };
    const second = { ...first, toldBy: 'b', title: 'dog', alt: 'a dog', tags: ['dog', 'cat'] };
    for (const merged of [mergeRecords(first, second), mergeRecords(second, first)]) {
      expect(merged).toMatchObject({ title: 'cat', alt: 'a dog' });
      expect(merged.tags.toSorted()).toEqual(['cat', 'dog']);
    }
  });
});

describe('keepVerified', () => {
  const linked: GifRecord = { ...sample(), url: 'https://a.example/x.gif', verified: 'nothing', width: 1 };
  const checked: GifRecord = { ...linked, verified: 'file', width: 2 };

  it('keeps facts of the same file that are better verified', () => {
    expect(keepVerified({ ...linked, title: 'new' }, checked)).toEqual({ ...checked, title: 'new' });
    expect(keepVerified(checked, linked)).toEqual(checked);
    expect(keepVerified({ ...checked, width: 3 }, checked).width).toBe(3);
  });

  it('ignores all facts about another file', () => {
    const moved = { ...linked, url: 'https://b.example/x.gif' };
    expect(keepVerified(moved, checked)).toEqual(moved);
    const own = { ...linked, url: null };
    expect(keepVerified(own, { ...checked, url: null })).toEqual(own);
  });
});
