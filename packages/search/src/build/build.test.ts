import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildOf, makeDocument, writeDocuments } from '../testing/documents.ts';
import { BuildError, FORMAT_VERSION } from './manifest.ts';
import { openBuild, verifySegment } from './open.ts';
import { SegmentWriter } from './writer.ts';

const documents = [
  makeDocument({
    id: 'a.gif',
    aliases: ['old-a.gif'],
    title: 'Happy dance',
    tags: ['dance', 'creepy_gif'],
    characters: ['Snoopy'],
    series: ['Peanuts'],
    text: "don't stop 猫が好き",
    popularity: 7,
    stored: Uint8Array.of(1, 2, 3),
  }),
  makeDocument({ id: 'c.gif', title: '👍🏽 สวัสดี', popularity: 7 }),
  makeDocument({ id: 'b.gif', title: 'café happy', popularity: 2.5, stored: Uint8Array.of(4) }),
  makeDocument({ id: 'x.gif', title: 'happy', adult: true, popularity: 9, stored: Uint8Array.of(5) }),
];

/** If this test fails, the bytes of builds have changed. Raise FORMAT_VERSION, and keep only the new golden file. */
test('the format changes only with its version', async () => {
  const { manifest } = writeDocuments(documents);
  await expect(`${JSON.stringify(manifest, null, 2)}\n`).toMatchFileSnapshot(`golden/format-${FORMAT_VERSION}.json`);
});

test('documents are numbered in order and found by id', () => {
  const build = buildOf(documents);
  expect([build.numbering.segments[0]!.manifest.documents, build.safeDocuments]).toEqual([4, 3]);
  expect([0, 1, 2, 3].map((document) => build.id(document))).toEqual(['a.gif', 'c.gif', 'b.gif', 'x.gif']);
  expect(['a.gif', 'c.gif', 'b.gif', 'x.gif'].map((id) => build.find(id))).toEqual([0, 1, 2, 3]);
  expect(['', 'a', 'a.gif2', 'zz', 'ä.gif', 'š.gif'].map((id) => build.find(id))).toEqual([-1, -1, -1, -1, -1, -1]);
  expect([...build.stored(0)]).toEqual([1, 2, 3]);
  expect([...build.stored(1)]).toEqual([]);
  expect([2, 3].map((document) => build.isAdult(document))).toEqual([false, true]);
  for (const none of [-1, 4, 0.5, Number.NaN]) expect(() => build.id(none)).toThrow(RangeError);
});

test('all ids are found', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.stringMatching(/^\w[\w.-]{0,8}$/)), (ids) => {
      const build = buildOf(ids.map((id, i) => makeDocument({ id, popularity: i % 3 })));
      for (const id of ids) expect(build.id(build.find(id))).toBe(id);
      expect(build.find('~')).toBe(-1);
    }),
  );
});

test('a document is found by its former ids, and shown with its current id', () => {
  const build = buildOf([
    makeDocument({ id: 'm.gif', aliases: ['a.gif', 'z.gif'] }),
    makeDocument({ id: 'n.gif', popularity: 1, adult: true, aliases: ['b.gif'] }),
  ]);
  const found = ['a.gif', 'm.gif', 'z.gif', 'b.gif', 'n.gif', 'c.gif'].map((id) => build.find(id));
  expect(found).toEqual([0, 0, 0, 1, 1, -1]);
  expect(build.id(build.find('z.gif'))).toBe('m.gif');
  expect(build.segments[0]!.manifest.documents).toBe(2);
  expect(() => build.id(2)).toThrow(RangeError);
});

test('an alias that is the id of another document is refused', () => {
  const documents = [makeDocument({ id: 'a.gif' }), makeDocument({ id: 'b.gif', aliases: ['a.gif'] })];
  expect(() => writeDocuments(documents)).toThrow(RangeError);
});

