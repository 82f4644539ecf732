import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { SearchResponse } from '@zoetrope/contract';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { loadBuild, readPublished } from '../../packages/server/src/builds/index.ts';
import { moderate } from '../../packages/server/src/moderation/index.ts';
import { openStore } from '../../packages/server/src/service/store.ts';
import { smallGif, writeGifs, writeManifest } from '../support/catalogue.ts';
import { preloadMain } from '../support/faults/sabotage.ts';
import { outcome, spawnZoetrope, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

/** Number of kills, enough to interrupt each part of the work. `npm test -- --all` tries more moments. */
const ROUNDS = inject('cases') === 1 ? 30 : 12;
const FILES = 3;
const LINKED = 120;

/** A long timeout, because a test runs two processes thirty times. */
const PATIENCE = 1_800_000;

// There is no embedder, because 77,500 vectors of meaning would take long, and vectors of pictures are made and
// interrupted in the same way.
beforeAll(() => void vi.stubEnv('ZOETROPE_EMBEDDER', 'none'));

const folder = temporaryFolder();
const data = path.join(folder.path, 'data');

afterAll(() => {
  vi.unstubAllEnvs();
  folder[Symbol.dispose]();
});

/** Returns a seeded random number generator (mulberry32), so that failures are reproducible. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * The time when a command is killed. The kill is the fault under test, so the time does not replace waiting for an
 * event.
 */
interface Kill {
  /** Milliseconds after the start, or after the first progress report. */
  ms: number;
  /** Whether the time starts with the first progress report. */
  isLate?: boolean;
}

interface Killed {
  /** Duration of the command; undefined if it was killed. */
  took: number | undefined;
  /** Duration of an ingest up to its first progress report; undefined if there was none. */
  reported: number | undefined;
}

/** Starts a command and kills it if it does not end earlier. */
async function killAfter(args: string[], { ms, isLate = false }: Kill): Promise<Killed> {
  const start = performance.now();
  const child = spawnZoetrope(data, args);
  const ended = outcome(child);
  const arm = () => setTimeout(() => child.kill('SIGKILL'), ms);
  let timer = isLate ? undefined : arm();
  let said = '';
  let reported: number | undefined;
  child.stderr!.on('data', (chunk) => {
    said += chunk;
    if (reported !== undefined || !said.includes('Reading')) return;
    reported = performance.now() - start;
    timer ??= arm();
  });
  const { signal } = await ended;
  clearTimeout(timer);
  return { took: signal === 'SIGKILL' ? undefined : performance.now() - start, reported };
}

async function milliseconds(args: string[]): Promise<number> {
  const start = performance.now();
  const { code, stderr } = await zoetrope(data, args);
  expect(code, stderr).toBe(0);
  return performance.now() - start;
}

function catalogueIds(): string[] {
  const db = new Sqlite(path.join(data, 'zoetrope.db'), { readonly: true });
  const rows = db.prepare('select id from gifs order by id').all() as { id: string }[];
  db.close();
  return rows.map(({ id }) => id);
}

/** Returns how many linked GIFs and files of a round are in the catalogue. */
function countAdded(round: number): { linked: number; files: number } {
  const ids = catalogueIds();
  const files = fs.globSync(path.join(folder.path, `files-${round}`, '*.gif'));
  const hashes = files.map((file) => createHash('sha256').update(fs.readFileSync(file)).digest('hex'));
  return {
    linked: ids.filter((id) => id.startsWith(`r${round}-`)).length,
    files: hashes.filter((sha256) => ids.includes(`${sha256}.gif`)).length,
  };
}

/** Returns whether the request to add these sources was saved. The request makes one job for each source. */
function isSaved(sources: readonly string[]): boolean {
  const db = new Sqlite(path.join(data, 'zoetrope.db'), { readonly: true });
  const payloads = db.prepare("select payload from jobs where kind = 'source'").pluck().all() as string[];
  db.close();
  const saved = payloads.map((payload) => (JSON.parse(payload) as { path: string }).path);
  return sources.every((source) => saved.includes(source));
}

function source(round: number): string[] {
  const files = path.join(folder.path, `files-${round}`);
  fs.mkdirSync(files, { recursive: true });
  for (let n = 0; n < FILES; n++) {
    fs.writeFileSync(path.join(files, `gif-${round}-${n}.gif`), smallGif(round * 1_009 + n * 31 + 5, 9));
  }
  const manifest = path.join(folder.path, `linked-${round}.jsonl`);
  const rows = Array.from({ length: LINKED }, (_, n) => ({
    id: `r${round}-${n}.gif`,
    title: `round ${round} row ${n}`,
  }));
  return [files, writeManifest(manifest, rows)];
}

describe('kill -9 at a random moment', () => {
  /**
   * Duration of the last complete ingest, and of its part before the first progress report. They change during the run,
   * because an ingest takes half as long when no other tests run.
   */
  let ingest = { took: 0, reported: 0 };

  beforeAll(async () => {
    writeGifs(path.join(folder.path, 'first'), FILES);
    const { took, reported } = await killAfter(['add', ...source(0)], { ms: PATIENCE });
    ingest = { took: took!, reported: reported! };
  });

  it(
    `of an ingest, ${ROUNDS} times: the next start finishes it, without losses or duplicates`,
    async () => {
      const random = seeded(20261121);
      let killed = 0;
      let saved = 0;
      for (let round = 1; round <= ROUNDS; round++) {
        const args = source(round);
        // Half of the kills happen at a random moment, and half after the process has reported that it reads the
        // sources.
        const isLate = round % 2 === 0;
        const ms = random() * (isLate ? ingest.took - ingest.reported : ingest.took * 1.1);
        const { took, reported } = await killAfter(['add', ...args], { ms, isLate });
        if (took === undefined) killed++;
        else ingest = { took, reported: reported! };
        const wasSaved = isSaved(args);
        if (reported !== undefined) expect(wasSaved, `round ${round} was reported before it was saved`).toBe(true);
        if (wasSaved) saved++;
        const { code, stderr } = await zoetrope(data, ['work']);
        expect(code, stderr).toBe(0);
        const expected = wasSaved ? { linked: LINKED, files: FILES } : { linked: 0 };
        expect(countAdded(round), `round ${round}`).toMatchObject(expected);
        // A request that was not saved is not finished by later processes, so it is made again.
        if (!wasSaved) await milliseconds(['add', ...args]);
      }
      expect(saved).toBeGreaterThanOrEqual(ROUNDS / 2);
      expect(killed).toBeGreaterThan(ROUNDS / 2);
      const ids = catalogueIds();
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.filter((id) => /^r\d/.test(id))).toHaveLength((ROUNDS + 1) * LINKED);
      expect(ids.filter((id) => /^[0-9a-f]{64}\.gif$/.test(id))).toHaveLength((ROUNDS + 1) * FILES);
    },
    PATIENCE,
  );

  it('leaves every original and preview whole', async () => {
    await using server = await startServer(data);
    const ids = catalogueIds().filter((id) => /^[0-9a-f]{64}\.gif$/.test(id));
    const response = await server.get('/api/v1/search?mode=text&q=gif&limit=200');
    const { items } = (await response.json()) as SearchResponse;
    const own = items.filter((item) => ids.includes(item.id));
    expect(own).toHaveLength(Math.min(ids.length, 200));
    for (const { url, bytes, previews } of own) {
      const original = new Uint8Array(await (await fetch(url)).arrayBuffer());
      expect(original).toHaveLength(bytes ?? -1);
      const still = new Uint8Array(await (await fetch(previews.w240.still)).arrayBuffer());
      expect(Buffer.from(still.subarray(-8)).toString('latin1')).toContain('IEND');
    }
  });

  it(
    `of a build, ${ROUNDS} times: there is always a complete build to read`,
    async () => {
      const random = seeded(7);
      const { db } = await openStore(data);
      let buildMs = await milliseconds(['build']);
      let killed = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const id = `r${round}-0.gif`;
        await moderate(db, { actor: 'test', now: Date.now() }, id, { action: 'hide' });
        const { took } = await killAfter(['build'], { ms: random() * buildMs });
        if (took === undefined) killed++;
        else buildMs = took;
        const manifest = await readPublished(path.join(data, 'builds'));
        await loadBuild(path.join(data, 'builds'), manifest!, 1);
      }
      await db.destroy();
      expect(killed).toBeGreaterThan(ROUNDS / 2);
      for (const name of fs.readdirSync(path.join(data, 'builds'))) {
        // The files look as if the process that wrote them had died long ago.
        if (name.endsWith('.part')) fs.utimesSync(path.join(data, 'builds', name), 0, 0);
      }
      const { code } = await zoetrope(data, ['work']);
      expect(code).toBe(0);
      const manifest = await readPublished(path.join(data, 'builds'));
      expect(manifest?.engine.documents).toBe(catalogueIds().length - ROUNDS);
      expect(fs.readdirSync(path.join(data, 'builds')).filter((name) => name.endsWith('.part'))).toEqual([]);
    },
    PATIENCE,
  );
});

