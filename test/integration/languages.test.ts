import fs from 'node:fs';
import path from 'node:path';
import type { SearchResponse } from '@zoetrope/contract';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { writeDictd } from '../../packages/server/src/languages/testing/write-dictd.ts';
import type { Report } from '../../packages/server/src/upkeep/doctor/index.ts';
import { writeManifest } from '../support/catalogue.ts';
import { writeTitles } from '../support/catalogues.ts';
import { prepareData } from '../support/prepared-data.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

const ENV = { ZOETROPE_EMBEDDER: 'none', ZOETROPE_RATING: 'off', ZOETROPE_CAPTIONS: 'off', ZOETROPE_THREADS: '1' };
const SOON = { timeout: 480_000, interval: 100 };

const folder = temporaryFolder();
const data = path.join(folder.path, 'data');
let server: Server;

beforeAll(async () => {
  await prepareData(inject('prepared'), folder.path, writeTitles);
  server = await startServer(data, ENV);
});

afterAll(async () => {
  await server.stop();
  folder[Symbol.dispose]();
});

const languages = (...args: string[]) => zoetrope(data, ['languages', ...args], ENV);

async function titles(q: string, lang?: string): Promise<string[]> {
  const parameters = new URLSearchParams(lang === undefined ? { q } : { q, lang });
  const response = await server.get(`/api/v1/search?${parameters}`);
  return ((await response.json()) as SearchResponse).items.map(({ title }) => title);
}

async function checked(): Promise<Report['findings'][number]> {
  const { stdout } = await zoetrope(data, ['doctor', '--json', '--quiet'], ENV);
  return (JSON.parse(stdout) as Report).findings.find(({ check }) => check === 'dictionaries')!;
}

test('a dictionary is used without a restart, and also after one, until it is removed', async () => {
  expect((await languages('list')).stdout).toMatch(/No dictionaries added yet/);
  expect(await titles('kaulquappen')).toEqual([]);
  const file = writeDictd(folder.path, 'deu-eng', { kaulquappe: 'tadpole', traurig: 'tadpole' });
  const { code, stdout, stderr } = await languages('add', file);
  expect(code, stderr).toBe(0);
  expect(stdout).toBe('Added deu-eng  de, 2 words, A test dictionary\n  Free for all\n');
  await expect.poll(() => titles('kaulquappen'), SOON).toEqual(['swimming tadpole']);
  // Our own dictionary has this word and takes precedence.
  expect(await titles('traurig')).toEqual(['sad frog']);
  const listed = JSON.parse((await languages('list', '--json')).stdout);
  expect(listed).toEqual([expect.objectContaining({ name: 'deu-eng', language: 'de', terms: 2 })]);
  expect(await checked()).toMatchObject({ state: 'well', message: 'deu-eng' });

  await server.stop();
  server = await startServer(data, ENV);
  expect(await titles('kaulquappen')).toEqual(['swimming tadpole']);

  expect((await languages('remove', 'deu-eng')).stdout).toBe('Removed deu-eng.\n');
  await expect.poll(() => titles('kaulquappen'), SOON).toEqual([]);
  expect(fs.readdirSync(path.join(data, 'languages'))).toEqual([]);
});

test('the language of the user decides how a word of several languages is read', async () => {
  const rows = ['halo ring', 'wave hello'].map((title, i) => ({ title, id: `hello-${i}.gif` }));
  const manifest = writeManifest(path.join(folder.path, 'hello.jsonl'), rows);
  expect(await zoetrope(data, ['add', '--quiet', manifest], ENV)).toMatchObject({ code: 0 });
  await expect.poll(() => titles('halo'), SOON).toEqual(['halo ring']);
  for (const lang of ['id', 'id-ID', 'in', 'ID']) expect((await titles('halo', lang))[0], lang).toBe('wave hello');
  // Each language has its own cached response, and an unknown or empty one changes nothing.
  for (const lang of ['', 'en', 'fr', 'xx', 'x'.repeat(200), '%'])
    expect(await titles('halo', lang), lang).toEqual(['halo ring']);
  const twice = await server.get('/api/v1/search?q=halo&lang=id&lang=de');
  expect(twice.status).toBe(400);
});

test('mistakes are explained, and a damaged pack does not stop the service', async () => {
  const other = path.join(folder.path, 'notes.txt');
  fs.writeFileSync(other, 'kaulquappe: tadpole');
  expect(await languages('add', other)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/notes\.txt is not a dictionary that Zoetrope reads/),
  });
  const useless = writeDictd(folder.path, 'nld-eng', { kikkervisje: 'het jong van een kikker' });
  expect(await languages('add', useless)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/has no words with an English meaning/),
  });
  const good = writeDictd(folder.path, 'deu-eng', { kaulquappe: 'tadpole' });
  expect(await languages('add', good)).toMatchObject({ code: 0 });
  expect(await languages('remove', 'fra-eng')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/There is no dictionary fra-eng; there are deu-eng/),
  });
  const [content] = fs.readdirSync(path.join(data, 'languages')).filter((name) => name.endsWith('.bin'));
  fs.truncateSync(path.join(data, 'languages', content!), 10);
  expect(await checked()).toMatchObject({
    state: 'wrong',
    message: expect.stringMatching(/The dictionary deu-eng is damaged: add it again/),
  });
  await server.stop();
  server = await startServer(data, ENV);
  expect(await titles('traurig')).toEqual(['sad frog']);
});
