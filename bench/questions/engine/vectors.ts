// How fast is the vector search, and how many of the truly nearest does it find, compared with usearch (HNSW)?
// quick: --documents 3000 --beside 0

/*
 *   npm run bench vectors [--documents 1000000] [--beside 200000]
 *
 * Vectors are synthetic (clusters.ts) and have 384 dimensions. A query is a vector from a topic, but not one of a
 * document. Recall is measured against the exact result, computed in the same run from all dot products in 32-bit floats,
 * in plain loops. All engines search on one thread, and times are the process's CPU time per call.
 *
 * usearch takes some 400 CPU seconds to build its graph over a million vectors, so the engines are compared on fewer
 * documents. --beside 1000000 compares them on a million; --beside 0 omits usearch.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { quantise, type VectorMemory, VectorSearcher, vectorsInMemory } from '@zoetrope/search';
import { temporaryFolder } from '../../../test/support/server.ts';
import { makeClusters } from '../../support/clusters.ts';
import { drawTopic, random } from '../../support/corpus.ts';
import { cpuStep, type Timing, timeCalls, timeOnce } from '../../support/measure.ts';
import { buildGraph } from '../../support/usearch.ts';

const { values } = parseArgs({
  options: { documents: { type: 'string', default: '1000000' }, beside: { type: 'string', default: '200000' } },
});
const DOCUMENTS = Number(values.documents);
const BESIDE = Number(values.beside);
const QUERIES = 60;
const ROUNDS = 5;
const LIMIT = 200;
const DIMENSIONS = 384;
const BEAMS = [400, 800];
const TARGETS = { p99: 5, recall: 0.98 };

type Search = (query: Float32Array) => Uint32Array;

interface Corpus {
  documents: number;
  memory: VectorMemory;
  /** Every document's cosine, for each query. */
  exact: Float32Array[];
}

interface Row extends Timing {
  engine: string;
  documents: number;
  recall: number;
  megabytes: number;
  buildSeconds: number;
}

const clusters = makeClusters(DIMENSIONS);

function vectorOf(seed: number): Float32Array {
  const next = random(seed);
  return clusters.vectorOf(drawTopic(next), next);
}

const queries = Array.from({ length: QUERIES }, (_, j) => vectorOf(4_000_000_000 + j));

/** @param keep receives the vectors themselves, if given */
function makeCorpus(documents: number, keep: Float32Array | null): Corpus & { buildSeconds: number } {
  const exact = queries.map(() => new Float32Array(documents));
  const rows: Int8Array[] = [];
  for (let i = 0; i < documents; i++) {
    const vector = vectorOf(i);
    rows.push(quantise(vector));
    keep?.set(vector, i * DIMENSIONS);
    for (const [j, query] of queries.entries()) exact[j]![i] = dotOf(vector, query);
  }
  const { seconds, result: memory } = timeOnce(() => vectorsInMemory(rows, DIMENSIONS));
  return { documents, memory, exact, buildSeconds: seconds };
}

function dotOf(a: Float32Array, b: Float32Array): number {
  let dot = 0;
  for (let d = 0; d < DIMENSIONS; d++) dot += a[d]! * b[d]!;
  return dot;
}

/** The share of the true 200 nearest that a search finds; of documents that are equally near, any one counts. */
function recallOf(search: Search, { documents, exact }: Corpus): number {
  const shares = queries.map((query, j) => {
    const scores = exact[j]!;
    const worst = scores.toSorted()[documents - LIMIT]!;
    return search(query).reduce((hits, document) => hits + (scores[document]! >= worst ? 1 : 0), 0) / LIMIT;
  });
  return shares.reduce((sum, share) => sum + share, 0) / QUERIES;
}

function measure(search: Search, corpus: Corpus): Pick<Row, 'documents' | 'recall' | keyof Timing> {
  const timing = timeCalls(queries, ROUNDS, (query) => void search(query));
  return { ...timing, documents: corpus.documents, recall: recallOf(search, corpus) };
}

function benchOurs(corpus: Corpus & { buildSeconds: number }): Row {
  const searcher = new VectorSearcher(corpus.memory, 0);
  const found = measure((query) => searcher.search(query).documents, corpus);
  const megabytes = corpus.memory.memory.buffer.byteLength / 1e6;
  return { engine: 'zoetrope', megabytes, buildSeconds: corpus.buildSeconds, ...found };
}

function benchUsearch(corpus: Corpus, vectors: Float32Array): Row[] {
  using folder = temporaryFolder();
  const file = path.join(folder.path, 'graph');
  const graph = buildGraph(vectors, DIMENSIONS, file);
  return BEAMS.map((beam) => {
    const search = graph.open(beam);
    const found = measure((query) => search(query, LIMIT), corpus);
    return { engine: `usearch, ef ${beam}`, megabytes: graph.megabytes, buildSeconds: graph.seconds, ...found };
  });
}

/** Both engines, on the same documents. */
function benchBeside(documents: number): Row[] {
  const vectors = new Float32Array(documents * DIMENSIONS);
  const corpus = makeCorpus(documents, vectors);
  return [benchOurs(corpus), ...benchUsearch(corpus, vectors)];
}

/** Milliseconds for all dot products with one query. */
function plainLoop(): number {
  const sample = 10_000;
  const all = Array.from({ length: sample }, (_, i) => vectorOf(i));
  const { seconds } = timeOnce(() => all.reduce((sum, vector) => sum + dotOf(vector, queries[0]!), 0));
  return (seconds * 1000 * DOCUMENTS) / sample;
}

function table(rows: Row[]): string {
  const cells = (row: Row): string[] => [
    row.engine,
    row.documents.toLocaleString('en'),
    row.p50.toFixed(2),
    row.p99.toFixed(2),
    row.recall.toFixed(4),
    row.megabytes.toFixed(0),
    row.buildSeconds.toFixed(1),
  ];
  const heading = ['', 'documents', 'p50 ms', 'p99 ms', `recall@${LIMIT}`, 'MB', 'build, CPU s'];
  const lines = [heading, ...rows.map(cells)];
  return lines.map(([name, ...rest]) => name!.padEnd(18) + rest.map((cell) => cell.padStart(14)).join('')).join('\n');
}

const beside = BESIDE > 0 ? benchBeside(BESIDE) : [];
const ours = BESIDE === DOCUMENTS ? beside[0]! : benchOurs(makeCorpus(DOCUMENTS, null));
const plain = plainLoop();

console.log(`${DIMENSIONS} dimensions, top ${LIMIT}, ${QUERIES} queries, ${ROUNDS} rounds`);
console.log(table(BESIDE === DOCUMENTS ? beside : [...beside, ours]));
console.log();
console.log(`plain loop        ${plain.toFixed(0)} ms for all dot products in 32-bit floats`);
console.log(`that is           ${(plain / ours.p99).toFixed(0)} times our p99`);
console.log(`our memory        ${((ours.megabytes * 1e6) / ours.documents).toFixed(0)} bytes a document`);
console.log(`step of the clock ${cpuStep().toFixed(3)} ms`);
console.log();
console.log(`${ours.p99 <= TARGETS.p99 ? 'met   ' : 'MISSED'} p99 at most ${TARGETS.p99} ms`);
console.log(`${ours.recall >= TARGETS.recall ? 'met   ' : 'MISSED'} recall@${LIMIT} at least ${TARGETS.recall}`);
