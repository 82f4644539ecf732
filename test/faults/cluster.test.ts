import path from 'node:path';
import type { SearchMode, SearchResponse } from '@zoetrope/contract';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../../packages/server/src/platform/db/index.ts';
import { ClusterClient } from '../../packages/server/src/platform/opensearch/index.ts';
import {
  type SharedNode,
  sharedNodes,
  sharedServer,
} from '../../packages/server/src/platform/testing/shared-server.ts';
import { setHidden } from '../../packages/server/src/records/index.ts';
import { writeManifest } from '../support/catalogue.ts';
import { startLoad } from '../support/faults/steady-load.ts';
import { parts } from '../support/parts.ts';
import { DEVELOPMENT, freePort, type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

/*
 * A service whose index is in a search cluster of three nodes. Parts of the cluster fail while searches arrive. Every
 * response must be right, or the error for an unavailable cluster. While the cluster can answer, there must be long
 * series of requests without this error, also before the failure is over. The tests do not count all errors, because a
 * slow machine adds some.
 */

/** Requests per second. */
const RATE = 20;
/** Number of requests in a row that must succeed during a failure. With this number, a node hangs for ten seconds. */
const AWAY = Number(process.env['ZOETROPE_TEST_AWAY'] ?? 10 * RATE);
const PATIENCE = { timeout: 480_000, interval: 100 };
/** Number of GIFs that are always shown. One further GIF is hidden and shown again. */
const FIRST = 500;
const NEXT = FIRST + 1;
/** Number of searches at the same time before the first failure. */
const LANES = 4;
const UPSERTS = 5_000;
const REMOVALS = 500;
const WORDS = ['happy', 'sad', 'dance', 'cat', 'party', 'sleep', 'wave', 'rain', 'coffee', 'applause'];

const folder = temporaryFolder();
const data = path.join(folder.path, 'data');
/** The processes of the cluster. Later tests also use them. */
let nodes: SharedNode[];
let urls: string[];
/** The test's own client, which immediately checks a failed node again. */
let client: ClusterClient;
let env: Record<string, string>;
let server: Server;

afterAll(() => folder[Symbol.dispose]());

const titleOf = (n: number) => `${WORDS[n % WORDS.length]} ${n}`;
const idOf = (n: number) => `row-${n}.gif`;

function manifest(from: number, count: number): string {
  const rows = Array.from({ length: count }, (_, i) => ({ id: idOf(from + i), title: titleOf(from + i) }));
  return writeManifest(path.join(folder.path, `rows-${from}.jsonl`), rows);
}

interface Found {
  status: number;
  text: string;
  ids: string[];
  /** Whether the response was made with vectors. */
  isSemantic: boolean;
}

async function search(n: number, mode: SearchMode = 'text'): Promise<Found> {
  const query = encodeURIComponent(titleOf(n));
  const response = await fetch(`${server.url}/api/v1/search?limit=5&mode=${mode}&q=${query}`, { headers: DEVELOPMENT });
  const { status } = response;
  const text = await response.text();
  if (status !== 200) return { status, text, ids: [], isSemantic: false };
  const { items, semantic } = JSON.parse(text) as SearchResponse;
  return { status, text, ids: items.map(({ id }) => id), isSemantic: semantic };
}

let searches = 0;

/** Searches for the first GIFs, which are always shown. Every second search can also use vectors. */
const load = () =>
  startLoad(RATE, async () => {
    const n = searches++ % FIRST;
    const { status, text, ids } = await search(n, n % 2 === 0 ? 'auto' : 'text');
    if (status === 200 && ids[0] !== idOf(n)) return new Response(`wrong: ${titleOf(n)} found ${ids}`, { status: 299 });
    return new Response(text, { status });
  });

/** Runs searches during `act`. Expects that no response is wrong. @returns the number of errors */
async function underLoad(act: (running: ReturnType<typeof load>) => Promise<void>): Promise<number> {
  const running = load();
  let errors = 0;
  try {
    await act(running);
  } finally {
    const problems = await running.stop();
    const unexpected = problems.filter((problem) => !/^503: .*upstream_unavailable/.test(problem));
    expect(unexpected).toEqual([]);
    errors = problems.length;
  }
  return errors;
}

const add = (from: number, count: number) => zoetrope(data, ['add', '--quiet', manifest(from, count)], env);

async function untilShown(n: number, isShown: boolean): Promise<void> {
  await vi.waitFor(async () => expect((await search(n)).ids.includes(idOf(n))).toBe(isShown), PATIENCE);
}

/** Returns the names of the nodes that respond to the client. */
async function answering(): Promise<Set<string>> {
  const asked = { method: 'GET', path: '/_nodes/_local?filter_path=nodes.*.name', deadlineMs: 60_000 } as const;
  const answers = [];
  for (let n = 0; n < 6; n++) answers.push(await client.request<{ nodes: Record<string, { name: string }> }>(asked));
  return new Set(answers.flatMap((answer) => Object.values(answer!.nodes).map(({ name }) => name)));
}

const untilAllAnswer = () => vi.waitFor(async () => expect((await answering()).size).toBe(3), PATIENCE);

const readiness = async () => (await fetch(`${server.url}/readyz`)).status;

async function removeIndexes(pattern: string): Promise<void> {
  const names = await (await fetch(`${urls[0]}/_cat/indices/${pattern}?h=index`)).text();
  for (const name of names.trim().split(/\s+/)) await fetch(`${urls[0]}/${name}`, { method: 'DELETE' });
}

describe.skipIf(parts.opensearch === undefined)('a service with its index in a search cluster', () => {
  beforeAll(async () => {
    urls = (await sharedServer('opensearch')).split(',');
    nodes = sharedNodes(urls);
    client = new ClusterClient({ urls, restMs: 1 });
    env = {
      ZOETROPE_SEARCH: 'opensearch',
      ZOETROPE_OPENSEARCH_URL: urls.join(','),
      // Every search must reach the cluster.
      ZOETROPE_TEST_ANSWER_CACHE_BYTES: '0',
    };
    expect(await add(0, NEXT)).toMatchObject({ code: 0 });
    server = await startServer(data, env);
    // Warms the cluster up. A cluster that has just started is slow, because its code is not compiled yet, and this is
    // not the fault under test.
    const warmUp = async (lane: number) => {
      for (let n = lane; n < FIRST; n += LANES) {
        const mode = n % 2 === 0 ? 'auto' : 'text';
        const wanted = { status: 200, isSemantic: mode === 'auto' };
        await vi.waitFor(async () => expect(await search(n, mode)).toMatchObject(wanted), PATIENCE);
      }
    };
    await Promise.all(Array.from({ length: LANES }, (_, lane) => warmUp(lane)));
  });

  afterAll(async () => {
    await server?.stop();
    await removeIndexes('zoetrope-*');
    await client?.close();
  });

  test('answers while a node is killed and started again', async () => {
    const [, , node] = nodes;
    await underLoad(async (running) => {
      await running.more(RATE);
      await untilAllAnswer();
      await node!.kill();
      expect((await answering()).size).toBe(2);
      await running.inARow(AWAY);
      await node!.start();
      await untilAllAnswer();
      await running.inARow(RATE);
    });
  });

  test('answers while a node hangs, and hides a GIF meanwhile', async () => {
    const [node] = nodes;
    await underLoad(async (running) => {
      await node!.freeze();
      expect(await zoetrope(data, ['gif', 'hide', idOf(FIRST)], env)).toMatchObject({ code: 0 });
      await untilShown(FIRST, false);
      expect(await zoetrope(data, ['gif', 'show', idOf(FIRST)], env)).toMatchObject({ code: 0 });
      await untilShown(FIRST, true);
      const root = { method: 'GET', path: '/', deadlineMs: 30_000 } as const;
      const answers = Array.from({ length: 4 }, () => client.request(root));
      await running.inARow(AWAY);
      for (const answer of answers) expect(await answer).toMatchObject({ cluster_name: 'zoetrope-test' });
      await node!.thaw();
      await untilAllAnswer();
      await running.inARow(RATE);
    });
  });

  test('says that its index is gone, and makes it again', async () => {
    const errors = await underLoad(async (running) => {
      await removeIndexes('zoetrope-gifs-*');
      expect(await search(1)).toMatchObject({
        status: 503,
        text: expect.stringContaining('index in the search cluster is missing'),
      });
      await vi.waitFor(async () => expect(await readiness()).toBe(503), PATIENCE);
      await vi.waitFor(async () => expect(await readiness()).toBe(200), PATIENCE);
      await untilShown(0, true);
      await running.inARow(RATE);
    });
    expect(errors).toBeGreaterThan(0);
  });

  test('keeps serving its current index while the disks are full, and catches up afterwards', async () => {
    const block = (value: true | null) =>
      fetch(`${urls[1]}/zoetrope-*/_settings`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ 'index.blocks.read_only_allow_delete': value }),
      });
    await underLoad(async (running) => {
      expect((await block(true)).status).toBe(200);
      expect(await add(NEXT, 1)).toMatchObject({ code: 1, stderr: expect.stringMatching(/search cluster/) });
      await running.inARow(5 * RATE);
      expect((await search(NEXT)).ids).not.toContain(idOf(NEXT));
      expect((await block(null)).status).toBe(200);
      await untilShown(NEXT, true);
    });
  });

  test('shows thousands of new GIFs, and removes hundreds, during a rebuild', async () => {
    // The next service has no embedder, because vectors of thousands of GIFs would take most of the time.
    await server.stop();
    env['ZOETROPE_EMBEDDER'] = 'none';
    server = await startServer(data, env);
    await untilShown(0, true);
    await underLoad(async (running) => {
      const added = await add(NEXT + 1, UPSERTS);
      expect(added.code, added.stderr).toBe(0);
      await untilShown(NEXT + UPSERTS, true);
      const rebuilt = zoetrope(data, ['index', 'rebuild', '--quiet'], env);
      const db = openDatabase(path.join(data, 'zoetrope.db'));
      for (let n = 0; n < REMOVALS; n++) await setHidden(db, idOf(NEXT + 1 + n), true);
      await db.destroy();
      await untilShown(NEXT + REMOVALS, false);
      const { code, stderr } = await rebuilt;
      expect(code, stderr).toBe(0);
      await untilShown(NEXT + 1 + REMOVALS, true);
      await untilShown(NEXT + 1, false);
      await running.inARow(5 * RATE);
    });
    await vi.waitFor(async () => {
      expect(await zoetrope(data, ['index', 'sync', '--quiet'], env)).toMatchObject({ code: 0 });
      const { stdout } = await zoetrope(data, ['index', 'check', '--quiet', '--json'], env);
      const gifs = NEXT + 1 + UPSERTS - REMOVALS;
      expect(JSON.parse(stdout)).toMatchObject({ gifs: { catalogue: gifs, index: gifs }, different: [] });
    }, PATIENCE);
  });
});

