import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFakeS3 } from '../../packages/server/src/platform/blobs/testing/fake-s3.ts';
import type { Report } from '../../packages/server/src/upkeep/doctor/index.ts';
import { smallGif, writeGifs, writeManifest } from '../support/catalogue.ts';
import { s3Environment } from '../support/s3.ts';
import { startServer, temporaryFolder, zoetrope } from '../support/server.ts';

const FILES = 4;
const ENV = { ZOETROPE_EMBEDDER: 'none' };

const folder = temporaryFolder();
const at = (...names: string[]) => path.join(folder.path, ...names);
/** A data folder without problems. Tests damage copies of it. */
const good = at('good');

beforeAll(async () => {
  writeGifs(at('gifs'), FILES);
  const rows = writeManifest(at('linked.jsonl'), [{ title: 'cat' }, { title: 'dog' }]);
  const { code, stderr } = await zoetrope(good, ['add', '--quiet', at('gifs'), rows], ENV);
  expect(code, stderr).toBe(0);
});

afterAll(() => folder[Symbol.dispose]());

let copies = 0;
function copyOfGood(): string {
  const data = at(`data-${copies++}`);
  fs.cpSync(good, data, { recursive: true, preserveTimestamps: true });
  return data;
}

interface Diagnosis extends Report {
  code: number | null;
  /** Returns the first finding of a check. */
  of(check: string): { state: string; message: string; items: string[] } | undefined;
}

async function doctor(data: string, args: string[] = [], env: Record<string, string> = {}): Promise<Diagnosis> {
  const { code, stdout, stderr } = await zoetrope(data, ['doctor', '--json', '--quiet', ...args], { ...ENV, ...env });
  expect(stderr).toBe('');
  const report = JSON.parse(stdout) as Report;
  return { ...report, code, of: (name) => report.findings.find(({ check }) => check === name) };
}

/** Returns the paths of the media files in a data folder, below `media`. */
function mediaOf(data: string, start: string): string[] {
  const root = path.join(data, 'media');
  const entries = fs.readdirSync(path.join(root, start), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => path.relative(root, path.join(entry.parentPath, entry.name))).sort();
}

const idOf = (key: string) => `${path.basename(key).split('.')[0]}.gif`;

test('a disk that is nearly full stops media before the database, and the doctor reports it', async () => {
  const data = copyOfGood();
  const env = { ...ENV, ZOETROPE_DISK_RESERVE_BYTES: '9000000000000000' };
  fs.writeFileSync(at('one-more.gif'), smallGif(99));
  const added = await zoetrope(data, ['add', '--quiet', at('one-more.gif')], env);
  expect([added.code, added.stderr]).toEqual([1, expect.stringContaining('ZOETROPE_DISK_RESERVE_BYTES reserves')]);
  const { code, of } = await doctor(data, [], env);
  expect(code).toBe(1);
  expect(of('data folder')).toMatchObject({
    state: 'wrong',
    message: expect.stringContaining('no media can be stored'),
  });
  expect(of('linked originals')).toMatchObject({ state: 'well', message: 'are not stored' });
  expect((await zoetrope(data, ['work', '--quiet'], ENV)).code).toBe(0);
});

