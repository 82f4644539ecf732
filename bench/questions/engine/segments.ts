// What do deltas cost a search, and what does it cost to write one?
// quick: --documents 3000

/*
 *   npm run bench segments [--documents 1000000]
 *
 * The documents of `npm run bench growth` are searched in one segment, and in a base with four deltas that together
 * have a tenth of the documents. Four is the maximum number of deltas of a build, which is reached shortly before a new
 * base is made. Times are CPU milliseconds. The figures use the median time of each query.
 */
import { parseArgs } from 'node:util';
import { Earlier, Languages, quantise, type SegmentOutput, SegmentWriter } from '@zoetrope/search';
import type { SharedBuild } from '../../../packages/server/src/builds/index.ts';
import { shareBuild } from '../../../packages/server/src/builds/load.ts';
import { loadLanguages, openBuildSearch, type Search } from '../../../packages/server/src/index/index.ts';
import { makeClusters } from '../../support/clusters.ts';
import { buildOrder, corpusDocument, mixedQuery, mixedQueryTopic, random } from '../../support/corpus.ts';
import { timeMedians, timeOnce } from '../../support/measure.ts';

const { values } = parseArgs({ options: { documents: { type: 'string', default: '1000000' } } });
const DOCUMENTS = Number(values.documents);
const DIMENSIONS = 384;
const MODEL = `bench/${DIMENSIONS}`;
const LIMIT = 200;
const QUERIES = 400;
const ROUNDS = 5;
/**
 * The size of each delta in thousandths of the documents. Each delta has a quarter of the previous delta's documents.
 */
const DELTAS = [75, 19, 5, 1];
const STORED = new Uint8Array(150);

const clusters = makeClusters(DIMENSIONS);
const languages = new Languages(loadLanguages());
const queries = Array.from({ length: QUERIES }, (_, j) => ({
  words: mixedQuery(j),
  vector: clusters.vectorOf(mixedQueryTopic(j), random(4_100_000_000 + j)),
}));

/** Returns the segment of a document: 0 for the base. */
function segmentOf(i: number): number {
  let place = Math.floor(1_000 * random(i)());
  for (const [delta, share] of DELTAS.entries()) {
    if (place < share) return delta + 1;
    place -= share;
  }
  return 0;
}

interface Written {
  index: Search;
  /** Seconds for each segment. */
  seconds: number[];
}

function write(parts: readonly (readonly number[])[]): Written {
  const written: SegmentOutput[] = [];
  const seconds = parts.map((part) => {
    const { seconds, result } = timeOnce(() => {
      const earlier = written.length === 0 ? undefined : new Earlier(written as [SegmentOutput]);
      const writer = new SegmentWriter({ meaning: { model: MODEL, dimensions: DIMENSIONS } }, earlier);
      for (const i of part) {
        const document = corpusDocument(i);
        const meaning = quantise(clusters.vectorOf(document.topic, random(4_000_000_000 + i)));
        writer.add({ ...document, series: [], stored: STORED, vectors: { meaning } });
      }
      return writer.finish();
    });
    written.push(result);
    return seconds;
  });
  const typing = { completion: true, correction: true };
  const index = openBuildSearch(share(written), { thread: 0, languages, embedder: MODEL, typing });
  return { index, seconds };
}

function share(written: readonly SegmentOutput[]): SharedBuild {
  const [last, ...others] = written.map((_, i) => `b${i}`).reverse();
  const engine = written.at(-1)!.manifest;
  const manifest = { build: last!, earlier: others.reverse(), engine, gifs: DOCUMENTS, revision: 0, policy: '' };
  return shareBuild(manifest, written, 1);
}

async function measure({ index }: Written) {
  const time = (search: (query: (typeof queries)[number]) => unknown) => timeMedians(queries, ROUNDS, search);
  return {
    words: await time(async ({ words }) => (await index.begin(words, LIMIT)).endWithWords()),
    meaning: await time(({ vector }) => index.searchMeaning(vector, LIMIT)),
    both: await time(async ({ words, vector }) => (await index.begin(words, LIMIT)).endWithMeaning(vector)),
  };
}

const order = Array.from(buildOrder(DOCUMENTS));
const parts = [0, ...DELTAS.map((_, delta) => delta + 1)].map((segment) =>
  order.filter((i) => segmentOf(i) === segment),
);
const rows = [
  ['one segment', write([order])],
  ['base and four deltas', write(parts)],
] as const;
console.log(`${DOCUMENTS.toLocaleString('en')} documents`);
console.log('                        words p50     p99   meaning p50     p99   both p50     p99');
for (const [name, written] of rows) {
  const { words, meaning, both } = await measure(written);
  const cells = [words.p50, words.p99, meaning.p50, meaning.p99, both.p50, both.p99];
  console.log(name.padEnd(22) + cells.map((ms) => ms.toFixed(3).padStart(11)).join(''));
}
console.log('\nCPU seconds to write each segment, with making up its documents and vectors');
for (const [i, part] of parts.entries()) {
  console.log(
    `${part.length.toLocaleString('en').padStart(11)} documents ${rows[1][1].seconds[i]!.toFixed(2).padStart(8)}`,
  );
}