describe.skipIf(parts.opensearch === undefined)('a service that compares its searches with a search cluster', () => {
  const COMPARED = 20;
  const shadowed = path.join(folder.path, 'shadowed');
  let metrics: () => Promise<string>;
  const complaints: string[] = [];

  const addRows = (from: number, count: number) => zoetrope(shadowed, ['add', '--quiet', manifest(from, count)], env);

  function seriesOf(text: string, series: string): number {
    const line = text.split('\n').find((each) => each.startsWith(`${series} `));
    return Number(line?.slice(series.length + 1));
  }

  const readSeries = async (series: string) => seriesOf(await metrics(), series);

  const countOf = (outcome: string) => readSeries(`zoetrope_shadow_searches_total{outcome="${outcome}"}`);

  const untilCurrent = (gifs: number) =>
    vi.waitFor(async () => {
      const text = await metrics();
      expect(seriesOf(text, 'zoetrope_gifs')).toBe(gifs);
      expect(seriesOf(text, 'zoetrope_shadow_revision')).toBe(seriesOf(text, 'zoetrope_build_revision'));
    }, PATIENCE);

  async function searchAll(): Promise<void> {
    for (let n = 0; n < COMPARED; n++) {
      const { status, ids } = await search(n);
      expect([status, ids[0]]).toEqual([200, idOf(n)]);
    }
  }

  /**
   * Returns the doctor's finding about the cluster. It never counts as a problem, because no response depends on the
   * cluster.
   */
  async function diagnosis(): Promise<unknown> {
    const { code, stdout, stderr } = await zoetrope(shadowed, ['doctor', '--json'], env);
    expect(code, stderr).toBe(0);
    const { findings } = JSON.parse(stdout) as { findings: { check: string }[] };
    return findings.find(({ check }) => check === 'compared cluster');
  }

  async function untilCompared(): Promise<void> {
    const before = await countOf('compared');
    await vi.waitFor(async () => {
      await searchAll();
      expect(await countOf('compared')).toBeGreaterThan(before);
    }, PATIENCE);
  }

  beforeAll(async () => {
    urls = (await sharedServer('opensearch')).split(',');
    nodes = sharedNodes(urls);
    const port = await freePort();
    metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    env = {
      ZOETROPE_OPENSEARCH_URL: urls.join(','),
      ZOETROPE_OPENSEARCH_OPTIONS: 'prefix=shadow, shadow=1',
      ZOETROPE_TEST_ANSWER_CACHE_BYTES: '0',
      ZOETROPE_METRICS_PORT: `${port}`,
      ZOETROPE_EMBEDDER: 'none',
    };
    expect(await addRows(0, FIRST)).toMatchObject({ code: 0 });
    server = await startServer(shadowed, env);
    server.process.stderr!.on('data', (text) => complaints.push(String(text)));
  });

  afterAll(async () => {
    await server?.stop();
    await removeIndexes('shadow-*');
  });

  test('keeps the index in the cluster current, and counts which GIFs both engines find', async () => {
    await untilCurrent(FIRST);
    await untilCompared();
    // Comparisons are still running, so both numbers must be from the same moment.
    const text = await metrics();
    const [sum, count] = ['sum', 'count'].map((kind) => seriesOf(text, `zoetrope_shadow_overlap_${kind}`));
    expect(sum! / count!).toBeGreaterThan(0.9);
    expect(await addRows(FIRST, 1)).toMatchObject({ code: 0 });
    await untilCurrent(NEXT);
    expect(await zoetrope(shadowed, ['index', 'check', '--quiet'], env)).toMatchObject({ code: 0 });
    const message = expect.stringContaining(`contains ${NEXT} GIFs`);
    expect(await diagnosis()).toMatchObject({ state: 'well', message });
    expect(complaints.join('')).not.toContain('could not update the index that is compared');
  });

  test('serves and adds GIFs while the whole cluster hangs, and goes on to compare afterwards', async () => {
    await Promise.all(nodes.map((node) => node.freeze()));
    try {
      await searchAll();
      await vi.waitFor(async () => {
        await searchAll();
        expect(await countOf('failed')).toBeGreaterThan(0);
        expect(await countOf('busy')).toBeGreaterThan(0);
      }, PATIENCE);
      expect(await addRows(NEXT, 1)).toMatchObject({ code: 0 });
      await vi.waitFor(async () => expect((await search(NEXT)).ids).toContain(idOf(NEXT)), PATIENCE);
      const message = expect.stringContaining('ZOETROPE_OPENSEARCH_URL');
      expect(await diagnosis()).toMatchObject({ state: 'note', message });
    } finally {
      await Promise.all(nodes.map((node) => node.thaw()));
    }
    await untilCompared();
    await untilCurrent(NEXT + 1);
  });

  test('makes the index again after somebody has removed it', async () => {
    await removeIndexes('shadow-gifs-*');
    await vi.waitFor(async () => {
      expect(await zoetrope(shadowed, ['index', 'check', '--quiet'], env)).toMatchObject({ code: 0 });
    }, PATIENCE);
    await untilCompared();
  });
});
