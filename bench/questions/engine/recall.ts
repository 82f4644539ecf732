// With vectors from a real model, how many of the truly nearest does the vector scan find? (DATA-FOLDER QUERY-LOG)

/*
 *   npm run bench recall DATA-FOLDER QUERY-LOG [QUERIES]
 *
 * The data folder must contain a published build with vectors from the configured embedder, which also embeds the log's
 * searches, each once. The exact result is computed with the query in 32-bit floats and the documents in 8 bits per
 * dimension, as builds store them.
 */
import path from 'node:path';
import { normaliseQuery, type VectorMemory, VectorSearcher } from '@zoetrope/search';
import { createLog } from '../../../packages/server/src/base/log.ts';
import { loadConfig } from '../../../packages/server/src/config.ts';
import { createEmbedder } from '../../../packages/server/src/embed/index.ts';
import { loadBuild, readPublished } from '../../../packages/server/src/index/index.ts';
import { endWithUsage } from '../../support/data.ts';
import { timeCalls } from '../../support/measure.ts';
import { readQueryLog } from '../../support/query-log.ts';

const LIMIT = 200;
const TARGET = 0.97;
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

/** The share of the nearest documents that are found; of documents that are equally near, any one counts. */
function recallOf(query: Float32Array, searcher: VectorSearcher, scores: Float64Array): number {
  const sorted = scores.toSorted().reverse();
  const near = sorted.findIndex((score) => score <= 0);
  const wanted = Math.min(LIMIT, near < 0 ? sorted.length : near);
  const worst = sorted[wanted - 1]!;
  const found = searcher.search(query).documents.filter((document) => scores[document]! >= worst);
  return Math.min(1, found.length / wanted);
}

function exactScores({ memory, dimensions, documents, vectors }: VectorMemory, query: Float32Array): Float64Array {
  const rows = new Int8Array(memory.buffer, vectors, documents * dimensions);
  const scores = new Float64Array(documents);
  for (let document = 0, at = 0; document < documents; document++) {
    let dot = 0;
    for (let d = 0; d < dimensions; d++, at++) dot += rows[at]! * query[d]!;
    scores[document] = dot;
  }
  return scores;
}

const { memory, space } = await openMeaning(data);
const vectors = await embed(chooseQueries(log, Number(count)), space.model);
const searcher = new VectorSearcher(memory, 0);
const recalls = vectors.map((vector) => recallOf(vector, searcher, exactScores(memory, vector)));
const recall = recalls.reduce((sum, share) => sum + share, 0) / recalls.length;
recalls.sort((a, b) => a - b);
const timing = timeCalls(vectors, 3, (vector) => void searcher.search(vector));

console.log(`${space.vectors} vectors of ${space.model}, ${vectors.length} queries, top ${LIMIT}`);
console.log(
  `recall@${LIMIT}   ${recall.toFixed(4)} on average, ${recalls[Math.floor(recalls.length / 10)]!.toFixed(3)} or less for a tenth of the queries, ${recalls[0]!.toFixed(3)} for the worst`,
);
console.log(`a search     p50 ${timing.p50.toFixed(2)} ms, p99 ${timing.p99.toFixed(2)} ms CPU`);
console.log(`${recall >= TARGET ? 'met   ' : 'MISSED'} recall@${LIMIT} at least ${TARGET}`);
