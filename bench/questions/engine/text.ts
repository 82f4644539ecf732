// How fast is text search as the service runs it, compared with SQLite FTS5 on the same documents and queries?
// quick: --documents 3000

/*
 *   npm run bench text [--documents 1000000] [--json]
 *
 * Times are the process's CPU time per call. The service's searcher looks up each word in the table of other languages.
 * A separate row is for the same searcher without that table. CPU time includes the threads on which V8 compiles and
 * collects garbage, so two further rows use the median time of each query. FTS5 (fts.ts) takes the first 3000 matches
 * in order of popularity ("capped"). Its table is a file with SQLite's usual settings, like in a service, and is
 * completely in the system's page cache. A separate row is for the same table in memory. "full" ranks every match, like
 * our engine. It has fewer queries, because ranking every match takes long.
 */
import { parseArgs } from 'node:util';
import { Languages, openBuild, Searcher, type SegmentOutput, SegmentWriter, verifySegment } from '@zoetrope/search';
import Database from 'better-sqlite3';
import { loadLanguages } from '../../../packages/server/src/index/index.ts';
import { temporaryFolder } from '../../../test/support/server.ts';
import { buildOrder, corpusDocument, headQuery, mixedQuery } from '../../support/corpus.ts';
import { ftsSearch, writeFts } from '../../support/fts.ts';
import { cpuStep, type Timing, timeCalls, timeMedians, timeOnce } from '../../support/measure.ts';

const { values } = parseArgs({
  options: { documents: { type: 'string', default: '1000000' }, json: { type: 'boolean', default: false } },
});
const DOCUMENTS = Number(values.documents);
const LIMIT = 200;
const CAP = 3000;
const ROUNDS = 3;
const MEDIAN_ROUNDS = 9;
/**
 * Design targets: p99 in milliseconds, speed-up over capped FTS5, and size in megabytes without ids, popularity and
 * stored fields.
 */
const TARGETS = { p99: 1.5, ratio: 8, megabytes: 120 };

const mixed = Array.from({ length: 400 }, (_, j) => mixedQuery(j));
const head = Array.from({ length: 80 }, (_, j) => headQuery(j));

interface Row {
  engine: string;
  mixed: Timing;
  head: Timing;
}

/** Writes a build. `stored` is a placeholder for the fields of a response. Its size does not affect the search. */
function writeBuild(order: Uint32Array): SegmentOutput {
  const writer = new SegmentWriter();
  const stored = new Uint8Array(100);
  for (const i of order) writer.add({ ...corpusDocument(i), series: [], stored });
  return writer.finish();
}

function megabytes(bytes: number): number {
  return bytes / 1e6;
}

async function benchOurs(
  order: Uint32Array,
): Promise<{ rows: Row[]; facts: Record<string, number>; safeDocuments: number }> {
  const { seconds, result: output } = timeOnce(() => writeBuild(order));
  const { manifest, sections } = output;
  const verify = timeOnce(() => verifySegment(manifest, sections));
  const opened = timeOnce(() => openBuild(manifest, sections));
  const row = async (engine: string, searcher: Searcher, time: typeof timeCalls, rounds: number): Promise<Row> => {
    const search = (query: string) => searcher.search(query, { limit: LIMIT });
    return { engine, mixed: await time(mixed, rounds, search), head: await time(head, rounds, search) };
  };
  const served = new Searcher(opened.result, new Languages(loadLanguages()));
  const english = new Searcher(opened.result);
  const rows = [
    await row('zoetrope, served', served, timeCalls, ROUNDS),
    await row('  English alone', english, timeCalls, ROUNDS),
    await row('  served, medians', served, timeMedians, MEDIAN_ROUNDS),
    await row('  English, medians', english, timeMedians, MEDIAN_ROUNDS),
  ];
  const bytesOf = (matches: (name: string) => boolean): number =>
    manifest.sections.filter(({ name }) => matches(name)).reduce((sum, { bytes }) => sum + bytes, 0);
  const isText = (name: string): boolean => !/^(ids|stored)-|^popularity$/.test(name);
  return {
    rows,
    facts: {
      documents: manifest.documents,
      terms: manifest.terms,
      postings: manifest.postings,
      'text index, MB': megabytes(bytesOf(isText)),
      'ids, MB': megabytes(bytesOf((name) => name.startsWith('ids-'))),
      'popularity, MB': megabytes(bytesOf((name) => name === 'popularity')),
      'build, s': seconds,
      'open, ms': opened.seconds * 1000,
      'verify, ms': verify.seconds * 1000,
      'RSS after the searches, MB': megabytes(process.memoryUsage.rss()),
      'highest RSS so far, MB': megabytes(process.resourceUsage().maxRSS * 1024),
    },
    safeDocuments: manifest.safeDocuments,
  };
}

