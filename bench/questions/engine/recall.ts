// With vectors from a real model, how many of the nearest are found, and how fast compared with faiss, hnswlib and usearch? (DATA-FOLDER QUERY-LOG)

/*
 *   npm run bench recall DATA-FOLDER QUERY-LOG [QUERIES]
 *
 * The data folder must contain a published build with vectors from the configured embedder. The same embedder embeds
 * the searches of the log, each once. The exact result is computed with the query in 32-bit floats and the documents in
 * 8 bits per dimension, as builds store them. Each library searches the same vectors with several settings, so that the
 * libraries can be compared at equal recall. Libraries that are not installed are skipped, and their names are printed
 * (support/peers.ts). Times are wall-clock times. The figures use the median time of each query over the rounds.
 */
import fs from 'node:fs';
import path from 'node:path';
import { normaliseQuery, type VectorMemory, VectorSearcher } from '@zoetrope/search';
import { createLog } from '../../../packages/server/src/base/log.ts';
import { loadBuild, readPublished } from '../../../packages/server/src/builds/index.ts';
import { loadConfig } from '../../../packages/server/src/config.ts';
import { createEmbedder } from '../../../packages/server/src/embed/index.ts';
import { temporaryFolder } from '../../../test/support/server.ts';
import { endWithUsage } from '../../support/data.ts';
import { percentileOf, wallMedians } from '../../support/measure.ts';
import { timeVectors } from '../../support/peers.ts';
import { readQueryLog } from '../../support/query-log.ts';

const LIMIT = 200;
const TARGET = 0.97;
const ROUNDS = 5;
const DEADLINE_MS = 10_000;

const [data, log, count = '300'] = process.argv.slice(2);
if (!data || !log) endWithUsage('recall DATA-FOLDER QUERY-LOG [QUERIES]', 'data', 'log');

/** Chooses different searches, spread over the whole log. */
function chooseQueries(file: string, wanted: number): string[] {
  const searches = readQueryLog(file).filter(({ op }) => op === 'search');
  const different = [...new Set(searches.map(({ q }) => normaliseQuery(q)))];
  const step = Math.max(1, different.length / wanted);
  return Array.from({ length: Math.min(wanted, different.length) }, (_, i) => different[Math.floor(i * step)]!);
}

async function openMeaning(data: string) {
  const builds = path.join(data, 'builds');
  const manifest = await readPublished(builds);
  const memory = manifest && (await loadBuild(builds, manifest, 1)).segments[0]!.spaces.meaning;
  if (!manifest || !memory || manifest.earlier.length > 0)
    throw new Error(`${data} has no build of one segment with vectors; run: zoetrope work, then zoetrope build`);
  return { memory, space: manifest.engine.spaces.meaning! };
}

/** Returns the vectors of the queries. Queries without a word that the model knows are left out. */
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

/** Returns the share of the nearest documents that are found. Among equally near documents, any one counts. */
function recallOf(found: Uint32Array, scores: Float64Array): number {
  const sorted = scores.toSorted().reverse();
  const near = sorted.findIndex((score) => score <= 0);
  const wanted = Math.min(LIMIT, near < 0 ? sorted.length : near);
  const worst = sorted[wanted - 1]!;
  return Math.min(1, found.filter((document) => scores[document]! >= worst).length / wanted);
}

/**
 * Reads the vectors in the form in which the build contains them, and computes their cosines with a query, in steps.
 */
class Exact {
  readonly dimensions: number;
  readonly #rows: Int8Array;
  readonly #documents: Uint32Array;
  readonly #count: number;

  constructor({ memory, dimensions, documents, vectors, parts }: VectorMemory) {
    this.dimensions = dimensions;
    this.#rows = new Int8Array(memory.buffer, parts.int8, vectors * dimensions);
    this.#documents = new Uint32Array(memory.buffer, parts.documents, vectors);
    this.#count = documents;
  }

