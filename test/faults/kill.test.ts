import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import type { SearchResponse } from '@zoetrope/contract';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { moderate } from '../../packages/server/src/catalog/index.ts';
import { loadBuild, readPublished } from '../../packages/server/src/index/index.ts';
import { openStore } from '../../packages/server/src/service/store.ts';
import { smallGif, writeGifs, writeManifest } from '../support/catalogue.ts';
import { outcome, spawnZoetrope, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

const ROUNDS = 30;
const FILES = 3;
const LINKED = 120;

/** A timeout that is longer than usual, because a test runs two processes thirty times. */
const PATIENCE = 1_800_000;

// 77,500 vectors of meaning would take long, and vectors of pictures are made and interrupted in the same way.
vi.stubEnv('ZOETROPE_EMBEDDER', 'none');

const folder = temporaryFolder();
const data = path.join(folder.path, 'data');

afterAll(() => folder[Symbol.dispose]());

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
 * Starts a command and kills it after some time. The kill is the fault under test, and the time is not a wait for an
 * event.
 * @returns how long the command took, if the command ended earlier
 */
async function killAfter(args: string[], ms: number): Promise<number | undefined> {
  const start = performance.now();
  const child = spawnZoetrope(data, args);
  const ended = outcome(child);
  const timer = setTimeout(() => child.kill('SIGKILL'), ms);
  const { signal } = await ended;
  clearTimeout(timer);
  return signal === 'SIGKILL' ? undefined : performance.now() - start;
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
   * Duration of the last complete ingest. The duration changes, because without other tests an ingest takes half as
   * long.
   */
  let ingestMs = 0;

  beforeAll(async () => {
    writeGifs(path.join(folder.path, 'first'), FILES);
    ingestMs = await milliseconds(['add', ...source(0)]);
  });

  it(
    `of an ingest, ${ROUNDS} times: the next start finishes it, without losses or duplicates`,
    async () => {
      const random = seeded(20261121);
      let killed = 0;
      for (let round = 1; round <= ROUNDS; round++) {
        const args = source(round);
        const took = await killAfter(['add', ...args], random() * ingestMs * 1.1);
        if (took === undefined) killed++;
        else ingestMs = took;
        const { code, stderr } = await zoetrope(data, ['work']);
        expect(code, stderr).toBe(0);
        const ids = catalogueIds();
        const expected = 'if the kill came before the request was saved, there is nothing to finish';
        const mine = ids.filter((id) => id.startsWith(`r${round}-`)).length;
        if (mine === 0) await milliseconds(['add', ...args]);
        else expect(mine, expected).toBe(LINKED);
      }
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
        const took = await killAfter(['build'], random() * buildMs);
        if (took === undefined) killed++;
        else buildMs = took;
        const manifest = await readPublished(path.join(data, 'builds'));
        await loadBuild(path.join(data, 'builds'), manifest!, 1);
      }
      await db.destroy();
      expect(killed).toBeGreaterThan(ROUNDS / 2);
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
  const writer = spawnZoetrope(data, ['add', path.join(folder.path, 'first')]);
  const late = outcome(writer);
  await once(writer.stderr!, 'data');
  const refused = await zoetrope(data, ['build']);
  const { code } = await late;
  expect(code).toBe(0);
  // The first writer can have ended before the second starts, but the two must never run at the same time.
  if (refused.code !== 0) expect(refused.stderr).toContain('is already working on');
  expect(server.process.exitCode).toBeNull();
});
