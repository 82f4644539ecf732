import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { SearchResponse } from '@zoetrope/contract';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type FakeS3, type Fault, startFakeS3 } from '../../packages/server/src/platform/blobs/testing/fake-s3.ts';
import type { Report } from '../../packages/server/src/upkeep/doctor/index.ts';
import { blocksGif } from '../support/catalogue.ts';
import { s3Environment } from '../support/s3.ts';
import {
  DEVELOPMENT,
  freePort,
  programCommand,
  type Server,
  startServer,
  temporaryFolder,
  zoetrope,
} from '../support/server.ts';

/*
 * While the media store fails, files are served completely or not at all, and ingested files are not lost. When the
 * store works again, all is as before.
 */

const FILES = 2;
const ENV = { ZOETROPE_EMBEDDER: 'none', ZOETROPE_THREADS: '1', ZOETROPE_LOG_LEVEL: 'silent' };
/** Settings without a memory cache, so that images always come from the store. */
const NO_MEMORY = { ...ENV, ZOETROPE_TEST_MEDIA_CACHE_BYTES: '0' };

const folder = temporaryFolder();
const at = (...names: string[]) => path.join(folder.path, ...names);
/** Files and previews from a service without faults, keyed by path. */
const good = new Map<string, Buffer>();

beforeAll(async () => {
  fs.mkdirSync(at('gifs'));
  for (let n = 0; n < FILES; n++) {
    const gif = blocksGif({ width: 490, height: 200, delays: [10, 20, 10], seed: n + 1 });
    fs.writeFileSync(at('gifs', `happy-dance-${n}.gif`), gif);
  }
  await add(at('good'));
  fs.cpSync(at('good'), at('fresh'), { recursive: true });
  fs.rmSync(at('fresh', 'media', 'd'), { recursive: true });
  await using server = await startServer(at('good'), ENV);
  for (const address of await addresses(server)) {
    good.set(address, await bytesOf(await fetch(server.url + address)));
  }
});

afterAll(() => folder[Symbol.dispose]());

async function add(data: string, env: Record<string, string> = {}): Promise<void> {
  const { code, stderr } = await zoetrope(data, ['add', '--quiet', at('gifs')], { ...ENV, ...env });
  expect(code, stderr).toBe(0);
}

const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

/** Returns the paths of every file of every GIF. */
async function addresses(server: Pick<Server, 'get'>): Promise<string[]> {
  const { items } = (await (await server.get('/api/v1/search?q=happy&mode=text')).json()) as SearchResponse;
  expect(items).toHaveLength(FILES);
  return items.flatMap(({ url, previews, mp4 }) => {
    const images = Object.values(previews).flatMap(({ animated, still }) => [animated, still]);
    return [url, ...images, mp4].filter((address) => address != null).map((address) => new URL(address).pathname);
  });
}

type Seen = 'whole' | 'unavailable' | 'cut';

/** Requests a file. The response must be complete, report that the file is unavailable, or be visibly cut off. */
async function ask(url: string, address: string): Promise<Seen> {
  const answer = await fetch(url + address);
  const body = await bytesOf(answer).catch(() => null);
  if (body === null) return 'cut';
  if (answer.status === 200) {
    expect(body.equals(good.get(address)!), `${address} is not what it was`).toBe(true);
    return 'whole';
  }
  expect(answer.status, `${address}: ${body.toString()}`).toBe(503);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('etag')).toBeNull();
  expect(JSON.parse(body.toString())).toMatchObject({ error: { code: 'upstream_unavailable' } });
  return 'unavailable';
}

/** Requests all files at the same time. @returns the number of files with each outcome */
async function askForAll(url: string): Promise<Record<Seen, number>> {
  const seen = { whole: 0, unavailable: 0, cut: 0 };
  const all = await Promise.all([...good.keys()].map((address) => ask(url, address)));
  for (const each of all) seen[each]++;
  return seen;
}

const ALL_WHOLE = () => ({ whole: good.size, unavailable: 0, cut: 0 });

/** Yields seeded random numbers, so that failures are reproducible. */
function* chances(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

async function counters(port: number): Promise<(series: string) => number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return (series) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))!
        .split(' ')[1],
    );
}

