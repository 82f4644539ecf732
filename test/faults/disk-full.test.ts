import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Browser } from '../../packages/server/src/account/testing/browser.ts';
import { endProcess } from '../../packages/server/src/platform/testing/end-process.ts';
import { writeGifs, writeManifest } from '../support/catalogue.ts';
import {
  DEVELOPMENT,
  freePort,
  type Outcome,
  outcome,
  programCommand,
  temporaryFolder,
  zoetrope,
} from '../support/server.ts';

/* With a full disk, all essential functions still work, and stored files are served. */

const GIFS = 3;
/** Number of linked GIFs. A build with this number of GIFs needs more space than `LEFT`. */
const LINKED = 1_500;
const LEFT = '512K';

const folder = temporaryFolder();
const at = (...names: string[]) => path.join(folder.path, ...names);
const ENV = {
  ZOETROPE_EMBEDDER: 'none',
  ZOETROPE_DISK_RESERVE_BYTES: '0',
  ZOETROPE_RATES: 'off',
  ZOETROPE_LINKED_PROBE: 'off',
};
const NOT_HERE = {
  ZOETROPE_RATING: 'off',
  ZOETROPE_CAPTIONS: 'off',
  ZOETROPE_STARTER: 'off',
  ZOETROPE_REQUEST_LOG: 'off',
};

beforeAll(async () => {
  writeGifs(at('gifs'), GIFS);
  const rows = Array.from({ length: LINKED }, (_, n) => ({
    title: `sad ${createHash('sha256').update(`${n}`).digest('hex')} `.repeat(8),
  }));
  const manifest = writeManifest(at('rows.jsonl'), rows);
  const { code, stderr } = await zoetrope(at('made'), ['add', '--quiet', at('gifs'), manifest], ENV);
  expect(code, stderr).toBe(0);
  fs.mkdirSync(at('disk'));
});

afterAll(() => folder[Symbol.dispose]());

interface OnDisk extends AsyncDisposable {
  url: string;
  run(...args: string[]): Promise<Outcome>;
  complaints(): string;
  fill(): void;
}

/**
 * Starts the service on a copy of the data folder, on a separate file system. Before that, the script `prepare`
 * prepares the file system.
 */
