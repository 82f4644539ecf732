import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { finalizeEvent, generateSecretKey } from 'nostr-tools/pure';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createClient } from '../../packages/client/src/index.ts';
import { SharedBuilds } from '../../packages/server/src/builds/index.ts';
import { startRedis } from '../../packages/server/src/limits/testing/redis.ts';
import { S3Blobs } from '../../packages/server/src/platform/blobs/index.ts';
import { type Ceph, startCeph } from '../../packages/server/src/platform/blobs/testing/ceph.ts';
import { type Database, openPostgres } from '../../packages/server/src/platform/db/index.ts';
import { countClaims, countJobs } from '../../packages/server/src/platform/jobs/index.ts';
import { findSharedLocks } from '../../packages/server/src/platform/lock/index.ts';
import { findNodes } from '../../packages/server/src/platform/nodes/index.ts';
import { FilledRelay } from '../../packages/server/src/platform/relay/testing/relay.ts';
import { endProcess } from '../../packages/server/src/platform/testing/end-process.ts';
import { type Postgres, startPostgres } from '../../packages/server/src/platform/testing/postgres.ts';
import { type Edge, startNginx, startVarnish } from '../edge/processes.ts';
import { blocksGif, writeManifest } from '../support/catalogue.ts';
import { makeNewerProgram } from '../support/faults/newer-program.ts';
import { preloadClock } from '../support/faults/sabotage.ts';
import { type SlowProxy, startSlowProxy } from '../support/faults/slow-proxy.ts';
import { type SteadyLoad, startLoad } from '../support/faults/steady-load.ts';
import { parts } from '../support/parts.ts';
import { s3Environment } from '../support/s3.ts';
import {
  DEVELOPMENT,
  freePort,
  outcome,
  PROGRAM,
  type Server,
  spawnZoetrope,
  startServer,
  temporaryFolder,
  zoetrope,
} from '../support/server.ts';

/*
 * Three services, two workers, a relay follower, PostgreSQL, Ceph, Redis, and two load balancers, nginx and Varnish.
 * Parts are killed or hang while requests arrive through both balancers. Every request must succeed, and every GIF must
 * appear exactly once.
 */

/**
 * Requests per second. With 30 or 100, requests took most of the time of this file, and outages were not longer or
 * shorter.
 */
const RATE = 5;
/** Number of requests that are sent while a part is down. */
const AWAY = Number(process.env['ZOETROPE_TEST_AWAY'] ?? 10 * RATE);
/** Three searches and three health checks are sent in each interval. */
const PATIENCE = { timeout: 480_000, interval: 250 };
/**
 * Time limit for caches to drop outdated responses. An idle machine needs less than five seconds, and a busy machine
 * needs more. Without a purge, the caches would keep the responses for longer than this.
 */
const BEFORE_EXPIRY = { timeout: 45_000, interval: 50 };
/** Polling options for states that last less than a second. */
const OFTEN = { timeout: 480_000, interval: 20 };
/** A request that takes longer than this while a part hangs has failed. Parts hang for longer than this time. */
const LATE_MS = 9_000;
const HANGS = Math.max(AWAY, 11 * RATE);
/** Number of searches whose pages the SDK reads while builds are published. */
const PAGED = 24;
const SERVICES = 3;
const WORKERS = 2;
/** Number of the lock of the process that makes builds (see service.ts). */
const BUILDER = 1;

const WORDS = ['happy', 'sad', 'dance', 'cat', 'party', 'sleep', 'wave', 'rain', 'coffee', 'applause'];

const folder = temporaryFolder();
const data = (name: string) => `${folder.path}/${name}`;
const servers: Server[] = [];
const workers: ChildProcess[] = [];
const edgePorts: number[] = [];
let postgres: Postgres;
let ceph: Ceph;
let redis: Awaited<ReturnType<typeof startRedis>>;
let edge: Edge;
/** An edge that accepts purges. */
let cache: Edge;
let slowDatabase: SlowProxy;
let slowBucket: SlowProxy;
let db: Database;
let env: Record<string, string>;
let purgePort: number;
/** Number of GIFs so far. */
let gifs = 0;

