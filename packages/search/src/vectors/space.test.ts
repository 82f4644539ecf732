import { expect, test } from 'vitest';
import { openBuild, SegmentWriter } from '../index.ts';
import { makeDocument } from '../testing/documents.ts';
import { allocateVectors, spaceBytes } from './memory.ts';
import { quantise } from './quantise.ts';
import { VectorSearcher } from './searcher.ts';

const shape = { model: 'test-1', dimensions: 128 };

/** Returns a unit vector between two waves, nearer to the first wave. */
function between(first: number, second: number): Int8Array {
  const wave = (k: number, d: number): number => Math.cos((Math.PI * k * (d + 0.5)) / 128) / 8;
  return quantise(Float32Array.from({ length: 128 }, (_, d) => 0.8 * wave(first, d) + 0.6 * wave(second, d)));
}

const documents = [
  makeDocument({ id: 'a', vectors: { meaning: between(1, 2), looks: between(7, 8) } }),
  makeDocument({ id: 'b' }),
  makeDocument({ id: 'c', vectors: { meaning: between(2, 1) } }),
  makeDocument({ id: 'x', adult: true, vectors: { meaning: between(1, 2) } }),
];

function written(spaces: ConstructorParameters<typeof SegmentWriter>[0]) {
  const writer = new SegmentWriter(spaces);
  for (const document of documents) writer.add(document);
  return writer.finish();
}

test('a build describes its vectors, and contains those of safe documents', () => {
  const { manifest, sections } = written({ meaning: shape, looks: shape });
  expect(manifest.spaces).toEqual({
    meaning: { ...shape, vectors: 2, lists: 1, meanCosine: expect.closeTo(0.98, 2) },
    looks: { ...shape, vectors: 1, lists: 1, meanCosine: expect.closeTo(1, 1) },
  });
  expect(openBuild(manifest, sections).safeDocuments).toBe(3);
  const memory = allocateVectors({ ...manifest.spaces.meaning!, documents: 3, threads: 1 });
  for (const [part, bytes] of Object.entries(spaceBytes(memory))) {
    bytes.set(sections.get(`meaning-${part}`)!);
  }
  const searcher = new VectorSearcher(memory, 0);
  expect([0, 1, 2].map((document) => searcher.has(document))).toEqual([true, false, true]);
  expect([...searcher.searchLike(2).documents]).toEqual([2, 0]);
  expect([...searcher.searchLike(1).documents]).toEqual([]);
});

test('spaces that are empty or not requested are omitted', () => {
  const { manifest, sections } = written({});
  expect(manifest.spaces).toEqual({});
  expect([...sections.keys()].filter((name) => name.endsWith('-int8'))).toEqual([]);
  const writer = new SegmentWriter({ meaning: shape });
  writer.add(makeDocument({ id: 'a' }));
  expect(writer.finish().manifest.spaces).toEqual({});
});

test('unsearchable vectors are rejected', () => {
  expect(() => new SegmentWriter({ meaning: { model: 'odd', dimensions: 100 } })).toThrow(/odd have 100 dimensions/);
  const writer = new SegmentWriter({ meaning: shape });
  expect(() => writer.add(makeDocument({ id: 'a', vectors: { meaning: new Int8Array(256) } }))).toThrow(
    /test-1 has 256 dimensions, not 128/,
  );
});
