// How fast is text search compared with Lucene, tantivy and FTS5, for equal work on the same documents and queries?
// quick: --documents 3000

/*
 *   npm run bench peers [--documents 1000000]
 *
 * Equal work: the best 200 safe documents that have any word of the query, by BM25, exact, on one thread, from one
 * segment. Our engine also counts which words match and prefers documents with more matching words. It searches several
 * fields, and the other engines search one. "English alone" leaves out the table of other languages, because the other
 * engines have no such table.
 *
 * Times are wall-clock times. The figures use the median time of each query over the rounds, so that the compilers of
 * Java and V8 have no influence. If a peer is not installed, it is skipped, and its name is printed. support/peers.ts
 * explains how to install peers.
 */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Build, Languages, openBuild, Searcher, SegmentWriter } from '@zoetrope/search';
import Database from 'better-sqlite3';
import { loadLanguages } from '../../../packages/server/src/index/index.ts';
import { temporaryFolder } from '../../../test/support/server.ts';
import { buildOrder, corpusDocument, mixedQuery } from '../../support/corpus.ts';
import { ftsSearch, writeFts } from '../../support/fts.ts';
import { percentileOf, wallMedians } from '../../support/measure.ts';
import { timeWords } from '../../support/peers.ts';

const { values } = parseArgs({ options: { documents: { type: 'string', default: '1000000' } } });
const DOCUMENTS = Number(values.documents);
const LIMIT = 200;
const QUERIES = 400;
const ROUNDS = 9;
/** Number of queries for FTS5. It is small, because here FTS5 ranks every match, which takes long. */
const FTS_QUERIES = 80;
const FTS_ROUNDS = 3;

const queries = Array.from({ length: QUERIES }, (_, j) => mixedQuery(j));

interface Row {
  engine: string;
  medians: number[];
  megabytes?: number;
  seconds?: number;
}

function writeOurs(order: Uint32Array): { build: Build; megabytes: number; seconds: number } {
  const start = performance.now();
  const writer = new SegmentWriter();
  for (const i of order) writer.add({ ...corpusDocument(i), series: [], stored: new Uint8Array() });
  const { manifest, sections } = writer.finish();
  const seconds = (performance.now() - start) / 1000;
  const searched = manifest.sections.filter(({ name }) => /^(dictionary|postings|frequent)/.test(name));
  const megabytes = searched.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
  return { build: openBuild(manifest, sections), megabytes, seconds };
}

function timeOurs({ build, megabytes, seconds }: ReturnType<typeof writeOurs>): Row[] {
  const row = (engine: string, searcher: Searcher): Row => ({
    ...{ engine, megabytes, seconds },
    medians: wallMedians(queries, ROUNDS, (query) => searcher.search(query, { limit: LIMIT })),
  });
  return [
    row('zoetrope, as served', new Searcher(build, new Languages(loadLanguages()))),
    row('zoetrope, English alone', new Searcher(build)),
  ];
}

/** Writes the safe documents to a file, one per line, with the words of all fields. */
function writeDocuments(order: Uint32Array, safeDocuments: number, file: string): void {
  const out = fs.openSync(file, 'w');
  for (const i of order.subarray(0, safeDocuments)) {
    const { title, tags, characters, text } = corpusDocument(i);
    fs.writeSync(out, `${[title, ...tags, ...characters, text].join(' ')}\n`);
  }
  fs.closeSync(out);
}

function timeFts(order: Uint32Array, safeDocuments: number, file: string): Row {
  const start = performance.now();
  writeFts(order, file);
  const seconds = (performance.now() - start) / 1000;
  const db = new Database(file, { readonly: true });
  const search = ftsSearch(db, safeDocuments, { cap: -1, limit: LIMIT });
  const medians = wallMedians(queries.slice(0, FTS_QUERIES), FTS_ROUNDS, search);
  db.close();
  return { engine: 'SQLite FTS5, all matches', megabytes: fs.statSync(file).size / 1e6, seconds, medians };
}

function line({ engine, medians, megabytes, seconds }: Row, first: Row): string {
  const p99 = percentileOf(medians, 0.99);
  const cells = [
    percentileOf(medians, 0.5).toFixed(3),
    p99.toFixed(3),
    `${(p99 / percentileOf(first.medians, 0.99)).toFixed(1)}x`,
    megabytes?.toFixed(0) ?? '',
    seconds?.toFixed(0) ?? '',
  ];
  return engine.padEnd(26) + cells.map((cell) => cell.padStart(11)).join('');
}

using folder = temporaryFolder();
const order = buildOrder(DOCUMENTS);
const written = writeOurs(order);
const ours = timeOurs(written);
const documents = path.join(folder.path, 'documents.txt');
const asked = path.join(folder.path, 'queries.txt');
writeDocuments(order, written.build.safeDocuments, documents);
fs.writeFileSync(asked, queries.join('\n'));
const peers = timeWords({ documents, queries: asked, limit: LIMIT, rounds: ROUNDS, folder: folder.path });
const fts = timeFts(order, written.build.safeDocuments, path.join(folder.path, 'fts.db'));
const others: Row[] = [...peers.map(({ bytes, ...peer }) => ({ ...peer, megabytes: bytes / 1e6 })), fts];

console.log(`${DOCUMENTS} documents, ${QUERIES} mixed queries, top ${LIMIT}`);
console.log(
  ''.padEnd(26) + ['p50 ms', 'p99 ms', 'p99 ratio', 'index MB', 'written s'].map((cell) => cell.padStart(11)).join(''),
);
for (const row of [...ours, ...others]) console.log(line(row, ours[0]!));
for (const row of others) {
  const ratio = percentileOf(row.medians, 0.99) / percentileOf(ours[0]!.medians, 0.99);
  console.log(`${ratio > 1 ? 'met   ' : 'MISSED'} ahead of ${row.engine} as served (${ratio.toFixed(1)} times)`);
}
