// How fast is the vector search over any number of documents, and how many of the truly nearest does it find?
// quick: --documents 3000

/*
 *   npm run bench vectors [--documents 1000000]
 *
 * Vectors are synthetic (clusters.ts) and have 384 dimensions. A query is a vector from a topic, but not the vector of
 * a document. Recall is relative to the exact result, which is computed in the same run from all dot products in 32-bit
 * floats, in plain loops. Times are the process's CPU time per call, on one thread.
 *
 * The topics of real texts differ from the synthetic ones. `npm run bench recall` measures with real vectors, and
 * compares with other libraries.
 */
import { parseArgs } from 'node:util';
import { quantise, type VectorMemory, VectorSearcher, vectorsInMemory } from '@zoetrope/search';
import { makeClusters } from '../../support/clusters.ts';
import { drawTopic, random } from '../../support/corpus.ts';
import { cpuStep, timeCalls, timeOnce } from '../../support/measure.ts';

const { values } = parseArgs({ options: { documents: { type: 'string', default: '1000000' } } });
const DOCUMENTS = Number(values.documents);
const QUERIES = 60;
const ROUNDS = 5;
const LIMIT = 200;
const DIMENSIONS = 384;
const TARGETS = { p99: 5, recall: 0.98 };

interface Corpus {
  memory: VectorMemory;
  /** The cosines of all documents, for each query. */
  exact: Float32Array[];
  buildSeconds: number;
}

const clusters = makeClusters(DIMENSIONS);

function vectorOf(seed: number): Float32Array {
  const next = random(seed);
  return clusters.vectorOf(drawTopic(next), next);
}

const queries = Array.from({ length: QUERIES }, (_, j) => vectorOf(4_000_000_000 + j));

function makeCorpus(): Corpus {
  const exact = queries.map(() => new Float32Array(DOCUMENTS));
  const rows: Int8Array[] = [];
  for (let i = 0; i < DOCUMENTS; i++) {
    const vector = vectorOf(i);
    rows.push(quantise(vector));
    for (const [j, query] of queries.entries()) exact[j]![i] = dotOf(vector, query);
  }
  const { seconds, result: memory } = timeOnce(() => vectorsInMemory(rows, DIMENSIONS));
  return { memory, exact, buildSeconds: seconds };
}

function dotOf(a: Float32Array, b: Float32Array): number {
  let dot = 0;
  for (let d = 0; d < DIMENSIONS; d++) dot += a[d]! * b[d]!;
  return dot;
}

/** Returns the share of the true 200 nearest that a search finds. Among equally near documents, any one counts. */
function recallOf(searcher: VectorSearcher, exact: readonly Float32Array[]): number {
  const shares = queries.map((query, j) => {
    const scores = exact[j]!;
    const worst = scores.toSorted()[DOCUMENTS - LIMIT]!;
    const { documents } = searcher.search(query);
    return documents.reduce((hits, document) => hits + (scores[document]! >= worst ? 1 : 0), 0) / LIMIT;
  });
  return shares.reduce((sum, share) => sum + share, 0) / QUERIES;
}

/** Returns the time for all dot products with one query, in milliseconds. */
function plainLoop(): number {
  const sample = 10_000;
  const all = Array.from({ length: sample }, (_, i) => vectorOf(i));
  const { seconds } = timeOnce(() => all.reduce((sum, vector) => sum + dotOf(vector, queries[0]!), 0));
  return (seconds * 1000 * DOCUMENTS) / sample;
}

const { memory, exact, buildSeconds } = makeCorpus();
const searcher = new VectorSearcher(memory, 0);
const { p50, p99 } = await timeCalls(queries, ROUNDS, (query) => searcher.search(query));
const recall = recallOf(searcher, exact);
const bytes = memory.memory.buffer.byteLength;
const plain = plainLoop();

console.log(
  `${DOCUMENTS.toLocaleString('en')} vectors of ${DIMENSIONS} dimensions, ${memory.lists} lists, top ${LIMIT}`,
);
console.log(`${QUERIES} queries, ${ROUNDS} rounds; step of the clock ${cpuStep().toFixed(3)} ms`);
console.log(`p50, p99      ${p50.toFixed(2)}, ${p99.toFixed(2)} ms`);
console.log(`recall@${LIMIT}    ${recall.toFixed(4)}`);
console.log(`memory        ${(bytes / 1e6).toFixed(0)} MB, ${(bytes / DOCUMENTS).toFixed(0)} bytes a document`);
console.log(`build         ${buildSeconds.toFixed(1)} s of CPU time`);
console.log(
  `plain loop    ${plain.toFixed(0)} ms for all dot products in 32-bit floats, ${(plain / p99).toFixed(0)} times our p99`,
);
console.log(`${p99 <= TARGETS.p99 ? 'met   ' : 'MISSED'} p99 at most ${TARGETS.p99} ms`);
console.log(`${recall >= TARGETS.recall ? 'met   ' : 'MISSED'} recall@${LIMIT} at least ${TARGETS.recall}`);
