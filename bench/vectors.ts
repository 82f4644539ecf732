// How fast is the vector scan, and how much of the true nearest does it find?

/*
 *   npm run bench vectors        BENCH_DOCS=1000000 by default
 *
 * Vectors are synthetic: 2,000 topics of skewed sizes with noise in 40 directions around each, of 384 dimensions and
 * length 1, so that the 200 nearest of a query lie in its topic. The baseline is the exact answer by all dot products in
 * 32-bit floats, in plain loops in the same run; a query is a vector of a topic that no document has.
 */
import { allocateVectors, setVector, VectorSearcher } from '@zoetrope/search';
import { random } from './corpus.ts';
import { timeCalls, timeOnce } from './measure.ts';

const DOCUMENTS = Number(process.env['BENCH_DOCS'] ?? 1_000_000);
const QUERIES = 60;
const LIMIT = 200;
const DIMENSIONS = 384;
const TOPICS = 2_000;
const DIRECTIONS = 40;
const TARGETS = { p99: 5, recall: 0.98 };

type Random = () => number;

/** Roughly normal: the sum of three uniform numbers. */
const spread = (next: Random): number => next() + next() + next() - 1.5;

function normalise(vector: Float32Array): Float32Array {
  let square = 0;
  for (const value of vector) square += value * value;
  const length = Math.sqrt(square);
  for (let d = 0; d < vector.length; d++) vector[d]! /= length;
  return vector;
}

const randomVector = (next: Random): Float32Array =>
  normalise(Float32Array.from({ length: DIMENSIONS }, () => spread(next)));

const next = random(17);
const topics = Array.from({ length: TOPICS }, () => randomVector(next));
const directions = Array.from({ length: DIRECTIONS }, () => randomVector(next));

/** A vector of a topic: its middle, and a step in each of the directions. */
function vectorOf(seed: number): Float32Array {
  const draw = random(seed);
  const topic = topics[Math.floor(draw() * draw() * TOPICS)]!;
  const vector = Float32Array.from(topic);
  for (const direction of directions) {
    const step = spread(draw) * 0.25;
    for (let d = 0; d < DIMENSIONS; d++) vector[d]! += step * direction[d]!;
  }
  return normalise(vector);
}

const queries = Array.from({ length: QUERIES }, (_, j) => vectorOf(4_000_000_000 + j));

/** Fills the memory, and keeps each query's exact scores for the baseline. */
function fill() {
  const memory = allocateVectors({ documents: DOCUMENTS, dimensions: DIMENSIONS, threads: 1 });
  const exact = queries.map(() => new Float32Array(DOCUMENTS));
  for (let document = 0; document < DOCUMENTS; document++) {
    const vector = vectorOf(document);
    setVector(memory, document, vector);
    for (const [j, query] of queries.entries()) {
      let dot = 0;
      for (let d = 0; d < DIMENSIONS; d++) dot += vector[d]! * query[d]!;
      exact[j]![document] = dot;
    }
  }
  return { memory, exact };
}

const { memory, exact } = fill();
const searcher = new VectorSearcher(memory, 0);

function recallOf(j: number): number {
  const scores = exact[j]!;
  const worst = scores.toSorted()[DOCUMENTS - LIMIT]!;
  const found = searcher.search(queries[j]!).documents;
  return found.reduce((hits, document) => hits + (scores[document]! >= worst ? 1 : 0), 0) / LIMIT;
}

const recall = queries.reduce((sum, _, j) => sum + recallOf(j), 0) / QUERIES;
const { p50, p99 } = timeCalls(queries, 5, (query) => void searcher.search(query));
const all = Float32Array.from({ length: DIMENSIONS * 10_000 }, () => 0.05);
const floats = timeOnce(() => {
  let sum = 0;
  for (let at = 0; at < all.length; at++) sum += all[at]! * queries[0]![at % DIMENSIONS]!;
  return sum;
});
const plain = (floats.seconds * 1000 * DOCUMENTS) / 10_000;

console.log(`${DOCUMENTS} vectors of ${DIMENSIONS} dimensions, top ${LIMIT}, ${QUERIES} queries`);
console.log(
  `zoetrope     p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms CPU; recall@${LIMIT} ${recall.toFixed(4)}`,
);
console.log(
  `plain loop   ${plain.toFixed(0)} ms for all dot products in 32-bit floats, ${(plain / p99).toFixed(0)} times the p99`,
);
console.log(
  `memory       ${(memory.memory.buffer.byteLength / 1e6).toFixed(0)} MB, ${(memory.memory.buffer.byteLength / DOCUMENTS).toFixed(0)} bytes a document`,
);
console.log(`${p99 <= TARGETS.p99 ? 'met   ' : 'MISSED'} p99 at most ${TARGETS.p99} ms`);
console.log(`${recall >= TARGETS.recall ? 'met   ' : 'MISSED'} recall@${LIMIT} at least ${TARGETS.recall}`);