describe('a bucket', () => {
  let fake: FakeS3;
  let env: Record<string, string>;
  const data = at('bucket');

  beforeAll(async () => {
    fake = await startFakeS3();
    env = s3Environment(fake.config);
  });

  afterAll(() => fake.stop());

  /** Deletes all files that can be made again. */
  function forgetDerivatives(): void {
    for (const key of fake.objects.keys()) if (key.includes('/d/')) fake.objects.delete(key);
  }

  test('that fails during ingest loses nothing and keeps no partial files', async () => {
    let puts = 0;
    fake.fault = (method) => (method === 'PUT' && ++puts > 4 ? 503 : undefined);
    const broken = await zoetrope(data, ['add', '--quiet', at('gifs')], { ...ENV, ...env });
    expect(broken).toMatchObject({ code: 1, stderr: expect.stringContaining('the media store is unavailable') });
    const next = chances(5);
    fake.fault = () => (next.next().value! < 0.2 ? 'reset' : undefined);
    const { code, stderr } = await zoetrope(data, ['work', '--quiet'], { ...ENV, ...env });
    expect(code, stderr).toBe(0);
    fake.fault = () => undefined;
    const doctor = await zoetrope(data, ['doctor', '--media', '--json', '--quiet'], { ...ENV, ...env });
    expect((JSON.parse(doctor.stdout) as Report).findings.filter(({ state }) => state === 'wrong')).toEqual([]);
    await using server = await startServer(data, { ...ENV, ...env });
    expect((await addresses(server)).toSorted()).toEqual([...good.keys()].toSorted());
  });

  test('that fails in every way serves only whole files', async () => {
    const faults: Fault[] = [500, 503, 'half', 'reset'];
    forgetDerivatives();
    const metricsPort = await freePort();
    await using server = await startServer(data, { ...NO_MEMORY, ...env, ZOETROPE_METRICS_PORT: `${metricsPort}` });
    for (const fault of faults) {
      fake.fault = () => fault;
      expect((await askForAll(server.url)).whole).toBe(0);
    }
    const next = chances(7);
    const chance = () => next.next().value!;
    fake.fault = () => (chance() < 0.6 ? faults[Math.floor(chance() * faults.length)] : undefined);
    for (let round = 0; round < 3; round++) await askForAll(server.url);
    expect((await server.get('/api/v1/search?q=happy')).status).toBe(200);
    fake.fault = () => undefined;
    expect(await askForAll(server.url)).toEqual(ALL_WHOLE());
    const read = await counters(metricsPort);
    const failed = ['unavailable', 'cut'].map((outcome) => read(`zoetrope_media_requests_total{outcome="${outcome}"}`));
    expect(failed[0]! + failed[1]!).toBeGreaterThanOrEqual(faults.length * good.size);
    expect(read('zoetrope_media_requests_total{outcome="made"}')).toBeGreaterThan(0);
    expect(read('zoetrope_media_jobs_total{outcome="made"}')).toBeGreaterThan(0);
    expect(read('zoetrope_media_jobs_total{outcome="refused"}')).toBe(0);
  });

  test('that was down is used again, whether it or the service started first', async () => {
    forgetDerivatives();
    await fake.stop();
    await using server = await startServer(data, { ...NO_MEMORY, ...env });
    expect(await askForAll(server.url)).toEqual({ whole: 0, unavailable: good.size, cut: 0 });
    await fake.start();
    expect(await askForAll(server.url)).toEqual(ALL_WHOLE());
    await fake.stop();
    expect((await askForAll(server.url)).whole).toBe(0);
    await fake.start();
    expect(await askForAll(server.url)).toEqual(ALL_WHOLE());
    // Another process deletes files that the service has already seen in the bucket.
    forgetDerivatives();
    for (const address of good.keys()) await (await fetch(server.url + address)).arrayBuffer();
    expect(await askForAll(server.url)).toEqual(ALL_WHOLE());
  });
});

describe('a disk that is full', () => {
  const disk = at('disk');

  /** Starts the service on a data folder on a small file system. */
  async function startOnDisk(port: number, metricsPort: number): Promise<ChildProcess> {
    fs.mkdirSync(disk);
    const script = `mount -t tmpfs -o size=12m none ${disk} && cp -r ${at('fresh')} ${disk}/data && exec "$@"`;
    const asUser = ['--map-root-user', '--mount'];
    const flags = spawnSync('unshare', [...asUser, 'true']).status === 0 ? asUser : ['--mount'];
    const child = spawn('unshare', [...flags, 'sh', '-c', script, 'sh', ...programCommand(['serve'])], {
      env: {
        ...process.env,
        ...NO_MEMORY,
        ZOETROPE_DATA: `${disk}/data`,
        // The default is larger than this disk, so with the default the service would never write.
        ZOETROPE_DISK_RESERVE_BYTES: '0',
        ZOETROPE_STARTER: 'off',
        ZOETROPE_RATES: 'off',
        ZOETROPE_REQUEST_LOG: 'off',
        ZOETROPE_PORT: `${port}`,
        ZOETROPE_METRICS_PORT: `${metricsPort}`,
      },
      stdio: 'ignore',
    });
    const isReady = () => fetch(`http://127.0.0.1:${port}/readyz`).then(({ ok }) => expect(ok).toBe(true));
    await vi.waitFor(isReady, { timeout: 480_000, interval: 50 });
    return child;
  }

  function fill(file: string): void {
    const handle = fs.openSync(file, 'w');
    try {
      for (const size of [65_536, 4_096]) fillBy(handle, Buffer.alloc(size));
    } finally {
      fs.closeSync(handle);
    }
  }

  function fillBy(handle: number, chunk: Buffer): void {
    try {
      while (fs.writeSync(handle, chunk) === chunk.length);
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' });
    }
  }

  test('makes previews unavailable and leaves no partial files, until there is space', async () => {
    const [port, metricsPort] = [await freePort(), await freePort()];
    const url = `http://127.0.0.1:${port}`;
    const child = await startOnDisk(port, metricsPort);
    try {
      // The path into the other mount namespace.
      const data = `/proc/${child.pid}/root${disk}/data`;
      const filler = path.join(data, 'filler');
      fill(filler);
      const seen = await askForAll(url);
      expect(seen.unavailable).toBeGreaterThan(FILES);
      expect(seen.whole).toBeGreaterThanOrEqual(FILES);
      expect(fs.readdirSync(path.join(data, 'media', 'part'))).toEqual([]);
      expect((await fetch(`${url}/api/v1/search?q=happy`, { headers: DEVELOPMENT })).status).toBe(200);
      const read = await counters(metricsPort);
      expect(read('zoetrope_media_requests_total{outcome="unavailable"}')).toBe(seen.unavailable);
      expect(read('zoetrope_media_jobs_total{outcome="failed"}')).toBe(seen.unavailable);
      fs.rmSync(filler);
      expect(await askForAll(url)).toEqual(ALL_WHOLE());
    } finally {
      child.kill('SIGTERM');
    }
  });
});
