// How do search, build and memory grow with the catalogue?
// quick: --sizes 2000,4000

/*
 *   npm run bench growth [--sizes 100000,300000,1000000]
 *
 * For each size, the documents and vectors of `npm run bench hybrid` (384 dimensions) become a build in memory, which
 * is searched as in a serving thread. Times are CPU milliseconds. The figures use the median time of each query, so
 * that the time of V8's compiler has no influence. An exponent of 1 means that twice as many documents take twice as
 * long, and 0.5 that they take 1.4 times as long. The exponent is the slope of a straight line through the logarithms.
 */
import { parseArgs } from 'node:util';
import { Languages, quantise, SegmentWriter } from '@zoetrope/search';
import { shareBuild } from '../../../packages/server/src/builds/load.ts';
import { loadLanguages, openBuildSearch, type Search } from '../../../packages/server/src/index/index.ts';
import { makeClusters } from '../../support/clusters.ts';
import { buildOrder, corpusDocument, mixedQuery, mixedQueryTopic, random } from '../../support/corpus.ts';
import { timeMedians, timeOnce } from '../../support/measure.ts';

const { values } = parseArgs({ options: { sizes: { type: 'string', default: '100000,300000,1000000' } } });
const SIZES = values.sizes.split(',').map(Number);
const DIMENSIONS = 384;
const MODEL = `bench/${DIMENSIONS}`;
const LIMIT = 200;
const QUERIES = 400;
const ROUNDS = 5;
const TARGET = 0.6;
/** A placeholder for the fields that a response shows. They are not searched. */
const STORED = new Uint8Array(150);

const clusters = makeClusters(DIMENSIONS);
const languages = new Languages(loadLanguages());
const queries = Array.from({ length: QUERIES }, (_, j) => ({
  words: mixedQuery(j),
  vector: clusters.vectorOf(mixedQueryTopic(j), random(4_100_000_000 + j)),
}));

interface Row {
  documents: number;
  words: number;
  meaning: number;
  both: number;
  build: number;
  megabytes: number;
}

function makeIndex(size: number): Pick<Row, 'build' | 'megabytes'> & { index: Search } {
  const writer = new SegmentWriter({ meaning: { model: MODEL, dimensions: DIMENSIONS } });
  let seconds = 0;
  for (const i of buildOrder(size)) {
    const document = corpusDocument(i);
    const meaning = quantise(clusters.vectorOf(document.topic, random(4_000_000_000 + i)));
    seconds += timeOnce(() => writer.add({ ...document, series: [], stored: STORED, vectors: { meaning } })).seconds;
  }
  const { seconds: ending, result } = timeOnce(() => writer.finish());
  const { manifest } = result;
  const megabytes = manifest.sections.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
  const shared = shareBuild(
    { build: 'growth', earlier: [], engine: manifest, gifs: manifest.safeDocuments, revision: 0, policy: '' },
    [result],
    1,
  );
  const typing = { completion: true, correction: true };
  const index = openBuildSearch(shared, { thread: 0, languages, embedder: MODEL, typing });
  return { index, build: seconds + ending, megabytes };
}

async function measure(size: number): Promise<Row> {
  const { index, build, megabytes } = makeIndex(size);
  const p99 = async (search: (query: (typeof queries)[number]) => unknown): Promise<number> =>
    (await timeMedians(queries, ROUNDS, search)).p99;
  return {
    documents: size,
    words: await p99(async ({ words }) => (await index.begin(words, LIMIT)).endWithWords()),
    meaning: await p99(({ vector }) => index.searchMeaning(vector, LIMIT)),
    both: await p99(async ({ words, vector }) => (await index.begin(words, LIMIT)).endWithMeaning(vector)),
    build,
    megabytes,
  };
}

/** Returns the slope of the line of least squares through the logarithms. */
function exponentOf(rows: readonly Row[], of: (row: Row) => number): number {
  const points = rows.map((row) => [Math.log(row.documents), Math.log(of(row))] as const);
  const mean = (numbers: readonly number[]) => numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
  const [x, y] = [mean(points.map(([first]) => first)), mean(points.map(([, second]) => second))];
  const along = points.reduce((sum, [first, second]) => sum + (first - x) * (second - y), 0);
  return along / points.reduce((sum, [first]) => sum + (first - x) ** 2, 0);
}

const COLUMNS = ['words', 'meaning', 'both', 'build', 'megabytes'] as const;
const HEADINGS = ['words p99 ms', 'meaning p99 ms', 'both p99 ms', 'build CPU s', 'MB'];
const print = (name: string, cells: readonly string[]): void =>
  console.log(name.padStart(12) + cells.map((cell) => cell.padStart(16)).join(''));

print('documents', HEADINGS);
const rows: Row[] = [];
for (const size of SIZES) {
  const row = await measure(size);
  rows.push(row);
  print(
    size.toLocaleString('en'),
    COLUMNS.map((column) => row[column].toFixed(column === 'megabytes' ? 0 : 2)),
  );
}
const exponents = COLUMNS.map((column) => exponentOf(rows, (row) => row[column]));
print(
  'exponent',
  exponents.map((exponent) => exponent.toFixed(2)),
);
for (const [i, column] of (['words', 'meaning'] as const).entries()) {
  console.log(`${exponents[i]! <= TARGET ? 'met   ' : 'MISSED'} exponent of ${column} at most ${TARGET}`);
}
