// With vectors from a real model, how many of the truly nearest are found, and how fast beside usearch? (DATA-FOLDER QUERY-LOG)

/*
 *   npm run bench recall DATA-FOLDER QUERY-LOG [QUERIES]
 *
 * The data folder must contain a published build with vectors from the configured embedder, which also embeds the log's
 * searches, each once. The exact result is computed with the query in 32-bit floats and the documents in 8 bits per
 * dimension, as builds store them. usearch (HNSW) searches the same vectors with beams of several widths, so that both
 * can be compared at equal recall.
 */
import path from 'node:path';
import { normaliseQuery, type VectorMemory, VectorSearcher } from '@zoetrope/search';
import { createLog } from '../../../packages/server/src/base/log.ts';
import { loadConfig } from '../../../packages/server/src/config.ts';
import { createEmbedder } from '../../../packages/server/src/embed/index.ts';
import { loadBuild, readPublished } from '../../../packages/server/src/index/index.ts';
import { temporaryFolder } from '../../../test/support/server.ts';
import { endWithUsage } from '../../support/data.ts';
import { type Timing, timeCalls } from '../../support/measure.ts';
import { readQueryLog } from '../../support/query-log.ts';
import { buildGraph } from '../../support/usearch.ts';

const LIMIT = 200;
const TARGET = 0.97;
const ROUNDS = 3;
const BEAMS = [200, 400, 800, 1600, 3200];
const DEADLINE_MS = 10_000;

const [data, log, count = '300'] = process.argv.slice(2);
if (!data || !log) endWithUsage('recall DATA-FOLDER QUERY-LOG [QUERIES]', 'data', 'log');

/** Different searches, spread over the whole log. */
function chooseQueries(file: string, wanted: number): string[] {
  const searches = readQueryLog(file).filter(({ op }) => op === 'search');
  const different = [...new Set(searches.map(({ q }) => normaliseQuery(q)))];
  const step = Math.max(1, different.length / wanted);
  return Array.from({ length: Math.min(wanted, different.length) }, (_, i) => different[Math.floor(i * step)]!);
}

async function openMeaning(data: string) {
  const builds = path.join(data, 'builds');
  const manifest = await readPublished(builds);
  const memory = manifest && loadBuild(builds, manifest, 1).spaces.meaning;
  if (!manifest || !memory) throw new Error(`${data} has no build with vectors; run: zoetrope work`);
  return { memory, space: manifest.engine.spaces.meaning! };
}

/** The queries' vectors, without queries in which the model knows no word. */
async function embed(queries: readonly string[], model: string): Promise<Float32Array[]> {
  const config = loadConfig({ ...process.env, ZOETROPE_DATA: data }, process.cwd());
  const models = path.join(config.service.data, 'models');
  const embedder = await createEmbedder({ config: config.embed, models, log: createLog('warn') });
  if (embedder?.id !== model) throw new Error(`the build has vectors of ${model}, the embedder is ${embedder?.id}`);
  const vectors: Float32Array[] = [];
  for (const query of queries) {
    const vector = await embedder.embedQuery(query, DEADLINE_MS);
    if (vector !== null) vectors.push(vector);
  }
  await embedder.close();
  return vectors;
}

type Search = (query: Float32Array) => Uint32Array;

/** The share of the nearest documents that are found; of documents that are equally near, any one counts. */
function recallOf(query: Float32Array, search: Search, scores: Float64Array): number {
  const sorted = scores.toSorted().reverse();
  const near = sorted.findIndex((score) => score <= 0);
  const wanted = Math.min(LIMIT, near < 0 ? sorted.length : near);
  const worst = sorted[wanted - 1]!;
  const found = search(query).filter((document) => scores[document]! >= worst);
  return Math.min(1, found.length / wanted);
}

/** The vectors in the order of their documents, and their cosines with a query, in steps. */
class Exact {
  readonly dimensions: number;
  readonly rows: Int8Array;

  constructor({ memory, dimensions, documents, vectors, parts }: VectorMemory) {
    const source = new Int8Array(memory.buffer, parts.int8, vectors * dimensions);
    this.dimensions = dimensions;
    this.rows = new Int8Array(documents * dimensions);
    for (const [row, document] of new Uint32Array(memory.buffer, parts.documents, vectors).entries()) {
      this.rows.set(source.subarray(row * dimensions, (row + 1) * dimensions), document * dimensions);
    }
  }

  scores(query: Float32Array): Float64Array {
    const scores = new Float64Array(this.rows.length / this.dimensions);
    for (let document = 0, at = 0; document < scores.length; document++) {
      let dot = 0;
      for (let d = 0; d < this.dimensions; d++, at++) dot += this.rows[at]! * query[d]!;
      scores[document] = dot;
    }
    return scores;
  }
}

interface Row extends Timing {
  recalls: number[];
}

function measure(queries: readonly Float32Array[], exact: Exact, search: Search): Row {
  const recalls = queries.map((query) => recallOf(query, search, exact.scores(query))).sort((a, b) => a - b);
  return { recalls, ...timeCalls(queries, ROUNDS, (query) => void search(query)) };
}

const meanOf = ({ recalls }: Row): number => recalls.reduce((sum, share) => sum + share, 0) / recalls.length;

function line(engine: string, row: Row): string {
  const tenth = row.recalls[Math.floor(row.recalls.length / 10)]!;
  const cells = [meanOf(row).toFixed(4), tenth.toFixed(3), row.p50.toFixed(2), row.p99.toFixed(2)];
  return engine.padEnd(18) + cells.map((cell) => cell.padStart(13)).join('');
}

const { memory, space } = await openMeaning(data);
const queries = await embed(chooseQueries(log, Number(count)), space.model);
const exact = new Exact(memory);
const searcher = new VectorSearcher(memory, 0);
const ours = measure(queries, exact, (query) => searcher.search(query).documents);

console.log(
  `${space.vectors} vectors of ${space.model} in ${space.lists} lists, ${queries.length} queries, top ${LIMIT}`,
);
console.log(''.padEnd(18) + ['recall', 'worst tenth', 'p50 ms', 'p99 ms'].map((cell) => cell.padStart(13)).join(''));
console.log(line('zoetrope', ours));
using folder = temporaryFolder();
const graph = buildGraph(Float32Array.from(exact.rows), exact.dimensions, path.join(folder.path, 'graph'));
const beside = BEAMS.map((beam) => {
  const search = graph.open(beam);
  const row = measure(queries, exact, (query) => search(query, LIMIT));
  console.log(line(`usearch, ef ${beam}`, row));
  return row;
});
console.log(`usearch's graph took ${graph.seconds.toFixed(0)} s of CPU time`);
const equal = beside.find((row) => meanOf(row) >= meanOf(ours));
console.log(`${meanOf(ours) >= TARGET ? 'met   ' : 'MISSED'} recall@${LIMIT} at least ${TARGET}`);
console.log(
  equal === undefined
    ? 'met    ahead of usearch, which never reaches our recall'
    : `${ours.p99 < equal.p99 ? 'met   ' : 'MISSED'} p99 below usearch at equal recall (${(equal.p99 / ours.p99).toFixed(1)} times)`,
);