test('rejects documents out of order, names them, and leaves the build unchanged', () => {
  const writer = new SegmentWriter();
  writer.add(makeDocument({ id: 'b', popularity: 1 }));
  for (const wrong of [
    { id: 'a', popularity: 1 },
    { id: 'b', popularity: 1 },
    { id: 'c', popularity: 2 },
  ]) {
    expect(() => writer.add(makeDocument(wrong))).toThrow(new RegExp(`out of order: ${wrong.id} .* b$`));
  }
  writer.add(makeDocument({ id: 'z', popularity: 5, adult: true }));
  expect(() => writer.add(makeDocument({ id: 'zz' }))).toThrow(RangeError);
  expect(writer.finish().manifest.documents).toBe(2);
});

test('invalid ids and popularities are rejected', () => {
  const writer = new SegmentWriter();
  for (const id of ['', 'ü.gif', '\ud800']) expect(() => writer.add(makeDocument({ id }))).toThrow(RangeError);
  for (const popularity of [-1, Number.NaN]) {
    expect(() => writer.add(makeDocument({ id: 'a', popularity }))).toThrow(RangeError);
  }
  writer.add(makeDocument({ id: 'same', popularity: 1 }));
  writer.add(makeDocument({ id: 'same', popularity: 0 }));
  expect(() => writer.finish()).toThrow('two documents have the id same');
});

test('the same documents give the same bytes', () => {
  expect(writeDocuments(documents)).toEqual(writeDocuments(documents.toReversed()));
});

test('an empty build opens', () => {
  const { manifest, sections } = writeDocuments([]);
  verifySegment(manifest, sections);
  expect(openBuild(manifest, sections).shownDocuments).toBe(0);
});

test('a build opens in shared memory without copying', () => {
  const { manifest, sections } = writeDocuments(documents);
  const shared = new Map(
    Array.from(sections, ([name, bytes]) => {
      const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
      copy.set(bytes);
      return [name, copy];
    }),
  );
  verifySegment(manifest, shared);
  const build = openBuild(manifest, shared);
  expect(build.stored(0).buffer).toBe(shared.get('stored-bytes')?.buffer);
  expect(build.find('b.gif')).toBe(2);
});

test('any flipped bit is detected, naming the section', () => {
  const { manifest, sections } = writeDocuments(documents);
  verifySegment(manifest, sections);
  for (const [name, bytes] of sections) {
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => verifySegment(manifest, sections)).toThrow(`section ${name} is damaged`);
      bytes[bit >> 3]! ^= 1 << (bit & 7);
    }
  }
});

test('rejects another format', () => {
  const { manifest, sections } = writeDocuments(documents);
  const other = { ...manifest, format: FORMAT_VERSION + 1 };
  expect(() => openBuild(other, sections)).toThrow(BuildError);
  expect(() => verifySegment(other, sections)).toThrow(BuildError);
});

test('sections that are missing, too short, inconsistent or not aligned are refused by name', () => {
  const { manifest, sections } = writeDocuments(documents);
  for (const [name, bytes] of sections) {
    const without = new Map(sections);
    without.delete(name);
    expect(() => openBuild(manifest, without)).toThrow(new BuildError(`section ${name} is missing`));
    expect(() => verifySegment(manifest, without)).toThrow(new BuildError(`section ${name} is missing`));
    const other = bytes.length === 0 ? new Uint8Array(1) : bytes.subarray(1);
    const wrong = new Map(sections).set(name, other);
    expect(() => openBuild(manifest, wrong)).toThrow(`section ${name} has ${other.length} bytes`);
  }
  const unlisted = { ...manifest, sections: manifest.sections.slice(1) };
  expect(() => openBuild(unlisted, sections)).toThrow('section dictionary-offsets is not in the manifest');
  expect(() => openBuild({ ...manifest, postings: 1 }, sections)).toThrow('section postings has');
  const bytes = sections.get('ids-order')!;
  const moved = new Uint8Array(bytes.length + 1).subarray(1);
  moved.set(bytes);
  expect(() => openBuild(manifest, new Map(sections).set('ids-order', moved))).toThrow('ids-order is not aligned');
});