async function benchFts(
  order: Uint32Array,
  safeDocuments: number,
): Promise<{ rows: Row[]; facts: Record<string, number> }> {
  using folder = temporaryFolder();
  const file = `${folder.path}/fts.db`;
  const { seconds } = timeOnce(() => writeFts(order, file));
  const db = new Database(file, { readonly: true });
  const inMemory = new Database(db.serialize());
  const row = async (engine: string, cap: number, share: number, db: Database.Database): Promise<Row> => {
    const search = ftsSearch(db, safeDocuments, { cap, limit: LIMIT });
    const few = (queries: string[]): string[] => queries.slice(0, queries.length * share);
    return { engine, mixed: await timeCalls(few(mixed), 1, search), head: await timeCalls(few(head), 1, search) };
  };
  const rows = [
    await row(`FTS5, first ${CAP}`, CAP, 1, db),
    await row('same, in memory', CAP, 1, inMemory),
    await row('FTS5, full', -1, 0.1, db),
  ];
  const size = db.prepare('SELECT page_count * page_size FROM pragma_page_count, pragma_page_size').pluck().get();
  db.close();
  inMemory.close();
  return { rows, facts: { 'FTS5 index, MB': megabytes(Number(size)), 'FTS5 build, s': seconds } };
}

function table(rows: Row[]): string {
  const first = rows[0]!;
  const cells = (timing: Timing, base: Timing): string =>
    [timing.p50.toFixed(3), timing.p99.toFixed(3), `${(timing.p99 / base.p99).toFixed(1)}x`, timing.calls]
      .map((cell) => String(cell).padStart(9))
      .join('');
  const heading = ['p50 ms', 'p99 ms', 'p99 ratio', 'calls'].map((cell) => cell.padStart(9)).join('');
  return [
    `${''.padEnd(20)}${'mixed queries'.padStart(36)}${'head queries'.padStart(36)}`,
    `${''.padEnd(20)}${heading}${heading}`,
    ...rows.map((row) => row.engine.padEnd(20) + cells(row.mixed, first.mixed) + cells(row.head, first.head)),
  ].join('\n');
}

const step = cpuStep();
const order = buildOrder(DOCUMENTS);
const ours = await benchOurs(order);
const fts = await benchFts(order, ours.safeDocuments);
const rows = [...ours.rows, ...fts.rows];
const [served] = ours.rows as [Row, ...Row[]];
const facts = { ...ours.facts, ...fts.facts, 'step of the CPU clock, ms': step };
const ratio = fts.rows[0]!.mixed.p99 / served.mixed.p99;
const targets = [
  { name: `mixed p99 at most ${TARGETS.p99} ms`, met: served.mixed.p99 <= TARGETS.p99 },
  { name: `mixed p99 at least ${TARGETS.ratio} times faster than capped FTS5`, met: ratio >= TARGETS.ratio },
  { name: `text index at most ${TARGETS.megabytes} MB`, met: ours.facts['text index, MB']! <= TARGETS.megabytes },
];

if (values.json) console.log(JSON.stringify({ rows, facts, targets, ratio }, null, 2));
else {
  console.log(table(rows));
  console.log();
  for (const [name, value] of Object.entries(facts)) {
    console.log(`${name.padEnd(30)}${value.toLocaleString('en', { maximumFractionDigits: 3 }).padStart(14)}`);
  }
  console.log();
  for (const { name, met } of targets) console.log(`${met ? 'met   ' : 'MISSED'} ${name}`);
}
