import { normaliseQuery } from '@zoetrope/search';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Embedder } from './embedder.ts';
import { CAPTIONS, type Judged, QUERIES } from './testing/probe.ts';
import { closeTestEmbedders, cosine, createTestEmbedder } from './testing/test-embedder.ts';

let embedder: Embedder;
let captions: (Float32Array | null)[];

beforeAll(async () => {
  embedder = await createTestEmbedder();
  captions = await embedder.embedDocuments(CAPTIONS);
});
afterAll(closeTestEmbedders);

/** Returns the share of a query's relevant captions that are among the best 5 results. */
async function recall({ query, relevant }: Judged): Promise<number> {
  const vector = await embedder.embedQuery(normaliseQuery(query), 30_000);
  if (vector === null) return 0;
  const near = captions.map((caption, i) => ({ number: i + 1, score: cosine(vector, caption) }));
  const best = near.sort((a, b) => b.score - a.score).slice(0, 5);
  return best.filter(({ number }) => relevant.includes(number)).length / Math.min(5, relevant.length);
}

/** The minimum values allow for the rounding of other processors. A language that no longer works falls below them. */
test.each([
  ['English', 28, 0.7, ({ language }: Judged) => language === 'en'],
  ['other languages', 37, 0.78, ({ language }: Judged) => language !== 'en'],
])('queries in %s find the relevant captions', async (_, count, floor, belongs) => {
  const queries = QUERIES.filter(belongs);
  expect(queries).toHaveLength(count);
  const recalls = await Promise.all(queries.map(recall));
  const missed = queries.filter((_, i) => recalls[i] === 0).map(({ query }) => query);
  const mean = recalls.reduce((sum, value) => sum + value, 0) / count;
  expect(mean, `nothing found for ${missed.join(', ')}`).toBeGreaterThanOrEqual(floor);
});
