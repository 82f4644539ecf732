// How fast is a whole hybrid search (text and vectors), and how much disk and memory does a million GIFs take?
// quick: --documents 2000

/*
 *   npm run bench hybrid [--documents 1000000] [--dimensions 384]
 *
 * The documents are synthetic. A document's words and vector come from the same topic (corpus.ts, clusters.ts). The
 * documents are published as a build, which is opened as in a serving thread. The searches are those of the service,
 * but without embedding the query and without HTTP. Times are the process's CPU time per call. The baseline takes its
 * text results from FTS5 (the first 3000 matches, fts.ts) and blends the two lists by rank.
 *
 * Then the real service serves the build on two threads and gets requests over HTTP. The memory of all its processes is
 * added up. With 512 dimensions it uses the bundled model. With any other number, a server in this process replaces the
 * model, so that the sum does not include the model's memory.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Languages, offensiveWords, quantise, SegmentWriter } from '@zoetrope/search';
import Database from 'better-sqlite3';
import { loadBuild, type PublishedManifest } from '../../../packages/server/src/builds/index.ts';
import { manifestOf, publishSegment } from '../../../packages/server/src/builds/publish.ts';
import { encodeStored } from '../../../packages/server/src/builds/stored-gif.ts';
import { BUNDLED } from '../../../packages/server/src/embed/child/bundled-model.ts';
import { EmbeddingServer } from '../../../packages/server/src/embed/testing/embedding-server.ts';
import { loadLanguages, openBuildSearch, type Search } from '../../../packages/server/src/index/index.ts';
import { revision } from '../../../packages/server/src/records/index.ts';
import { openStore } from '../../../packages/server/src/service/store.ts';
import { setVectorsComplete } from '../../../packages/server/src/vectors/index.ts';
import { LOOKS_MODEL } from '../../../packages/server/src/work/describe.ts';
import { startServer, temporaryFolder } from '../../../test/support/server.ts';
import { makeClusters } from '../../support/clusters.ts';
import {
  buildOrder,
  type CorpusDocument,
  corpusDocument,
  mixedQuery,
  mixedQueryTopic,
  random,
} from '../../support/corpus.ts';
import { ftsSearch, writeFts } from '../../support/fts.ts';
import { cpuStep, type Timing, timeCalls } from '../../support/measure.ts';
import { memoryOf, type ProcessMemory } from '../../support/memory.ts';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '1000000' },
    dimensions: { type: 'string', default: '384' },
  },
});
const DOCUMENTS = Number(values.documents);
const DIMENSIONS = Number(values.dimensions);
const BUNDLED_RUNS = DIMENSIONS === BUNDLED.dimensions;
const MODEL = BUNDLED_RUNS ? BUNDLED.id : `http:bench/${DIMENSIONS}`;
const LIMIT = 200;
const CAP = 3000;
const QUERIES = 400;
const ROUNDS = 3;
/** Number of queries for the exact scan. It is small, because an exact scan in plain loops takes seconds. */
const EXACT_QUERIES = 5;
const REQUESTS = 2_000;
const THREADS = 2;
const TARGETS = { p99: 7, megabytes: 900 };

interface Query {
  words: string;
  vector: Float32Array;
}

interface Row extends Timing {
  engine: string;
}

const clusters = makeClusters(DIMENSIONS);

const queries: Query[] = Array.from({ length: QUERIES }, (_, j) => ({
  words: mixedQuery(j),
  vector: clusters.vectorOf(mixedQueryTopic(j), random(4_100_000_000 + j)),
}));

/** Returns the stored fields of one of the operator's own GIFs. The placeholder image in them has the usual length. */
function storedOf({ id, title, tags, ...document }: CorpusDocument): Uint8Array {
  return encodeStored({
    ...{ id, title, tags, adult: document.adult, popularity: document.popularity },
    ...{
      sha256: id.slice(0, 64),
      verified: 'file',
      url: null,
      format: 'gif',
      width: 480,
      height: 270,
      frames: 40,
      durationMs: 2_400,
    },
    ...{ bytes: 1_234_567, characters: [], series: [], text: '', alt: '', lang: 'en', source: 'bench', fallback: [] },
    ...{ lqip: 'x'.repeat(28), toldBy: 'bench' },
  });
}

/** The policy of all services in tests and benchmarks, which follows from their settings. */
const POLICY = { heldBack: 'relays', links: { http: 'show', probe: 'off' }, words: offensiveWords() };