async function run(name: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await zoetrope(data(name), args, { ...env, ZOETROPE_MACHINE: name });
  expect(code, stderr).toBe(0);
  return stdout;
}

async function startService(n: number, more: Record<string, string> = {}): Promise<Server> {
  edgePorts[n] ??= await freePort();
  const own = { ZOETROPE_MACHINE: `service-${n}`, ZOETROPE_EDGE_PORT: `${edgePorts[n]}`, ZOETROPE_BACKGROUND: 'off' };
  return startServer(data(`service-${n}`), { ...env, ...own, ...(n === SLOW && slowEnvironment()), ...more });
}

/** The service whose database and bucket can be slow. */
const SLOW = 1;

function slowEnvironment(): Record<string, string> {
  const database = new URL(postgres.url);
  database.port = `${slowDatabase.port}`;
  return { ZOETROPE_DATABASE_URL: `${database}`, ZOETROPE_S3_ENDPOINT: `http://127.0.0.1:${slowBucket.port}` };
}

function startWorker(n: number, more: Record<string, string> = {}): ChildProcess {
  const own = { ...env, ZOETROPE_MACHINE: `worker-${n}`, ...more };
  const worker = spawnZoetrope(data(`worker-${n}`), ['work', '--keep'], own);
  worker.stdout!.resume();
  worker.stderr!.resume();
  return worker;
}

/** Ends the pause that a worker makes after long work, by replacing the worker. */
async function restartWorkers(): Promise<void> {
  await Promise.all(workers.map((worker) => endProcess(worker, 'SIGTERM')));
  for (let n = 0; n < WORKERS; n++) workers[n] = startWorker(n);
}

/** Writes a manifest of linked GIFs that are in no other manifest. */
function rows(count: number): string {
  const list = Array.from({ length: count }, (_, n) => ({
    id: `row-${gifs + n}.gif`,
    title: `${WORDS[n % WORDS.length]} ${gifs + n}`,
  }));
  gifs += count;
  return writeManifest(`${folder.path}/rows-${gifs}.jsonl`, list);
}

/** Writes files that differ from those of all other calls. @param side width and height; larger files take longer */
function files(count: number, side = 64): string {
  const target = `${folder.path}/files-${gifs}`;
  fs.mkdirSync(target);
  for (let n = 0; n < count; n++) {
    const gif = blocksGif({ width: side, height: side, delays: Array(side / 16).fill(10), seed: gifs++ });
    fs.writeFileSync(`${target}/zebra ${gifs}.gif`, gif);
  }
  return target;
}

interface Answer {
  build: string;
  items: { id: string }[];
}

const ask = async (server: Server, query: string): Promise<Answer> =>
  (await (await server.get(`/api/v1/search?limit=50&q=${encodeURIComponent(query)}`)).json()) as Answer;

/**
 * Requests the GIFs similar to a given GIF from each service. Returns the statuses: 404 from a service that does not
 * show the GIF.
 */
const statusesOf = async (id: string): Promise<number[]> =>
  Promise.all(servers.map(async (server) => (await server.get(`/api/v1/gifs/${id}/similar`)).status));

/** Waits until all services serve the same build with all GIFs. */
async function untilAllShowAll(): Promise<void> {
  await vi.waitFor(async () => {
    const health = await Promise.all(servers.map(async (server) => (await server.get('/healthz')).json()));
    const shown = health as { documents: number; build: string }[];
    expect(shown.map(({ documents }) => documents)).toEqual(servers.map(() => gifs));
    const builds = await Promise.all(servers.map((server) => ask(server, 'happy')));
    expect(new Set(builds.map(({ build }) => build)).size).toBe(1);
  }, PATIENCE);
}

/** Number of searches so far. Each query is sent only once, so that its response is in no cache. */
let searches = 0;

/** Sends searches through both balancers in turn. @param lateMs the time after which a request has failed */
const load = (lateMs: number) =>
  startLoad(RATE, (n) => {
    const query = `${WORDS[n % WORDS.length]}+${searches++}`;
    const { url } = n % 2 === 0 ? edge : cache;
    const signal = AbortSignal.timeout(lateMs);
    return fetch(`${url}/api/v1/search?limit=5&q=${query}`, { headers: DEVELOPMENT, signal });
  });

