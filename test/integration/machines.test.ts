import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startS3rver } from '../../packages/server/src/platform/blobs/testing/s3rver.ts';
import { endProcess } from '../../packages/server/src/platform/testing/end-process.ts';
import { type Postgres, startPostgres } from '../../packages/server/src/platform/testing/postgres.ts';
import { writeGifs, writeManifest } from '../support/catalogue.ts';
import { parts } from '../support/parts.ts';
import { s3Environment } from '../support/s3.ts';
import { freePort, type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

interface Shown {
  build: string;
  items: { id: string; url: string; title: string }[];
}

const folder = temporaryFolder();
const [one, two] = [`${folder.path}/one`, `${folder.path}/two`];
const servers: Server[] = [];
let postgres: Postgres;
let store: Awaited<ReturnType<typeof startS3rver>>;
let env: Record<string, string>;
let metricsPort: number;
/** Id of a GIF that was hidden. */
let hidden: string;

async function run(data: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await zoetrope(data, args, env);
  expect(code, stderr).toBe(0);
  return stdout;
}

async function shownBy(server: Server): Promise<Shown> {
  return (await (await server.get('/api/v1/search?q=happy&limit=50')).json()) as Shown;
}

/** Waits until both machines show this number of GIFs from one build. @returns the ids of these GIFs */
async function bothShow(count: number): Promise<string[]> {
  const [first] = await vi.waitFor(
    async () => {
      const shown = await Promise.all(servers.map(shownBy));
      expect(shown.map(({ items }) => items.length)).toEqual([count, count]);
      expect(shown[1]!.build).toBe(shown[0]!.build);
      expect(shown[1]!.items.map(({ id }) => id)).toEqual(shown[0]!.items.map(({ id }) => id));
      return shown;
    },
    { timeout: 480_000, interval: 500 },
  );
  return first!.items.map(({ id }) => id);
}

/** Waits until both machines show all changes to the catalogue. */
async function untilUpToDate(): Promise<void> {
  await vi.waitFor(
    async () => {
      const { nodes } = JSON.parse(await run(one, 'nodes', '--json'));
      const services = nodes.filter(({ role }: { role: string }) => role === 'serve');
      expect(services).toMatchObject([{ behind: 0 }, { behind: 0 }]);
    },
    { timeout: 480_000, interval: 500 },
  );
}

describe.skipIf(parts.postgres === undefined)('two machines with one database and one bucket', () => {
  beforeAll(async () => {
    postgres = await startPostgres(parts.postgres!);
    store = await startS3rver(`${folder.path}/bucket`);
    env = { ZOETROPE_DATABASE_URL: postgres.url, ZOETROPE_EMBEDDER: 'none', ...s3Environment(store.config) };
    const rows = writeManifest(`${folder.path}/rows.jsonl`, [{ title: 'happy' }, { title: 'happy again' }]);
    await run(one, 'add', '--quiet', rows);
    metricsPort = await freePort();
    servers.push(await startServer(one, { ...env, ZOETROPE_METRICS_PORT: `${metricsPort}` }));
  });

  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await store?.stop();
    await postgres?.stop();
    folder[Symbol.dispose]();
  });

  test('serve the same build, which the second machine only fetches', async () => {
    servers.push(await startServer(two, env));
    await bothShow(2);
    const [{ build }] = [await shownBy(servers[1]!)];
    const files = (data: string) => fs.readdirSync(`${data}/builds/${build}`).sort();
    expect(files(two)).toEqual(files(one));
    for (const name of files(two)) {
      expect(
        fs.readFileSync(`${two}/builds/${build}/${name}`).equals(fs.readFileSync(`${one}/builds/${build}/${name}`)),
      ).toBe(true);
    }
  });

  test('are listed by nodes, doctor and metrics', async () => {
    const [{ build }] = [await shownBy(servers[0]!)];
    await vi.waitFor(
      async () => {
        const { nodes, jobs } = JSON.parse(await run(one, 'nodes', '--json'));
        const services = nodes.filter(({ role }: { role: string }) => role === 'serve');
        expect(services).toMatchObject([
          { build, behind: 0, claims: 0 },
          { build, behind: 0, claims: 0 },
        ]);
        expect(jobs.open).toBe(0);
      },
      { timeout: 480_000, interval: 500 },
    );
    expect(await run(one, 'nodes')).toMatch(new RegExp(`serves requests +build ${build}, up \\d+ s\n[^]*open jobs: 0`));
    // s3rver cannot list a single key, so doctor reports a problem with the bucket.
    const { stdout } = await zoetrope(one, ['doctor', '--json'], env);
    const { findings } = JSON.parse(stdout);
    const machines = findings.find(({ check }: { check: string }) => check === 'machines');
    expect(machines).toMatchObject({ state: 'well', message: expect.stringContaining('2 services') });
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    expect(metrics).toContain('zoetrope_nodes{role="serve"} 2\n');
    expect(metrics).toContain('zoetrope_open_jobs 0\n');
  });

  test('show GIFs that either machine adds, with their files, and hide GIFs that either machine hides', async () => {
    writeGifs(`${folder.path}/files`, 3);
    await run(two, 'add', '--quiet', `${folder.path}/files`);
    const ids = await bothShow(5);
    const own = ids.find((id) => /^[0-9a-f]{64}\.gif$/.test(id))!;
    const originals = await Promise.all(
      servers.map(async (server) => Buffer.from(await (await server.get(`/m/${own}`)).arrayBuffer())),
    );
    expect(originals[0]!.subarray(0, 3).toString()).toBe('GIF');
    expect(originals[1]!.equals(originals[0]!)).toBe(true);
    await run(one, 'gif', 'hide', own);
    hidden = own;
    expect(await bothShow(4)).not.toContain(own);
  });

  test('are up to date after an edit of a hidden GIF, which changes nothing', async () => {
    await untilUpToDate();
    // The build stays the same, because it does not contain the hidden GIF.
    const { build } = await shownBy(servers[0]!);
    await run(one, 'gif', 'edit', hidden, '--title', 'not shown');
    await untilUpToDate();
    expect((await shownBy(servers[0]!)).build).toBe(build);
  });

  test('serve the same results after a backup of the database and the bucket is restored', async () => {
    await run(two, 'backup', `${folder.path}/saved`, '--quiet');
    const alone = { ZOETROPE_EMBEDDER: 'none' };
    const restored = `${folder.path}/restored`;
    const { code, stderr } = await zoetrope(restored, ['restore', `${folder.path}/saved`, '--quiet'], alone);
    expect(code, stderr).toBe(0);
    await using server = await startServer(restored, alone);
    const { items } = await shownBy(server);
    expect(items.map(({ id }) => id)).toEqual((await shownBy(servers[0]!)).items.map(({ id }) => id));
    const own = items.filter(({ id }) => /^[0-9a-f]{64}\.gif$/.test(id));
    expect(own.length).toBe(2);
    for (const { id } of own) {
      const [here, there] = await Promise.all([server, servers[0]!].map((each) => each.get(`/m/${id}`)));
      expect(Buffer.from(await here!.arrayBuffer()).equals(Buffer.from(await there!.arrayBuffer()))).toBe(true);
    }
  });

  test('a machine that was killed has the latest build when it is back', async () => {
    await endProcess(servers[1]!.process, 'SIGKILL');
    const rows = writeManifest(`${folder.path}/more.jsonl`, [{ id: 'more.gif', title: 'happy too' }]);
    await run(one, 'add', '--quiet', rows);
    servers[1] = await startServer(two, env);
    expect(await bothShow(5)).toContain('more.gif');
  });

  test('roll back together, and go on together', async () => {
    const { build } = await shownBy(servers[0]!);
    const rows = writeManifest(`${folder.path}/bad.jsonl`, [{ id: 'bad.gif', title: 'happy mistake' }]);
    await run(two, 'add', '--quiet', rows);
    await bothShow(6);
    await run(one, 'builds', 'use', build);
    expect(await bothShow(5)).not.toContain('bad.gif');
    expect((await shownBy(servers[1]!)).build).toBe(build);
    await endProcess(servers[1]!.process, 'SIGKILL');
    fs.rmSync(`${two}/builds`, { recursive: true });
    servers[1] = await startServer(two, env);
    expect((await shownBy(servers[1]!)).build).toBe(build);
    await run(two, 'builds', 'release');
    expect(await bothShow(6)).toContain('bad.gif');
  });
});