/** Publishes the build in the data folder as the current build, so that the service has no open work. */
async function publish(data: string, order: Uint32Array): Promise<PublishedManifest> {
  const writer = new SegmentWriter({ meaning: { model: MODEL, dimensions: DIMENSIONS } });
  for (const i of order) {
    const document = corpusDocument(i);
    const vector = clusters.vectorOf(document.topic, random(4_000_000_000 + i));
    writer.add({ ...document, series: [], stored: storedOf(document), vectors: { meaning: quantise(vector) } });
  }
  const { db, builds } = await openStore(data);
  const now = await revision(db);
  await setVectorsComplete(db, 'meaning', MODEL, now);
  await setVectorsComplete(db, 'looks', LOOKS_MODEL, now);
  const output = writer.finish();
  const gifs = output.manifest.safeDocuments;
  const manifest = manifestOf(output, { revision: now, policy: JSON.stringify(POLICY), earlier: [], gifs });
  await publishSegment(builds, manifest, output);
  await db.destroy();
  return manifest;
}

async function benchOurs(
  data: string,
  manifest: PublishedManifest,
): Promise<{ rows: Row[]; index: Search; vectors: Int8Array }> {
  const shared = await loadBuild(path.join(data, 'builds'), manifest, 1);
  const index = openBuildSearch(shared, {
    ...{ thread: 0, languages: new Languages(loadLanguages()), embedder: MODEL },
    typing: { completion: true, correction: true },
  });
  const row = async (engine: string, search: (query: Query) => unknown): Promise<Row> => ({
    engine,
    ...(await timeCalls(queries, ROUNDS, search)),
  });
  const { memory, parts, vectors } = shared.segments[0]!.spaces.meaning!;
  return {
    rows: [
      await row('zoetrope', async ({ words, vector }) => (await index.begin(words, LIMIT)).endWithMeaning(vector)),
      await row('  words alone', async ({ words }) => (await index.begin(words, LIMIT)).endWithWords()),
      await row('  meaning alone', ({ vector }) => index.searchMeaning(vector, LIMIT)),
    ],
    index,
    vectors: new Int8Array(memory.buffer, parts.int8, vectors * DIMENSIONS),
  };
}

interface Legs {
  index: Search;
  vectors: Int8Array;
  safeDocuments: number;
}

async function benchFts(folder: string, order: Uint32Array, { index, vectors, safeDocuments }: Legs): Promise<Row[]> {
  const file = path.join(folder, 'fts.db');
  writeFts(order, file);
  const db = new Database(file, { readonly: true });
  const words = ftsSearch(db, safeDocuments, { cap: CAP, limit: LIMIT });
  const scan = async (query: Query): Promise<number[]> =>
    blend(words(query.words), (await index.searchMeaning(query.vector, LIMIT)).documents);
  const exact = (query: Query): number[] => blend(words(query.words), nearest(vectors, query.vector));
  const rows = [
    { engine: `FTS5, first ${CAP}`, ...(await timeCalls(queries, 1, (query) => words(query.words))) },
    { engine: '  and our scan', ...(await timeCalls(queries, 1, scan)) },
    {
      engine: '  and all dots',
      ...(await timeCalls(queries.slice(0, EXACT_QUERIES), 1, exact)),
    },
  ];
  db.close();
  return rows;
}

/** Blends by reciprocal ranks, as is usual when two engines' scores cannot be compared. */
function blend(rowids: readonly number[], documents: Uint32Array): number[] {
  const scores = new Map<number, number>();
  for (const list of [rowids.map((rowid) => rowid - 1), [...documents]]) {
    for (const [rank, document] of list.entries())
      scores.set(document, (scores.get(document) ?? 0) + 1 / (60 + rank + 1));
  }
  const best = [...scores].sort((a, b) => b[1] - a[1]);
  return best.slice(0, LIMIT).map(([document]) => document);
}

/**
 * Returns the exact result, computed in plain loops over the int8 vectors. It returns rows and not documents, because
 * only its duration is measured.
 */
function nearest(vectors: Int8Array, query: Float32Array): Uint32Array {
  const scores = new Float32Array(vectors.length / DIMENSIONS);
  for (let document = 0, at = 0; document < scores.length; document++) {
    let dot = 0;
    for (let d = 0; d < DIMENSIONS; d++, at++) dot += vectors[at]! * query[d]!;
    scores[document] = dot;
  }
  const worst = scores.toSorted()[Math.max(0, scores.length - LIMIT)]!;
  return Uint32Array.from(scores.keys().filter((document) => scores[document]! >= worst));
}

interface Memory {
  after: string;
  processes: ProcessMemory[];
}