describe('a healthy service', () => {
  test('is reported as healthy to people and to programs', async () => {
    const { code, stdout } = await zoetrope(good, ['doctor', '--media', '--quiet'], ENV);
    expect(stdout).toMatch(/^ok +build +b\w+ is intact and contains 6 GIFs$/m);
    expect(stdout).toMatch(/^ok +originals +4 are intact$/m);
    expect(stdout).toMatch(/No problems found\.\n$/);
    expect(code).toBe(0);
    expect(await doctor(good, ['--media'])).toMatchObject({ well: true, code: 0 });
  });

  test('is not changed by the doctor, and can run at the same time', async () => {
    const data = copyOfGood();
    await using server = await startServer(data, ENV);
    expect(await doctor(data, ['--media'])).toMatchObject({ well: true });
    expect((await server.get('/api/v1/search?q=cat')).status).toBe(200);
    expect(mediaOf(data, '')).toEqual(mediaOf(good, ''));
  });

  test('needs the MP4s that it has made', async () => {
    const data = copyOfGood();
    await using server = await startServer(data, ENV);
    const { items } = (await (await server.get('/api/v1/search?q=dance')).json()) as {
      items: { mp4: string; previewMp4: string }[];
    };
    const made = await Promise.all(items.flatMap(({ mp4, previewMp4 }) => [fetch(mp4), fetch(previewMp4)]));
    expect(made.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    const { of } = await doctor(data, ['--media']);
    expect(of('foreign files')).toMatchObject({ state: 'well' });
  });

  test('has an embedder that works', async () => {
    const { code, of } = await doctor(good, [], { ZOETROPE_EMBEDDER: 'bundled' });
    expect(of('embedder')).toMatchObject({ state: 'well', message: expect.stringContaining('works') });
    expect(code).toBe(0);
  });
});

describe('a fault in the service', () => {
  test('is named: no folder, no database', async () => {
    const nowhere = await doctor(at('nowhere'));
    expect(nowhere.of('data folder')?.message).toContain('set ZOETROPE_DATA');
    expect(nowhere.code).toBe(1);
    expect(fs.existsSync(at('nowhere'))).toBe(false);
    fs.mkdirSync(at('empty'));
    expect((await doctor(at('empty'))).of('database')).toMatchObject({ state: 'note' });
  });

  test('is named: a damaged database', async () => {
    const data = copyOfGood();
    const file = path.join(data, 'zoetrope.db');
    const bytes = fs.readFileSync(file);
    fs.writeFileSync(file, bytes.fill(0x5a, 8192, bytes.length - 4096));
    const { code, of } = await doctor(data, ['--media']);
    expect(of('database')).toMatchObject({ state: 'wrong', message: expect.stringContaining('from a backup') });
    expect(of('originals')).toBeUndefined();
    expect(code).toBe(1);
  });

  test('is named: a damaged build, a missing model, an unreachable bucket', async () => {
    const data = copyOfGood();
    const build = fs.readFileSync(path.join(data, 'builds', 'current'), 'utf8').trim();
    fs.truncateSync(path.join(data, 'builds', build, 'stored-bytes'), 9);
    const { code, of } = await doctor(data, ['--media'], {
      ZOETROPE_EMBEDDER: 'onnx',
      ZOETROPE_S3_ENDPOINT: 'http://127.0.0.1:9',
      ZOETROPE_S3_BUCKET: 'gifs',
      ZOETROPE_S3_ACCESS_KEY: 'key',
      ZOETROPE_S3_SECRET_KEY: 'secret',
    });
    expect(of('build')).toMatchObject({ state: 'wrong', message: expect.stringContaining('stored-bytes') });
    expect(of('embedder')).toMatchObject({ state: 'wrong', message: expect.stringContaining('zoetrope models list') });
    expect(of('media store')).toMatchObject({ state: 'wrong', message: expect.stringContaining('ECONNREFUSED') });
    expect(of('originals')).toBeUndefined();
    expect(code).toBe(1);
  });

  test('is named by its variable: a wrong setting', async () => {
    const { code, stderr } = await zoetrope(good, ['doctor'], { ZOETROPE_PROT: '80' });
    expect(stderr).toContain('ZOETROPE_PROT is not a setting');
    expect(code).toBe(1);
  });
});

describe('media', () => {
  test('that are lost, damaged, foreign or half-written are found, repaired, and brought back', async () => {
    const data = copyOfGood();
    const inMedia = (key: string) => path.join(data, 'media', key);
    const [lost, flipped] = mediaOf(data, 'orig') as [string, string];
    const of = (key: string) => mediaOf(data, 'd').filter((name) => idOf(name) === idOf(key));
    const [whole] = mediaOf(data, 'orig').slice(2) as [string];
    const [cut, gone] = of(whole) as [string, string];
    fs.rmSync(inMedia(lost));
    const spoilt = fs.readFileSync(inMedia(flipped));
    spoilt[20]! ^= 1;
    fs.writeFileSync(inMedia(flipped), spoilt);
    fs.truncateSync(inMedia(cut), fs.statSync(inMedia(cut)).size - 1);
    fs.rmSync(inMedia(gone));
    const foreign = ['d/r0/9x9/ab/cd/old.webp', `orig/00/00/${'0'.repeat(64)}.gif`];
    for (const key of foreign) {
      fs.mkdirSync(path.dirname(inMedia(key)), { recursive: true });
      fs.writeFileSync(inMedia(key), 'x');
    }
    fs.mkdirSync(inMedia('part'), { recursive: true });
    fs.writeFileSync(inMedia('part/1-0.part'), 'half');
    fs.utimesSync(inMedia('part/1-0.part'), 1, 1);

    const seen = await doctor(data, ['--media']);
    expect(seen.code).toBe(1);
    const originals = seen.findings.filter(({ check }) => check === 'originals');
    expect(originals.map(({ items }) => items)).toEqual([[idOf(lost)], [flipped]]);
    expect(seen.of('derivatives')).toMatchObject({ state: 'wrong', items: [cut] });
    expect(seen.of('first previews')).toMatchObject({ state: 'note', items: [idOf(whole)] });
    expect(seen.of('leftovers')).toMatchObject({ state: 'note', items: [inMedia('part/1-0.part')] });
    expect(seen.of('foreign files')?.items.toSorted()).toEqual(foreign.toSorted());
    expect(fs.existsSync(inMedia(cut))).toBe(true);

    const repaired = await doctor(data, ['--repair']);
    expect(repaired.of('derivatives')).toMatchObject({
      state: 'well',
      message: expect.stringContaining('1 were removed'),
    });
    expect(repaired.of('first previews')).toMatchObject({ state: 'well', message: '1 were made' });
    expect(repaired.of('originals')).toMatchObject({ state: 'wrong' });
    expect(fs.readFileSync(inMedia(flipped))).toEqual(spoilt);
    expect(fs.readdirSync(inMedia('part'))).toEqual([]);
    for (const key of [cut, gone])
      expect(fs.readFileSync(inMedia(key))).toEqual(fs.readFileSync(path.join(good, 'media', key)));

    fs.rmSync(inMedia(flipped));
    fs.writeFileSync(inMedia('part/1-1.part'), 'half');
    fs.utimesSync(inMedia('part/1-1.part'), 1, 1);
    expect((await zoetrope(data, ['add', '--quiet', at('gifs')], ENV)).code).toBe(0);
    expect(fs.readdirSync(inMedia('part'))).toEqual([]);
    const after = await doctor(data, ['--media']);
    expect(after).toMatchObject({ well: true, code: 0 });
    expect(mediaOf(data, 'orig').filter((key) => !foreign.includes(key))).toEqual(mediaOf(good, 'orig'));
  });

  test('in a bucket are checked and repaired there', async () => {
    const fake = await startFakeS3();
    const env = s3Environment(fake.config);
    const data = copyOfGood();
    expect((await zoetrope(data, ['media', 'push', '--quiet'], env)).code).toBe(0);
    fs.rmSync(path.join(data, 'media'), { recursive: true });
    const [cut] = [...fake.objects.keys()].filter((key) => key.includes('/d/') && key.endsWith('.png')).sort();
    const whole = fake.objects.get(cut!)!;
    fake.objects.set(cut!, whole.subarray(1));
    expect((await doctor(data, ['--media'], env)).of('derivatives')?.items).toEqual([cut!.replace('some/prefix/', '')]);
    expect(await doctor(data, ['--repair'], env)).toMatchObject({ code: 0 });
    expect(fake.objects.get(cut!)).toEqual(whole);
    expect(await doctor(data, ['--media'], env)).toMatchObject({ code: 0 });
    await fake.stop();
  });

  test('are not repaired while another process works on the data folder', async () => {
    const data = copyOfGood();
    const { takeLock } = await import('../../packages/server/src/platform/lock/index.ts');
    const lock = takeLock(path.join(data, 'writer.lock'), 'a test');
    const { code, stderr } = await zoetrope(data, ['doctor', '--repair'], ENV);
    lock.release();
    expect(stderr).toContain('a test (process');
    expect(code).toBe(1);
  });
});

test('a lost original is restored when its file is added again', async () => {
  const data = copyOfGood();
  const file = at('one.gif');
  fs.writeFileSync(file, smallGif(4711));
  expect((await zoetrope(data, ['add', '--quiet', file], ENV)).code).toBe(0);
  const added = mediaOf(data, 'orig').find((key) => !mediaOf(good, 'orig').includes(key))!;
  fs.rmSync(path.join(data, 'media', added));
  expect((await zoetrope(data, ['add', '--quiet', file], ENV)).code).toBe(0);
  expect(fs.readFileSync(path.join(data, 'media', added))).toEqual(fs.readFileSync(file));
});