it('refuses a second writer and a second server on the same data folder', async () => {
  await using server = await startServer(data);
  const second = await zoetrope(data, ['serve']);
  expect(second).toMatchObject({ code: 1 });
  expect(second.stderr).toContain('zoetrope serve (process');
  const note = path.join(data, 'writer.lock.holder');
  const end = path.join(folder.path, 'end-the-first-writer');
  // The first writer has the lock when it writes the note. Then it waits until the test writes a file.
  const pauseWithLock = `
    const { writeFileSync } = fs;
    fs.writeFileSync = (file, ...rest) => {
      writeFileSync(file, ...rest);
      const nothing = new Int32Array(new SharedArrayBuffer(4));
      while (file === ${JSON.stringify(note)} && !fs.existsSync(${JSON.stringify(end)})) Atomics.wait(nothing, 0, 0, 10);
    };`;
  const writer = spawnZoetrope(data, ['add', path.join(folder.path, 'first')], preloadMain(folder.path, pauseWithLock));
  const ended = outcome(writer);
  try {
    const holder = `zoetrope (process ${writer.pid})`;
    await vi.waitFor(() => expect(fs.readFileSync(note, 'utf8')).toBe(holder), { timeout: 480_000 });
    const refused = await zoetrope(data, ['work']);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain(`${holder} is already working on`);
    expect(writer.exitCode).toBeNull();
  } finally {
    fs.writeFileSync(end, '');
  }
  const { code, stderr } = await ended;
  expect(code, stderr).toBe(0);
  expect(server.process.exitCode).toBeNull();
});