  /** Returns the cosine of each document, or 0 if it has no vector. */
  scores(query: Float32Array): Float64Array {
    const scores = new Float64Array(this.#count);
    let at = 0;
    for (const document of this.#documents) {
      let dot = 0;
      for (let d = 0; d < this.dimensions; d++, at++) dot += this.#rows[at]! * query[d]!;
      scores[document] = dot;
    }
    return scores;
  }

  /** Returns the vectors, without gaps. */
  described(): Int8Array {
    return this.#rows;
  }

  /** Returns the documents of these vectors. Negative numbers are left out. */
  documents(rows: Int32Array): Uint32Array {
    return Uint32Array.from(
      rows.filter((row) => row >= 0),
      (row) => this.#documents[row]!,
    );
  }
}

interface Row {
  recalls: number[];
  medians: number[];
}

const meanOf = ({ recalls }: Row): number => recalls.reduce((sum, share) => sum + share, 0) / recalls.length;

function line(engine: string, row: Row): string {
  const cells = [
    meanOf(row).toFixed(4),
    percentileOf(row.recalls, 0.1).toFixed(3),
    percentileOf(row.medians, 0.5).toFixed(2),
    percentileOf(row.medians, 0.99).toFixed(2),
  ];
  return engine.padEnd(52) + cells.map((cell) => cell.padStart(12)).join('');
}

const { memory, space } = await openMeaning(data);
const queries = await embed(chooseQueries(log, Number(count)), space.model);
const exact = new Exact(memory);
const scores = queries.map((query) => exact.scores(query));
const recallsOf = (search: (i: number) => Uint32Array): number[] =>
  queries.map((_, i) => recallOf(search(i), scores[i]!));
const searcher = new VectorSearcher(memory, 0);
const search: Search = (query) => searcher.search(query).documents;
const ours: Row = { recalls: recallsOf((i) => search(queries[i]!)), medians: wallMedians(queries, ROUNDS, search) };

console.log(
  `${space.vectors} vectors of ${space.model} in ${space.lists} lists, ${queries.length} queries, top ${LIMIT}`,
);
console.log(''.padEnd(52) + ['recall', 'worst tenth', 'p50 ms', 'p99 ms'].map((cell) => cell.padStart(12)).join(''));
console.log(line('zoetrope', ours));
using folder = temporaryFolder();
const files = { vectors: path.join(folder.path, 'vectors.f32'), queries: path.join(folder.path, 'queries.f32') };
fs.writeFileSync(files.vectors, new Uint8Array(Float32Array.from(exact.described()).buffer));
fs.writeFileSync(files.queries, new Uint8Array(Float32Array.from(queries.flatMap((query) => [...query])).buffer));
const order = { ...files, dimensions: exact.dimensions, limit: LIMIT, rounds: ROUNDS, folder: folder.path };
const peers = timeVectors(order).map(({ engine, medians, found }) => {
  const row: Row = {
    recalls: recallsOf((i) => exact.documents(found.subarray(i * LIMIT, (i + 1) * LIMIT))),
    medians,
  };
  console.log(line(engine, row));
  return { engine, ...row };
});
console.log(`${meanOf(ours) >= TARGET ? 'met   ' : 'MISSED'} recall@${LIMIT} at least ${TARGET}`);
const p99 = (row: Row): number => percentileOf(row.medians, 0.99);
for (const library of new Set(peers.map(({ engine }) => engine.split(' ')[0]!))) {
  const equal = peers.filter((row) => row.engine.startsWith(library) && meanOf(row) >= meanOf(ours));
  const best = equal.sort((a, b) => p99(a) - p99(b))[0];
  if (best === undefined) console.log(`met    ahead of ${library}, which reaches our recall with no setting tried`);
  else {
    const ratio = p99(best) / p99(ours);
    console.log(
      `${ratio > 1 ? 'met   ' : 'MISSED'} p99 below ${best.engine}, at equal recall (${ratio.toFixed(1)} times)`,
    );
  }
}
