import { expect, test } from 'vitest';
import { makeDocument, writeDocuments } from '../testing/documents.ts';
import { openBuild, verifySegment } from './open.ts';
import { COLD_SECTIONS, type ReadSection } from './sections.ts';

const { manifest, sections } = writeDocuments([
  makeDocument({ id: 'a.gif', title: 'cat', stored: Uint8Array.of(1, 2, 3) }),
  makeDocument({ id: 'b.gif', title: 'cat', stored: new Uint8Array(3 << 20).map((_, i) => i) }),
]);
const hot = new Map([...sections].filter(([name]) => !COLD_SECTIONS.includes(name)));
const read: ReadSection = (name, start, end) => sections.get(name)!.slice(start, end);

test('a build with its records on disk behaves like one in memory', () => {
  const build = openBuild(manifest, hot, read);
  expect([0, 1].map((document) => build.id(document))).toEqual(['a.gif', 'b.gif']);
  expect(['a.gif', 'b.gif', 'c.gif'].map((id) => build.find(id))).toEqual([0, 1, -1]);
  expect([...build.stored(0)]).toEqual([1, 2, 3]);
  expect(() => build.id(2)).toThrow(RangeError);
});

test('the checksums of records on disk are computed piece by piece', () => {
  expect(() => verifySegment(manifest, hot, read)).not.toThrow();
  const damaged: ReadSection = (name, start, end) => {
    const bytes = read(name, start, end);
    if (name === 'stored-bytes' && start > 0) bytes[7]! ^= 1;
    return bytes;
  };
  expect(() => verifySegment(manifest, hot, damaged)).toThrow(/section stored-bytes is damaged/);
});

test('without a reader, records on disk count as missing', () => {
  expect(() => openBuild(manifest, hot)).toThrow(/section ids-bytes is missing/);
  expect(() => verifySegment(manifest, hot)).toThrow(/section ids-bytes is missing/);
});
