import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ServiceError } from '../../base/errors.ts';
import { CAN_CUT_POWER, cutPower, type Files } from '../testing/power-cut.ts';
import { copyBlobs } from './copy.ts';
import { FolderBlobs } from './folder-blobs.ts';

const BYTES = Buffer.from('0123456789');
let folder: string;
let blobs: FolderBlobs;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-'));
  blobs = new FolderBlobs(folder);
});

afterEach(() => rm(folder, { recursive: true }));

/** Returns the keys and sizes of the blobs with a prefix, in order. */
async function listOf(store: FolderBlobs, prefix: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { key, bytes } of store.list(prefix)) found.push(`${key} ${bytes}`);
  return found.toSorted();
}

test('many writers of one key leave no parts', async () => {
  await Promise.all(Array.from({ length: 20 }, () => blobs.put('a/b', BYTES)));
  expect(await readdir(join(folder, 'part'))).toEqual([]);
});

test('two stores in one folder, as in two containers, do not overwrite each other', async () => {
  const stores = [new FolderBlobs(folder), new FolderBlobs(folder)];
  const names = Array.from({ length: 200 }, (_, n) => `two/${n}`);
  await Promise.all(names.map((name, n) => stores[n % 2]!.put(name, Buffer.from(name.repeat(1_000)))));
  for (const name of names) {
    const bytes = await readFile(join(folder, name), 'utf8');
    expect(bytes === name.repeat(1_000), name).toBe(true);
  }
});

test('has no blob below another blob', async () => {
  await blobs.put('a/b', BYTES);
  expect([await blobs.head('a/b/c'), await blobs.get('a/b/c')]).toEqual([null, null]);
  await blobs.delete('a/b/c');
  expect(await listOf(blobs, 'a/b/')).toEqual([]);
});

test('a copy replaces a file of another size, and leaves other files unchanged', async () => {
  const to = new FolderBlobs(join(folder, 'copy'));
  for (const key of ['x/whole', 'x/cut', 'x/new', 'y/other']) await blobs.put(key, BYTES);
  await to.put('x/whole', BYTES);
  await to.put('x/cut', BYTES.subarray(1));
  const options = { prefix: 'x/', damageOf: () => null, onProgress: () => {}, signal: new AbortController().signal };
  expect(await copyBlobs(blobs, to, options)).toEqual({ copied: 2, bytes: 20, there: 1, damaged: [] });
  expect(await listOf(to, '')).toEqual(['x/cut 10', 'x/new 10', 'x/whole 10']);
});

test('links a file that has the same bytes, and only such a file', async () => {
  const [same, other] = ['same', 'other'].map((name) => join(folder, name)) as [string, string];
  await writeFile(same, BYTES);
  await writeFile(other, '012345678x');
  for (const sameAs of [same, other, join(folder, 'missing')]) {
    await blobs.put('a/b', BYTES, { sameAs });
    expect(await readFile(join(folder, 'a/b'))).toEqual(BYTES);
    expect((await stat(join(folder, 'a/b'))).ino === (await stat(same)).ino, sameAs).toBe(sameAs === same);
  }
  expect(await readdir(join(folder, 'part'))).toEqual([]);
});

test('removes old parts, and leaves new parts, which other processes are still writing', async () => {
  await mkdir(join(folder, 'part'));
  const now = Date.now();
  for (const [name, age] of [
    ['old.part', 7200],
    ['young.part', 60],
  ] as const) {
    await writeFile(join(folder, 'part', name), 'half');
    await utimes(join(folder, 'part', name), now / 1000 - age, now / 1000 - age);
  }
  for await (const { key } of blobs.list('')) throw new Error(`${key} is listed`);
  expect(await blobs.leftovers(now)).toEqual([join(folder, 'part', 'old.part')]);
  expect(await blobs.sweep(now)).toBe(1);
  expect(await readdir(join(folder, 'part'))).toEqual(['young.part']);
  expect(await new FolderBlobs(join(folder, 'new')).sweep(now)).toBe(0);
});

test('keeps a part of the disk free, and names the setting in the cause of the error', async () => {
  const careful = new FolderBlobs(folder, Number.MAX_SAFE_INTEGER);
  const failure = (await careful.put('a/b', BYTES).catch((error: unknown) => error)) as ServiceError;
  expect(failure).toMatchObject({
    ...{ code: 'upstream_unavailable', message: 'the media folder is full' },
    retryAfter: 60,
  });
  expect((failure.cause as Error).message).toMatch(/\d+ MB are free .* ZOETROPE_DISK_RESERVE_BYTES/);
  expect(await careful.head('a/b')).toBeNull();
  await new FolderBlobs(folder, 1).put('a/b', BYTES);
  expect(await careful.head('a/b')).toEqual({ bytes: BYTES.length });
});

test.runIf(CAN_CUT_POWER)('a power cut leaves each blob as it was or as it was stored', async () => {
  const textsOf = (states: Files[]) =>
    new Set(states.flatMap((files) => ['a/b', 'a/c/d'].map((key) => String(files.get(key)))));
  const put = (bytes: Uint8Array) => () => Promise.all([blobs.put('a/b', bytes), blobs.put('a/c/d', bytes)]);
  const first = await cutPower(folder, put(Buffer.from('first')));
  expect(textsOf(first.during)).toEqual(new Set(['undefined', 'first']));
  expect(textsOf(first.after)).toEqual(new Set(['first']));
  const second = await cutPower(folder, put(Buffer.from('second')));
  expect(textsOf(second.during)).toEqual(new Set(['first', 'second']));
  expect(textsOf(second.after)).toEqual(new Set(['second']));
});

describe('when the disk fails', () => {
  // /dev/full accepts no bytes, like a full disk.
  test.runIf(process.platform === 'linux')('a full disk is reported, and no file remains', async () => {
    await mkdir(join(folder, 'part'));
    await symlink('/dev/full', join(folder, 'part', 'full.part'));
    const full = new FolderBlobs(folder, 0, () => 'full');
    const failure = await full.put('a/b', BYTES).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ServiceError);
    expect(failure).toMatchObject({
      code: 'upstream_unavailable',
      message: 'the media folder is full',
      retryAfter: 60,
    });
    expect(await full.head('a/b')).toBeNull();
    expect(await readdir(join(folder, 'part'))).toEqual([]);
  });
});
