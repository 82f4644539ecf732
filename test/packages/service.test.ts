import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocksGif } from '../support/catalogue.ts';
import { DEVELOPMENT, freePort, temporaryFolder } from '../support/server.ts';

const run = promisify(execFile);
/** The first paths to request. Their pages load or link to everything else. */
const PAGES = [
  '/',
  '/developers',
  '/dashboard',
  '/font.woff2',
  '/gif-picker.js',
  '/gif-picker-de.js',
  '/gif-picker-favourites.js',
  '/gif-picker-more.js',
  '/gif-client.js',
  '/gif-client.d.ts',
];

describe('the archive of the service', () => {
  const folder = temporaryFolder();
  const app = path.join(folder.path, 'empty');
  const installed = path.join(app, 'node_modules/zoetrope');
  const quiet = { ZOETROPE_RATES: 'off', ZOETROPE_REQUEST_LOG: 'off', npm_config_prefer_offline: 'true' };
  const settings = { ...process.env, ...quiet };

  beforeAll(async () => {
    await run(process.execPath, ['tools/pack.ts', folder.path, 'service']);
    const [archive] = fs.globSync(`${folder.path}/zoetrope-*.tgz`);
    fs.mkdirSync(app);
    await run('npm', ['install', archive!], { cwd: app, env: settings });
  });

  afterAll(() => folder[Symbol.dispose]());

  /** Starts `npx zoetrope serve` in the folder, and waits until it listens. */
  async function serve(env: Record<string, string> = {}): Promise<{ url: string } & AsyncDisposable> {
    const all = { ...settings, ZOETROPE_PORT: `${await freePort()}`, ...env };
    const child = spawn('npx', ['zoetrope', 'serve'], { cwd: app, env: all, stdio: ['ignore', 'pipe', 'ignore'] });
    for await (const line of readline.createInterface({ input: child.stdout })) {
      const url = /page\s+(\S+?)\/?$/.exec(line)?.[1];
      if (url === undefined) continue;
      child.stdout.resume();
      return {
        url,
        async [Symbol.asyncDispose]() {
          child.kill();
          await expect.poll(() => answers(url)).toBe(false);
        },
      };
    }
    throw new Error('the service did not start');
  }

  it('finds a GIF of the operator after three commands in an empty folder, and shows every page', async () => {
    fs.writeFileSync(path.join(app, 'happy-otter.gif'), blocksGif({ width: 64, height: 48, delays: [9, 9], seed: 1 }));
    await using service = await serve({ ZOETROPE_STARTER: 'off' });
    await run('npx', ['zoetrope', 'add', 'happy-otter.gif'], { cwd: app, env: settings });
    await expect.poll(() => titles(service.url, 'happy otter')).toEqual(['happy otter']);
    await expect.poll(() => titles(service.url, 'glad animal', 'semantic')).toEqual(['happy otter']);
    expect((await fetch(`${service.url}/api/v1/suggest?q=🦦`, { headers: DEVELOPMENT })).status).toBe(200);
    const statuses = await crawl(service.url, PAGES);
    expect(Object.entries(statuses).filter(([, status]) => status !== 200)).toEqual([]);
    expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['/home.js', '/zoetrope.css', '/privacy']));
  });

  it('draws the starter catalogue', async () => {
    await using service = await serve({ ZOETROPE_DATA: 'new', ZOETROPE_EMBEDDER: 'none' });
    await expect.poll(() => titles(service.url, '😂').then((found) => found.length)).toBeGreaterThan(0);
  });

  it('has the version, the manual page and all models of the repository', async () => {
    const { stdout } = await run('npx', ['zoetrope', '--version'], { cwd: app, env: settings });
    expect(stdout.trim()).toBe(JSON.parse(fs.readFileSync('package.json', 'utf8')).version);
    expect(fs.readFileSync(path.join(installed, 'man/zoetrope.1'), 'utf8')).toMatch(/^\.TH/);
    const models = (root: string) => fs.globSync('packages/server/models/*.{onnx,bin,json}', { cwd: root }).toSorted();
    expect(models(installed)).toEqual(models('.'));
  });

  it('keeps only the native libraries for this system', () => {
    const systems = fs.globSync('packages/node_modules/onnxruntime-node/bin/*/*/*', { cwd: installed });
    expect(systems.map((each) => each.split('/').slice(-2))).toEqual([[process.platform, process.arch]]);
    expect(fs.globSync('**/*_cuda*', { cwd: installed })).toEqual([]);
    const prebuilds = fs.readdirSync(path.join(installed, 'packages/node_modules/better-sqlite3/prebuilds'));
    expect(prebuilds.every((name) => name.startsWith(process.platform) && name.endsWith(`-${process.arch}.node`))).toBe(
      true,
    );
    expect(prebuilds).toContain(`${process.platform}-${process.arch}.node`);
  });

  it.each([
    ['20.9.0', /^Node 20\.9\.0 is too old for Zoetrope; downloading Node 24 .*\n$/, 0],
    ['18.20.0', /^Zoetrope needs Node 20 or newer; this is Node 18\.20\.0\.\n$/, 1],
  ])('with Node %s', async (version, message, code) => {
    const versions = `{ value: { ...process.versions, node: '${version}' } }`;
    const pretend = `data:text/javascript,Object.defineProperty(process, 'versions', ${versions})`;
    const command = path.join(installed, 'tools/archive/zoetrope.mjs');
    const outcome = await run(process.execPath, ['--import', pretend, command, '--version'], { env: settings }).then(
      ({ stderr }) => ({ code: 0, stderr }),
      (error: { code: number; stderr: string }) => ({ code: error.code, stderr: error.stderr }),
    );
    expect(outcome).toEqual({ code, stderr: expect.stringMatching(message) });
  });
});

/** Returns the titles of the GIFs that a search finds. */
async function titles(url: string, query: string, mode = 'auto'): Promise<string[]> {
  const response = await fetch(`${url}/api/v1/search?q=${encodeURIComponent(query)}&mode=${mode}`, {
    headers: DEVELOPMENT,
  });
  const { items = [] } = (await response.json()) as { items?: { title: string }[] };
  return items.map(({ title }) => title);
}

/** Paths that mean nothing without the parameters of their links. */
const NEED_PARAMETERS = new Set(['/language', '/oembed']);

/** Requests these paths and everything that their pages lead to. @returns the status of each path */
async function crawl(origin: string, paths: readonly string[]): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  const open = [...paths];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (statuses[next] !== undefined) continue;
    const response = await fetch(origin + next);
    statuses[next] = response.status;
    const isPage = response.headers.get('content-type')?.startsWith('text/html') === true;
    const text = await response.text();
    for (const [, target] of isPage ? text.matchAll(/(?:href|src)="([^"#?]+)/g) : []) {
      const url = new URL(target!, response.url);
      if (url.origin === origin && !NEED_PARAMETERS.has(url.pathname)) open.push(url.pathname);
    }
  }
  return statuses;
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}