async function startOnDisk(prepare: string, settings: Record<string, string> = {}): Promise<OnDisk> {
  const port = await freePort();
  const disk = at('disk');
  const script = `mount -t tmpfs -o size=48m none ${disk} && cp -r ${at('made')} ${disk}/data && ${prepare} && exec "$@"`;
  const asUser = ['--map-root-user', '--mount'];
  const flags = spawnSync('unshare', [...asUser, 'true']).status === 0 ? asUser : ['--mount'];
  const child: ChildProcess = spawn('unshare', [...flags, 'sh', '-c', script, 'sh', ...programCommand(['serve'])], {
    env: { ...process.env, ...NOT_HERE, ...ENV, ...settings, ZOETROPE_DATA: `${disk}/data`, ZOETROPE_PORT: `${port}` },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaints = '';
  child.stderr!.on('data', (chunk) => {
    complaints += chunk;
  });
  const url = `http://127.0.0.1:${port}`;
  const isReady = () => fetch(`${url}/readyz`).then(({ ok }) => expect(ok, complaints).toBe(true));
  await vi.waitFor(isReady, { timeout: 480_000, interval: 50 });
  const into = [
    '--target',
    `${child.pid}`,
    '--mount',
    ...(flags === asUser ? ['--user', '--preserve-credentials'] : []),
  ];
  // The path into the other mount namespace, for files that are not databases.
  const data = `/proc/${child.pid}/root${disk}/data`;
  return {
    url,
    run: (...args) =>
      outcome(
        spawn('nsenter', [...into, ...programCommand(args)], {
          env: { ...process.env, ...NOT_HERE, ...ENV, ZOETROPE_DATA: `${disk}/data` },
          stdio: ['ignore', 'pipe', 'pipe'],
        }),
      ),
    complaints: () => complaints,
    fill: () => fill(path.join(data, 'filler')),
    [Symbol.asyncDispose]: () => endProcess(child, 'SIGTERM'),
  };
}

/** Fills the disk completely. */
function fill(file: string): void {
  const handle = fs.openSync(file, 'a');
  for (const size of [1_048_576, 65_536, 4_096, 1]) {
    try {
      while (fs.writeSync(handle, Buffer.alloc(size)) === size);
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' });
    }
  }
  fs.closeSync(handle);
}

async function idsOf(url: string): Promise<string[]> {
  const answer = await fetch(`${url}/api/v1/search?q=happy&mode=text`, { headers: DEVELOPMENT });
  return ((await answer.json()) as { items: { id: string }[] }).items.map(({ id }) => id);
}

test('GIFs can be hidden and reported, clients suspended, and users can sign out', async () => {
  await using service = await startOnDisk('true');
  const browser = new Browser(service.url, service.url);
  expect((await browser.signIn({ now: Date.now() })).status).toBe(200);
  const { run } = service;
  const created = await run('client', 'add', 'Wisp', '--json');
  expect(created.code, created.stderr).toBe(0);
  const { id } = JSON.parse(created.stdout) as { id: string };
  const [first, second] = await idsOf(service.url);
  service.fill();
  const hidden = await run('gif', 'hide', first!);
  expect(hidden.code, hidden.stderr).toBe(0);
  await vi.waitFor(async () => expect(await idsOf(service.url)).toHaveLength(GIFS - 1), { timeout: 480_000 });
  service.fill();
  const suspended = await run('client', 'suspend', id);
  expect(suspended.code, suspended.stderr).toBe(0);
  service.fill();
  const body = new URLSearchParams({ gif: second!, reason: 'illegal' });
  const report = await fetch(`${service.url}/report`, { method: 'POST', body, redirect: 'manual' });
  expect(report.status).toBe(303);
  service.fill();
  expect((await browser.ask('POST /account/sign-out')).status).toBe(200);
  expect(await idsOf(service.url)).toHaveLength(GIFS - 1);
});

test('strangers cannot use up the space that is reserved for operators', async () => {
  const { secretKey, pubkey } = new Browser('', '');
  await using service = await startOnDisk('true', { ZOETROPE_ADMINS: pubkey });
  const stranger = new Browser(service.url, service.url);
  const [first, second] = await idsOf(service.url);
  let [challenges, refusedSignIns, refusedReports] = [0, 0, 0];
  for (let round = 0; round < 30; round++) {
    service.fill();
    for (let n = 0; n < 10; n++) {
      if ((await stranger.ask('POST /auth/challenge')).status === 200) challenges++;
    }
    const { status } = await stranger.signIn({ now: Date.now() });
    if (status === 503) refusedSignIns++;
    const message = `${'different '.repeat(180)}${round}`;
    const body = new URLSearchParams({ gif: second!, reason: 'other', message });
    const report = await fetch(`${service.url}/report`, { method: 'POST', body, redirect: 'manual' });
    if (report.status === 503) refusedReports++;
  }
  expect(challenges).toBe(300);
  expect(refusedSignIns).toBe(30);
  expect(refusedReports).toBeGreaterThan(20);
  const operator = Object.assign(new Browser(service.url, service.url), { secretKey, pubkey });
  const now = Date.now();
  expect((await operator.signIn({ now })).body).toMatchObject({ isOperator: true });
  service.fill();
  const hidden = await operator.ask(`POST /review/gifs/${first}/moves`, { action: 'hide' });
  expect(hidden.status, JSON.stringify(hidden.body)).toBe(200);
  await vi.waitFor(async () => expect(await idsOf(service.url)).not.toContain(first), { timeout: 480_000 });
  // The space for hiding GIFs is reserved separately, so that it is available even if operators have used up their
  // share for other actions.
  const { run } = service;
  for (let n = 0; n < 10; n++) {
    service.fill();
    await run('client', 'add', `Client ${n}`);
  }
  service.fill();
  const other = await run('gif', 'hide', second!);
  expect(other.code, other.stderr).toBe(0);
});

test('finished GIFs are served from memory if there is no room for a build', async () => {
  const inside = `${at('disk')}/data`;
  const fillIt = `(cat /dev/zero > ${inside}/filler || true) && truncate -s -${LEFT} ${inside}/filler`;
  const noRoom = `rm -r ${inside}/builds ${inside}/disk-reserve-* && ${fillIt}`;
  await using service = await startOnDisk(noRoom);
  expect(await idsOf(service.url)).toHaveLength(GIFS);
  expect(service.complaints()).toContain('from memory');
  const { items } = (await (
    await fetch(`${service.url}/api/v1/search?q=happy&mode=text`, { headers: DEVELOPMENT })
  ).json()) as { items: { url: string; title: string }[] };
  expect(items[0]!.title).toContain('happy');
  expect((await fetch(items[0]!.url)).status).toBe(200);
  const hidden = await service.run('gif', 'hide', (await idsOf(service.url))[0]!);
  expect(hidden.code, hidden.stderr).toBe(0);
  await vi.waitFor(async () => expect(await idsOf(service.url)).toHaveLength(GIFS - 1), { timeout: 480_000 });
});