/** @throws if too few responses used semantic search, because then most searches have not read the vectors */
async function measureMemory(data: string): Promise<Memory[]> {
  await using model = await EmbeddingServer.start();
  model.answer = ({ texts }, response) => {
    const data = texts.map((text, index) => ({ index, embedding: [...queries[text.length % QUERIES]!.vector] }));
    response.end(JSON.stringify({ data }));
  };
  await using server = await startServer(data, {
    ZOETROPE_THREADS: String(THREADS),
    ZOETROPE_STARTER: 'off',
    ...(BUNDLED_RUNS ? {} : httpEmbedder(model.url)),
  });
  const measure = (after: string): Memory => ({ after, processes: memoryOf(server.process.pid!) });
  await waitForMeaning(server.url);
  const measured = [measure('the start')];
  let semantic = 0;
  for (let n = 0; n < REQUESTS; n += 8) {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => ask(server.url, `${mixedQuery(1_000 + n + at)} more`)),
    );
    semantic += answers.filter(Boolean).length;
  }
  if (semantic < REQUESTS / 2) throw new Error(`only ${semantic} of ${REQUESTS} responses used semantic search`);
  return [...measured, measure(`${REQUESTS} searches`)];
}

/**
 * Waits until the embedder has loaded and responses use semantic search. Each try is a new query, because responses are
 * cached.
 */
async function waitForMeaning(url: string): Promise<void> {
  for (let n = 0; !(await ask(url, `happy dance ${n}`)); n++) {
    if (n === 100) throw new Error('the embedder did not start');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function httpEmbedder(url: string): Record<string, string> {
  return {
    ZOETROPE_EMBEDDER: 'http',
    ZOETROPE_EMBEDDER_URL: url,
    ZOETROPE_EMBEDDER_MODEL: 'bench',
    ZOETROPE_EMBEDDER_DIMENSIONS: String(DIMENSIONS),
  };
}

/** @returns whether semantic search was used */
async function ask(url: string, query: string): Promise<boolean> {
  const response = await fetch(`${url}/api/v1/search?q=${encodeURIComponent(query)}`, {
    headers: { origin: 'http://localhost' },
  });
  const body = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${body}`);
  return body.includes('"semantic":true');
}

function printTable(rows: Row[]): void {
  const first = rows[0]!;
  console.log(
    `${''.padEnd(20)}${['p50 ms', 'p99 ms', 'p99 ratio', 'calls'].map((cell) => cell.padStart(11)).join('')}`,
  );
  for (const { engine, p50, p99, calls } of rows) {
    const cells = [p50.toFixed(2), p99.toFixed(2), `${(p99 / first.p99).toFixed(1)}x`, calls];
    console.log(engine.padEnd(20) + cells.map((cell) => String(cell).padStart(11)).join(''));
  }
}

function printSections({ engine }: PublishedManifest): void {
  const parts = new Map<string, number>();
  for (const { name, bytes } of engine.sections) {
    const part = name.startsWith('meaning-') ? name : /^[a-z]+/.exec(name)![0];
    parts.set(part, (parts.get(part) ?? 0) + bytes);
  }
  console.log('bytes a document on disk');
  for (const [part, bytes] of [...parts, ['all', parts.values().reduce((sum, bytes) => sum + bytes, 0)] as const]) {
    console.log(part.padEnd(20) + (bytes / engine.documents).toFixed(1).padStart(11));
  }
}

function printMemory(measured: Memory[]): number {
  const total = ({ processes }: Memory, kind: 'pss' | 'rss'): number =>
    processes.reduce((sum, process) => sum + process[kind], 0);
  for (const memory of measured) {
    const each = memory.processes.map(({ name, pss, rss }) => `${name} ${pss.toFixed(0)} (RSS ${rss.toFixed(0)})`);
    console.log(
      `memory after ${memory.after}, MB: ${total(memory, 'pss').toFixed(0)} (RSS ${total(memory, 'rss').toFixed(0)}): ${each.join(', ')}`,
    );
  }
  return Math.max(...measured.map((memory) => total(memory, 'pss')));
}

using folder = temporaryFolder();
const data = path.join(folder.path, 'data');
const order = buildOrder(DOCUMENTS);
const start = performance.now();
const manifest = await publish(data, order);
const building = (performance.now() - start) / 1000;
const ours = await benchOurs(data, manifest);
const { safeDocuments } = manifest.engine;
const rows = [...ours.rows, ...(await benchFts(folder.path, order, { ...ours, safeDocuments }))];

console.log(`${DOCUMENTS} documents, vectors of ${DIMENSIONS} dimensions, top ${LIMIT}, ${QUERIES} mixed queries`);
console.log(`made and published in ${building.toFixed(0)} s; step of the clock ${cpuStep().toFixed(3)} ms`);
console.log();
printTable(rows);
console.log();
printSections(manifest);
console.log();
const megabytes = printMemory(await measureMemory(data));
console.log();
console.log(`${rows[0]!.p99 <= TARGETS.p99 ? 'met   ' : 'MISSED'} p99 at most ${TARGETS.p99} ms`);
console.log(
  `${megabytes <= TARGETS.megabytes ? 'met   ' : 'MISSED'} memory of all processes at most ${TARGETS.megabytes} MB, shared pages counted once`,
);
