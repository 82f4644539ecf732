import path from 'node:path';
import type { SearchResponse } from '@zoetrope/contract';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { loadBuild, readPublished } from '../../packages/server/src/builds/index.ts';
import { openShared } from '../../packages/server/src/builds/load.ts';
import { seeded } from '../../packages/starter/src/random.ts';
import { writeManifest } from '../support/catalogue.ts';
import { outcome, spawnZoetrope, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

/** Number of kills, enough to interrupt each part of the work. `npm test -- --all` tries more moments. */
const ROUNDS = inject('cases') === 1 ? 30 : 12;
/** Number of GIFs, enough for a base with deltas. */
const BASE = 20_000;
/** Number of GIFs per round. It is less than a tenth of the base, so only `zoetrope build` makes a new base. */
const ADDED = 80;
/** Every third round runs `zoetrope build` and adds no GIFs. */
const WHOLE = 3;

/** A timeout that is longer than usual, because a test runs two processes thirty times. */
const PATIENCE = 1_800_000;

beforeAll(() => void vi.stubEnv('ZOETROPE_EMBEDDER', 'none'));

const folder = temporaryFolder();
const data = path.join(folder.path, 'data');
const builds = path.join(data, 'builds');

beforeAll(async () => {
  const rows = Array.from({ length: BASE }, (_, n) => ({ id: `base-${n}.gif`, title: `row ${n}` }));
  await run(['add', writeManifest(path.join(folder.path, 'base.jsonl'), rows)]);
}, PATIENCE);

afterAll(() => {
  vi.unstubAllEnvs();
  folder[Symbol.dispose]();
});

async function run(args: string[]): Promise<number> {
  const start = performance.now();
  const { code, stderr } = await zoetrope(data, args);
  expect(code, stderr).toBe(0);
  return performance.now() - start;
}

/**
 * Kills a command after some time, unless the command ends earlier. The kill is the fault under test, and the time is
 * not a wait for an event.
 */
async function killAfter(args: string[], ms: number): Promise<'killed' | 'ended'> {
  const child = spawnZoetrope(data, args);
  const ended = outcome(child);
  const timer = setTimeout(() => child.kill('SIGKILL'), ms);
  const { signal } = await ended;
  clearTimeout(timer);
  return signal === 'SIGKILL' ? 'killed' : 'ended';
}

/** Returns the GIFs that the next start of the service would serve. */
async function served(): Promise<{ has(id: string): boolean; segments: number; gifs: number }> {
  const published = await readPublished(builds);
  const { segments } = await loadBuild(builds, published!, 1);
  const build = openShared(segments);
  return { has: (id) => build.find(id) >= 0, segments: segments.length, gifs: published!.gifs };
}

it(
  `after kill -9 while deltas and bases are written, ${ROUNDS} times, everything acknowledged is served`,
  async () => {
    const random = seeded('kill -9 of a delta');
    const acknowledged: string[] = [];
    let killed = 0;
    let deltas = 0;
    let addMs = await run(['add', manifestOf(0)]);
    let buildMs = await run(['build']);
    for (let round = 1; round <= ROUNDS; round++) {
      const isWhole = round % WHOLE === 0;
      const args = isWhole ? ['build'] : ['add', manifestOf(round)];
      if ((await killAfter(args, random() * (isWhole ? buildMs : addMs))) === 'killed') killed++;
      const after = await served();
      for (const id of acknowledged) expect(after.has(id), `${id} after round ${round}`).toBe(true);
      if (isWhole) buildMs = Math.max(buildMs, await run(['work']));
      else addMs = await run(['add', manifestOf(round)]);
      if (!isWhole) acknowledged.push(...idsOf(round));
      const complete = await served();
      for (const id of acknowledged) expect(complete.has(id), `${id} in round ${round}`).toBe(true);
      if (complete.segments > 1) deltas++;
    }
    expect(killed).toBeGreaterThan(ROUNDS / 2);
    expect(deltas).toBeGreaterThan(ROUNDS / 3);
    expect((await served()).gifs).toBe(BASE + ADDED + acknowledged.length);
    await using server = await startServer(data);
    const response = await server.get(
      `/api/v1/search?mode=text&q=${encodeURIComponent(`"round ${ROUNDS - 1}" row 7`)}`,
    );
    const { items } = (await response.json()) as SearchResponse;
    expect(items[0]?.id).toBe(`r${ROUNDS - 1}-7.gif`);
  },
  PATIENCE,
);

function idsOf(round: number): string[] {
  return Array.from({ length: ADDED }, (_, n) => `r${round}-${n}.gif`);
}

function manifestOf(round: number): string {
  const rows = idsOf(round).map((id, n) => ({ id, title: `round ${round} row ${n}` }));
  return writeManifest(path.join(folder.path, `round-${round}.jsonl`), rows);
}