/** Runs `act` under load. Expects that no request fails. */
async function underLoad(act: (running: SteadyLoad) => Promise<void>, lateMs = 120_000): Promise<void> {
  const running = load(lateMs);
  try {
    await running.more(RATE);
    await act(running);
    await running.more(RATE);
  } finally {
    expect(await running.stop()).toEqual([]);
  }
}

/** Waits until a new machine can fetch the latest build. */
async function untilNewMachineCanFetch(bucket: S3Blobs): Promise<void> {
  await vi.waitFor(async () => {
    const builds = data(`new-${Math.random()}`);
    fs.mkdirSync(builds);
    expect((await new SharedBuilds(bucket, builds).pull())?.gifs).toBe(gifs);
  }, PATIENCE);
}

/** Ids of a process's children. */
function childrenOf({ pid }: ChildProcess): number[] {
  return fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

/** Returns the id of the process that makes a build. @throws Error if there is none */
async function findBuilder(): Promise<number> {
  const lock = (await findSharedLocks(db)).find(({ number }) => number === BUILDER);
  const [, pid] = /process (\d+)/.exec(lock?.holder ?? '') ?? [];
  expect(pid).toBeDefined();
  return Number(pid);
}

/** Returns the id of a process of a worker while at least two processes add files. @throws Error if there is none */
async function findHelper(): Promise<number> {
  expect((await countClaims(db)).size).toBeGreaterThan(1);
  return workers.flatMap(childrenOf)[0]!;
}

/** Kills a process as soon as there is one while GIFs are added. @returns whether there was one */
async function killDuring(adding: Promise<unknown>, find: () => Promise<number>): Promise<boolean> {
  let isAdding = true;
  const noteEnd = () => {
    isAdding = false;
  };
  adding.then(noteEnd, noteEnd);
  // A process can end at any moment. In this case, kill fails, and another process is looked for.
  return vi.waitFor(async () => isAdding && process.kill(await find(), 'SIGKILL'), OFTEN);
}

const isComplete =
  parts.postgres !== undefined && parts.redis !== undefined && parts.ceph && parts.nginx && parts.varnish;

describe.skipIf(!isComplete)('three services and two workers that share everything', () => {
  beforeAll(async () => {
    postgres = await startPostgres(parts.postgres!);
    ceph = await startCeph();
    redis = await startRedis(parts.redis!);
    purgePort = await freePort();
    env = {
      ...s3Environment(ceph.config),
      ZOETROPE_DATABASE_URL: postgres.url,
      ZOETROPE_REDIS_URL: redis.url,
      ZOETROPE_EMBEDDER: 'none',
      ZOETROPE_MEDIA_URL: 'https://media.example',
      ZOETROPE_EDGE_PURGE_URL: `http://127.0.0.1:${purgePort}/`,
    };
    await run('first', 'add', '--quiet', rows(200));
    slowDatabase = await startSlowProxy({ port: Number(new URL(postgres.url).port) });
    slowBucket = await startSlowProxy({ port: Number(new URL(env['ZOETROPE_S3_ENDPOINT']!).port) });
    for (let n = 0; n < SERVICES; n++) servers.push(await startService(n));
    for (let n = 0; n < WORKERS; n++) workers.push(startWorker(n));
    const dashboard = Number(new URL(servers[0]!.url).port);
    edge = await startNginx({ upstream: edgePorts, dashboard, purge: 0 });
    cache = await startVarnish({ upstream: edgePorts, dashboard, purge: purgePort });
    db = openPostgres(postgres.url);
    await vi.waitFor(async () => {
      const roles = (await findNodes(db)).map(({ role }) => role);
      expect(roles.filter((role) => role === 'serve' || role === 'worker')).toHaveLength(SERVICES + WORKERS);
    }, PATIENCE);
  });

  afterAll(async () => {
    await edge?.stop();
    await cache?.stop();
    await db?.destroy();
    await Promise.all([...servers.map((server) => server.stop()), ...workers.map((it) => endProcess(it, 'SIGTERM'))]);
    await slowDatabase?.stop();
    await slowBucket?.stop();
    await redis?.kill();
    await ceph?.stop();
    await postgres?.stop();
    folder[Symbol.dispose]();
  });

  test('serve the same build, results and files, whichever machine added them', async () => {
    await Promise.all([run('service-1', 'add', '--quiet', files(12)), run('worker-0', 'add', '--quiet', rows(2_000))]);
    await untilAllShowAll();
    // So many new GIFs cause a new base, and the services swap builds at slightly different times.
    await vi.waitFor(async () => {
      for (const word of WORDS) {
        const answers = await Promise.all(servers.map((server) => ask(server, word)));
        // `gen` counts the swaps of a process.
        const [one, ...others] = answers.map((answer) => ({ ...answer, gen: 0 }));
        for (const other of others) expect(other).toEqual(one);
      }
    }, PATIENCE);
    const found = await Promise.all(servers.map((server) => server.get('/api/v1/search?limit=50&q=zebra')));
    const lists = (await Promise.all(found.map((response) => response.json()))) as { items: { id: string }[] }[];
    const own = lists[0]!.items.filter(({ id }) => /^[0-9a-f]{64}\.gif$/.test(id));
    expect(own.length).toBeGreaterThan(0);
    for (const { id } of own) {
      for (const server of servers) {
        const bytes = Buffer.from(await (await server.get(`/m/${id}`)).arrayBuffer());
        expect(`${createHash('sha256').update(bytes).digest('hex')}.gif`).toBe(id);
      }
    }
  });

  test('answer all requests while a service is killed and restarted', async () => {
    await underLoad(async (running) => {
      await endProcess(servers[2]!.process, 'SIGKILL');
      await running.more(RATE);
      servers[2] = await startService(2);
      await running.more(RATE);
    });
  });

  test('answer all requests while a service hangs', async () => {
    await underLoad(async (running) => {
      servers[2]!.process.kill('SIGSTOP');
      onTestFinished(() => void servers[2]!.process.kill('SIGCONT'));
      await running.more(HANGS);
      servers[2]!.process.kill('SIGCONT');
      await running.more(RATE);
    }, LATE_MS);
  });

  test('answer all requests while the process that makes a build is killed', async () => {
    await underLoad(async () => {
      // On a busy machine, a build can be over before it was seen. Then more GIFs are added.
      await vi.waitFor(async () => {
        const adding = outcome(spawnZoetrope(data('service-0'), ['add', '--quiet', rows(3_000)], env));
        const wasKilled = await killDuring(adding, findBuilder);
        await adding;
        expect(wasKilled).toBe(true);
      }, PATIENCE);
      await untilAllShowAll();
    });
  });

  test('answer all requests and add all files while a worker is killed', async () => {
    await restartWorkers();
    await underLoad(async () => {
      // On a busy machine, all files can be added before a worker helps. Then more files are added.
      await vi.waitFor(async () => {
        const adding = run('service-1', 'add', '--json', files(12, 240));
        const wasKilled = await killDuring(adding, findHelper);
        expect(JSON.parse(await adding)).toMatchObject({ added: 12, refused: [] });
        expect(wasKilled).toBe(true);
      }, PATIENCE);
      await untilAllShowAll();
      expect(await countJobs(db, 'ready')).toBe(0);
    });
  });

  test('answer all requests while PostgreSQL is down', async () => {
    await underLoad(async (running) => {
      await postgres.kill();
      await running.more(AWAY);
      await vi.waitFor(() => postgres.start(), PATIENCE);
      await run('service-0', 'add', '--quiet', rows(50));
      await untilAllShowAll();
    });
  });

  test('answer all requests while packets to PostgreSQL are lost and the bucket is slow', async () => {
    let packets = 0;
    await underLoad(async (running) => {
      // Simulates lost packets: a lost packet is sent again after 200 ms, and after twice that time if it is lost
      // again.
      slowDatabase.delay = () => [0, 200, 0, 0, 600, 0, 0, 200, 0, 0][packets++ % 10]!;
      slowBucket.delay = () => 300;
      try {
        await running.more(5 * RATE);
      } finally {
        slowDatabase.delay = undefined;
        slowBucket.delay = undefined;
      }
    });
    expect(packets).toBeGreaterThan(10);
  });

  test('answer all requests while the bucket is down', async () => {
    await underLoad(async (running) => {
      await ceph.kill();
      await running.more(AWAY);
      await ceph.start();
      await run('service-0', 'add', '--quiet', files(5));
      await untilAllShowAll();
    });
  });

  test('answer all requests and hide GIFs while the bucket cannot be listed, and name the missing permission', async () => {
    const more = rows(20);
    await underLoad(async () => {
      await ceph.allowLists(false);
      onTestFinished(() => ceph.allowLists(true));
      const own = { ...env, ZOETROPE_MACHINE: 'service-0' };
      const { code, stderr } = await zoetrope(data('service-0'), ['add', '--quiet', more], own);
      expect([code, stderr]).toEqual([1, expect.stringContaining('is not allowed to list the bucket')]);
      const { id } = (await ask(servers[0]!, 'happy')).items[0]!;
      expect(await statusesOf(id)).toEqual(servers.map(() => 200));
      await run('service-0', 'gif', 'hide', id);
      await vi.waitFor(async () => expect(await statusesOf(id)).toEqual(servers.map(() => 404)), PATIENCE);
      await ceph.allowLists(true);
      await run('service-0', 'gif', 'show', id);
      await run('service-0', 'add', '--quiet', more);
      await untilAllShowAll();
    });
  });

  test('answer all requests and replace a build that somebody overwrote in the bucket', async () => {
    const bucket = new S3Blobs(ceph.config);
    const overwritten: string[] = [];
    await underLoad(async () => {
      await servers[2]!.stop();
      fs.rmSync(`${data('service-2')}/builds`, { recursive: true });
      for await (const { key } of bucket.list('builds/')) {
        if (!key.endsWith('terms')) continue;
        await bucket.put(key, Buffer.from('overwritten'));
        overwritten.push(key);
      }
      expect(overwritten.length).toBeGreaterThan(0);
      servers[2] = await startService(2);
      await run('service-0', 'add', '--quiet', rows(5));
      await untilAllShowAll();
      await untilNewMachineCanFetch(bucket);
    });
  });

  test('add and hide GIFs on a machine whose clock is ten minutes ahead, and tell the operator', async () => {
    const ahead = preloadClock(folder.path, 600_000);
    await endProcess(workers[1]!, 'SIGTERM');
    workers[1] = startWorker(1, ahead);
    await servers[1]!.stop();
    servers[1] = await startService(1, ahead);
    const late = async (...args: string[]) =>
      zoetrope(data('service-1'), args, { ...env, ...ahead, ZOETROPE_MACHINE: 'service-1' });
    await underLoad(async () => {
      const added = await late('add', '--json', files(6));
      expect(JSON.parse(added.stdout)).toMatchObject({ added: 6, refused: [] });
      await untilAllShowAll();
      expect(await countJobs(db, 'ready')).toBe(0);
      const { stdout } = await late('doctor', '--json');
      expect(JSON.parse(stdout).findings).toContainEqual(
        expect.objectContaining({ check: 'machines', message: expect.stringMatching(/is (59|60)\d s ahead/) }),
      );
      const live = (await findNodes(db)).filter(({ machine }) => /^(service|worker)-1$/.test(machine));
      expect(live.length).toBeGreaterThanOrEqual(2);
    });
    await endProcess(workers[1]!, 'SIGTERM');
    workers[1] = startWorker(1);
    await servers[1]!.stop();
    servers[1] = await startService(1);
  });

  test('answer all requests while Redis is down', async () => {
    await underLoad(async (running) => {
      await redis.kill();
      await running.more(AWAY);
      await redis.start();
    });
  });

  test('answer all requests while each is replaced by a program with a newer build format', async () => {
    const newer = { [PROGRAM]: makeNewerProgram(`${folder.path}/newer`) };
    await underLoad(async (running) => {
      await endProcess(workers[0]!, 'SIGTERM');
      workers[0] = startWorker(0, newer);
      for (let n = 0; n < SERVICES; n++) {
        await servers[n]!.stop();
        servers[n] = await startService(n, newer);
        // The old program adds GIFs while both programs run.
        await run('first', 'add', '--quiet', rows(20));
        await running.more(RATE);
      }
      await endProcess(workers[1]!, 'SIGTERM');
      workers[1] = startWorker(1, newer);
      await untilAllShowAll();
    });
    Object.assign(env, newer);
  });

  test('give the SDK every GIF exactly once while builds are published', async () => {
    const client = createClient({ url: edge.url, fetch: (url, init) => fetch(url, { ...init, headers: DEVELOPMENT }) });
    let paged = 0;
    let isPaging = true;
    const publishing = (async () => {
      while (isPaging) await run('worker-0', 'add', '--quiet', rows(20));
    })();
    const page = async () => {
      const word = WORDS[paged % WORDS.length]!;
      let ids: string[] = [];
      let count = 0;
      for await (const { isRestart, items, count: total } of client.pages(`${word} gif${'!'.repeat(paged % 50)}`, {
        limit: 10,
      })) {
        ids = [...(isRestart ? [] : ids), ...items.map(({ id }) => id)];
        count = total;
      }
      expect(ids.length).toBe(count);
      expect(new Set(ids).size).toBe(count);
    };
    try {
      for (; paged < PAGED; paged++) await page();
    } finally {
      isPaging = false;
      await publishing;
    }
    await untilAllShowAll();
  });

  test('one process follows the relays for all machines, and another process continues when it is killed', async () => {
    const relay = await FilledRelay.start();
    onTestFinished(() => relay.down());
    const key = generateSecretKey();
    const publish = (name: string) => {
      const tags = [
        ['url', `https://files.example/${name}.gif`],
        ['m', 'image/gif'],
        ['x', createHash('sha256').update(name).digest('hex')],
      ];
      relay.publish([
        finalizeEvent({ kind: 1063, created_at: Math.floor(Date.now() / 1_000), content: name, tags }, key),
      ]);
    };
    const follow = (name: string) => spawnZoetrope(data(name), ['relays', 'follow'], { ...env, ...relays });
    const relays = { ZOETROPE_RELAYS: relay.url };
    const untilTaken = (count: number, { pid }: ChildProcess) =>
      vi.waitFor(async () => {
        const { relays: found, follower } = JSON.parse(await run('service-0', 'relays', '--json'));
        expect(found).toMatchObject([{ counts: { taken: count } }]);
        expect(follower).toContain(`process ${pid} `);
      }, PATIENCE);
    publish('one');
    const first = follow('relays-0');
    await untilTaken(1, first);
    const { code, stderr } = await outcome(follow('relays-1'));
    expect([code, stderr]).toEqual([1, expect.stringContaining('is already working on this catalogue')]);
    await endProcess(first, 'SIGKILL');
    publish('two');
    const second = follow('relays-1');
    onTestFinished(() => endProcess(second, 'SIGTERM'));
    await untilTaken(2, second);
  });

  test('a GIF that is hidden on one machine is gone from all, and soon from both balancers', async () => {
    const through = (url: string, path: string) => fetch(`${url}${path}`, { headers: DEVELOPMENT });
    const found = async (url: string) =>
      ((await (await through(url, '/api/v1/search?limit=50&q=zebra')).json()) as Answer).items.map(({ id }) => id);
    const see = async (id: string) =>
      Promise.all(
        [edge.url, cache.url].map(async (url) => ({
          isFound: (await found(url)).includes(id),
          similar: (await through(url, `/api/v1/gifs/${id}/similar`)).status,
          original: (await through(url, `/m/${id}`)).status,
        })),
      );
    const id = (await found(cache.url)).find((one) => /^[0-9a-f]{64}\.gif$/.test(one))!;
    const shown = { isFound: true, similar: 200, original: 200 };
    await vi.waitFor(async () => expect(await see(id)).toEqual([shown, shown]), PATIENCE);
    expect(await statusesOf(id)).toEqual(servers.map(() => 200));
    await run('worker-1', 'gif', 'hide', id);
    const gone = { isFound: false, similar: 404, original: 404 };
    await vi.waitFor(async () => expect(await see(id)).toEqual([gone, gone]), BEFORE_EXPIRY);
    expect(await statusesOf(id)).toEqual(servers.map(() => 404));
  });
});
