import fs from 'node:fs';
import path from 'node:path';
import type { SearchResponse } from '@zoetrope/contract';
import { afterAll, beforeAll, beforeEach, expect, inject, onTestFailed, test } from 'vitest';
import type { Report } from '../../packages/server/src/upkeep/doctor/index.ts';
import { writeTitles } from '../support/catalogues.ts';
import { prepareData } from '../support/prepared-data.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

const ENV = { ZOETROPE_EMBEDDER: 'none', ZOETROPE_RATING: 'off', ZOETROPE_CAPTIONS: 'off', ZOETROPE_THREADS: '2' };
/** Settings of the service. With this log level, the service logs when it has read the synonyms. */
const SERVE = { ...ENV, ZOETROPE_LOG_LEVEL: 'info' };
const SOON = { timeout: 480_000, interval: 100 };

const folder = temporaryFolder();
const data = path.join(folder.path, 'data');
const file = path.join(data, 'synonyms.txt');
let server: Server;
let log = '';

beforeAll(async () => {
  await prepareData(inject('prepared'), folder.path, writeTitles);
  server = await startServer(data, SERVE);
  server.process.stderr!.on('data', (chunk) => {
    log += String(chunk);
  });
});

beforeEach(() => onTestFailed(() => console.error(log)));

afterAll(async () => {
  await server.stop();
  folder[Symbol.dispose]();
});

const search = async (q: string) =>
  (await (await server.get(`/api/v1/search?q=${encodeURIComponent(q)}`)).json()) as SearchResponse;
const titles = async (q: string) => (await search(q)).items.map(({ title }) => title);

/** Expects these results from every thread. Opens enough connections to reach each thread. */
async function always(q: string, expected: string[]): Promise<void> {
  await expect
    .poll(async () => new Set(await Promise.all(Array.from({ length: 8 }, async () => (await titles(q)).join()))), SOON)
    .toEqual(new Set([expected.join()]));
}

test("an operator's synonyms are used without a restart, until they are removed", async () => {
  // The service corrects the word, because the word does not have a synonym yet.
  expect(await search('hodl')).toMatchObject({ corrected: 'hold', count: 1 });
  await always('gm', []);
  fs.writeFileSync(file, '# our own words\ngm = sunrise greeting\nhodl = wagmi = lunar trip\n');
  await always('gm', ['sunrise greeting']);
  await always('lunar trip', ['wagmi rocket']);
  const found = await search('hodl');
  expect(found.items.map(({ title }) => title)).toEqual(['wagmi rocket']);
  expect(found.corrected).toBeUndefined();
  fs.rmSync(file);
  await always('gm', []);
});

test('a mistake in the file is logged and found by the doctor, and the earlier synonyms stay in use', async () => {
  fs.writeFileSync(file, 'gm = sunrise');
  await always('gm', ['sunrise greeting']);
  fs.writeFileSync(file, 'gm = sunrise\ngn sleep\n');
  await expect.poll(() => log, SOON).toContain('could not read the synonyms');
  expect(log).toContain('line 2 of');
  await always('gm', ['sunrise greeting']);
  const { code, stdout } = await zoetrope(data, ['doctor', '--json', '--quiet'], ENV);
  expect(code).toBe(1);
  const { findings } = JSON.parse(stdout) as Report;
  expect(findings.find(({ check }) => check === 'synonyms')).toMatchObject({
    state: 'wrong',
    message: expect.stringMatching(/line 2 of .*synonyms\.txt needs at least two words or phrases/),
  });
});

test('a service that starts with synonyms uses them from its first response on', async () => {
  fs.writeFileSync(file, 'gm = sunrise');
  await server.stop();
  server = await startServer(data, SERVE);
  expect(await titles('gm')).toEqual(['sunrise greeting']);
});
