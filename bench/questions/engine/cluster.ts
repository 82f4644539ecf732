// How much slower is a search in an OpenSearch cluster than in memory, and how much disk space and heap does it need?
// quick: --documents 400

/*
 *   npm run bench cluster [--documents 100000] [--dimensions 384] [--queries 400]
 *
 * The synthetic documents of `hybrid` are recorded in a catalogue. The catalogue is indexed twice: as a build in
 * memory, and in a cluster of three nodes on this computer (3 shards with one copy each, 1 GB of heap a node). Both
 * engines get the same queries in turn, one at a time. Queries are not embedded, and our own HTTP server is not used.
 * Times are wall-clock times, because the cluster works in other processes. `same` is the share of the first 24 GIFs
 * that both engines found. The heap of a node is measured after a garbage collection, before the catalogue is indexed
 * and after the last search.
 */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Languages, quantise } from '@zoetrope/search';
import { makeBuildInMemory, type VectorSources } from '../../../packages/server/src/builds/index.ts';
import { recordGifs } from '../../../packages/server/src/catalog/index.ts';
import { loadState, openClusterSearch, rebuildIndex } from '../../../packages/server/src/cluster/index.ts';
import {
  loadLanguages,
  openBuildSearch,
  type Ranked,
  type Search,
  type Soon,
} from '../../../packages/server/src/index/index.ts';
import { ClusterClient } from '../../../packages/server/src/platform/opensearch/index.ts';
import { startOpenSearch } from '../../../packages/server/src/platform/opensearch/testing/cluster.ts';
import type { GifRecord } from '../../../packages/server/src/records/index.ts';
import { openStore } from '../../../packages/server/src/service/store.ts';
import { parts } from '../../../test/support/parts.ts';
import { temporaryFolder } from '../../../test/support/server.ts';
import { makeClusters } from '../../support/clusters.ts';
import { type CorpusDocument, corpusDocument, mixedQuery, mixedQueryTopic, random } from '../../support/corpus.ts';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '100000' },
    dimensions: { type: 'string', default: '384' },
    queries: { type: 'string', default: '400' },
  },
});
const DOCUMENTS = Number(values.documents);
const DIMENSIONS = Number(values.dimensions);
const QUERIES = Number(values.queries);
const BATCH = 1_000;
const LIMIT = 200;
const PAGE = 24;
const MODEL = 'bench';
const LAYOUT = { prefix: 'bench', shards: 3, replicas: 1 };
const POLICY = { heldBack: 'relays', links: { http: 'show', probe: 'off' } } as const;
const TYPING = { completion: true, correction: true };

const clusters = makeClusters(DIMENSIONS);

function recordOf({ id, title, tags, adult, popularity }: CorpusDocument): GifRecord {
  return {
    ...({
      id,
      title,
      tags: [...tags],
      adult,
      popularity,
      sha256: id.slice(0, 64),
      verified: 'file',
      url: null,
    } as const),
    ...({ format: 'gif', width: 480, height: 270, frames: 40, durationMs: 2_400, bytes: 1_234_567 } as const),
    ...{ characters: [], series: [], text: '', alt: '', lang: 'en', source: 'bench', fallback: [] },
    ...{ lqip: 'x'.repeat(28), toldBy: `bench ${id}` },
  };
}

/** The number of each document by its id, because vectors are drawn from the number. */
const numbers = new Map<string, number>();

async function record(db: Parameters<typeof recordGifs>[0]): Promise<void> {
  for (let from = 0; from < DOCUMENTS; from += BATCH) {
    const documents = Array.from({ length: Math.min(BATCH, DOCUMENTS - from) }, (_, i) => corpusDocument(from + i));
    for (const [i, { id }] of documents.entries()) numbers.set(id, from + i);
    await recordGifs(db, documents.map(recordOf));
  }
}

const sources = async (): Promise<VectorSources> => ({
  meaning: {
    ...{ model: MODEL, dimensions: DIMENSIONS },
    vectorsOf: async (_, gifs) =>
      gifs.map(({ id }) => {
        const n = numbers.get(id)!;
        return quantise(clusters.vectorOf(corpusDocument(n).topic, random(4_000_000_000 + n)));
      }),
  },
});

interface Times {
  memory: number[];
  cluster: number[];
  /** For each query, the share of the first page that both engines have in common. */
  same: number[];
}

type Find = (query: string, vector: Float32Array) => Soon<string[]>;

async function compare(memory: Find, cluster: Find): Promise<Times> {
  const times: Times = { memory: [], cluster: [], same: [] };
  for (let j = 0; j < QUERIES; j++) {
    const query = mixedQuery(j);
    const vector = clusters.vectorOf(mixedQueryTopic(j), random(4_100_000_000 + j));
    const timed = async (find: Find, into: number[]) => {
      const start = performance.now();
      const found = await find(query, vector);
      into.push(performance.now() - start);
      return found.slice(0, PAGE);
    };
    const [one, other] = [await timed(memory, times.memory), new Set(await timed(cluster, times.cluster))];
    if (one.length > 0) times.same.push(one.filter((id) => other.has(id)).length / one.length);
  }
  return times;
}

function at(times: readonly number[], share: number): string {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!.toFixed(2);
}

function printTimes(name: string, { memory, cluster, same }: Times): void {
  const mean = same.reduce((sum, share) => sum + share, 0) / Math.max(1, same.length);
  const cells = [at(memory, 0.5), at(memory, 0.99), at(cluster, 0.5), at(cluster, 0.99), mean.toFixed(3)];
  console.log(name.padEnd(10) + cells.map((cell) => cell.padStart(13)).join(''));
}

interface Statistics {
  _all: { total: { store: { size_in_bytes: number } }; primaries: { docs: { count: number } } };
}

/** Returns the mean heap that a node needs, in megabytes. */
async function heapOf(client: ClusterClient, java: string): Promise<number> {
  const ask = { method: 'GET', deadlineMs: 60_000 } as const;
  const { nodes } = (await client.request<{ nodes: Record<string, { process: { id: number } }> }>({
    ...{ ...ask, path: '/_nodes/process' },
  }))!;
  // `jcmd` is in the same folder as `java`.
  const jcmd = path.join(path.dirname(java), 'jcmd');
  for (const { process } of Object.values(nodes)) execFileSync(jcmd, [String(process.id), 'GC.run']);
  const { nodes: stats } = (await client.request<{ nodes: Record<string, { jvm: Heap }> }>({
    ...{ ...ask, path: '/_nodes/stats/jvm' },
  }))!;
  const used = Object.values(stats).map(({ jvm }) => jvm.mem.heap_used_in_bytes);
  return used.reduce((sum, bytes) => sum + bytes, 0) / used.length / 1e6;
}

interface Heap {
  mem: { heap_used_in_bytes: number };
}

async function main(java: string): Promise<void> {
  using folder = temporaryFolder();
  const cluster = await startOpenSearch(java, 'measured');
  const client = new ClusterClient({ urls: cluster.urls });
  const store = await openStore(path.join(folder.path, 'data'));
  try {
    await record(store.db);
    const options = { db: store.db, sources, policy: POLICY };
    const emptyHeap = await heapOf(client, java);
    const begin = performance.now();
    const live = openBuildSearch(await makeBuildInMemory(options, 1), {
      ...{ thread: 0, languages: new Languages(loadLanguages()), embedder: MODEL, typing: TYPING },
    });
    const middle = performance.now();
    const state = await rebuildIndex({ ...options, client, layout: LAYOUT });
    const end = performance.now();
    const remote = openClusterSearch(await loadState({ client, layout: LAYOUT }, state), {
      ...{
        client,
        languages: new Languages(loadLanguages()),
        embedder: MODEL,
        typing: TYPING,
        hidden: () => [],
        deadlineMs: 60_000,
      },
    });
    const rate = (ms: number) => `${((1000 * DOCUMENTS) / ms).toFixed(0)} GIFs/s`;
    console.log(`${DOCUMENTS} documents, ${DIMENSIONS} dimensions, ${QUERIES} queries`);
    console.log(`indexed in memory: ${rate(middle - begin)}; in the cluster: ${rate(end - middle)}`);
    // The copies are made after the index has been published.
    const green = `/_cluster/health/${state.index}?wait_for_status=green&timeout=10m`;
    await client.request({ method: 'GET', path: green, deadlineMs: 600_000 });
    const stats = (await client.request<Statistics>({
      ...{ method: 'GET', path: `/${state.index}/_stats`, deadlineMs: 60_000 },
    }))!;
    const { total } = stats._all;
    console.log(`disk: ${(total.store.size_in_bytes / state.gifs).toFixed(0)} bytes a GIF with its copy`);
    const words = state.vocabulary[0]!.manifest.sections.reduce((sum, { bytes }) => sum + bytes, 0);
    console.log(`vocabulary on each machine: ${(words / 1e6).toFixed(2)} MB\n`);
    const head = ['p50 ms', 'p99 ms', 'cluster p50', 'cluster p99', 'same'];
    console.log(''.padEnd(10) + head.map((cell) => cell.padStart(13)).join(''));
    const pageOf = async (ranked: Ranked | undefined) => (await ranked!.gifs(0, PAGE)).map(({ id }) => id);
    const searches: Record<string, (engine: Search) => Find> = {
      words: (engine) => async (query) => pageOf(await (await engine.begin(query, LIMIT)).endWithWords()),
      meaning: (engine) => async (_, vector) => pageOf(await engine.searchMeaning(vector, LIMIT)),
      both: (engine) => async (query, vector) =>
        pageOf(await (await engine.begin(query, LIMIT)).endWithMeaning(vector)),
    };
    for (const [name, search] of Object.entries(searches))
      printTimes(name, await compare(search(live), search(remote)));
    printTimes(
      'suggest',
      await compare(
        async (query) => (await live.suggest(query.slice(0, 3), 10, new Map())).map(({ term }) => term),
        async (query) => (await remote.suggest(query.slice(0, 3), 10, new Map())).map(({ term }) => term),
      ),
    );
    const heap = await heapOf(client, java);
    console.log(`\nheap of a node: ${heap.toFixed(0)} MB; without GIFs: ${emptyHeap.toFixed(0)} MB`);
  } finally {
    await client.close();
    await store.close();
    await cluster.stop();
  }
}

if (parts.opensearch === undefined)
  console.log('skipped: OpenSearch is not installed (node tools/opensearch/fetch.mjs)');
else await main(parts.opensearch);
