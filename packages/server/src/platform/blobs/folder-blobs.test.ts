import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ServiceError } from '../../errors.ts';
import { readBlob } from './blob-store.ts';
import { FolderBlobs } from './folder-blobs.ts';

const BYTES = Buffer.from('0123456789');
let folder: string;
let blobs: FolderBlobs;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-'));
  blobs = new FolderBlobs(folder);
});

afterEach(() => rm(folder, { recursive: true }));

async function keys(prefix: string): Promise<string[]> {
  const found: string[] = [];
  for await (const key of blobs.list(prefix)) found.push(key);
  return found.sort();
}

test('gives back what was put, whole or in part', async () => {
  await blobs.put('a/b/one.gif', BYTES);
  expect(await blobs.head('a/b/one.gif')).toEqual({ bytes: 10 });
  expect(await readBlob(blobs, 'a/b/one.gif')).toEqual(BYTES);
  const part = await blobs.get('a/b/one.gif', { start: 2, end: 4 });
  expect(Buffer.concat(await part!.toArray()).toString()).toBe('234');
});

test('what is not there is null, and may be deleted', async () => {
  await blobs.put('a/b', BYTES);
  for (const key of ['a/c', 'a', 'a/b/c', 'x/y/z']) {
    expect(await blobs.head(key)).toBeNull();
    expect(await readBlob(blobs, `${key}-`)).toBeNull();
  }
  await blobs.delete('x/y/z');
  await blobs.delete('a/b');
  expect(await blobs.head('a/b')).toBeNull();
});

test('lists keys by prefix', async () => {
  for (const key of ['d/r1/a', 'd/r1/b', 'd/r2/a', 'dx/a', 'orig/a']) await blobs.put(key, BYTES);
  expect(await keys('d/')).toEqual(['d/r1/a', 'd/r1/b', 'd/r2/a']);
  expect(await keys('d/r1/a')).toEqual(['d/r1/a']);
  expect(await keys('')).toHaveLength(5);
  expect(await keys('nothing/')).toEqual([]);
});

test('many writers of one key leave one whole blob and no parts', async () => {
  await Promise.all(Array.from({ length: 20 }, () => blobs.put('a/b', BYTES)));
  expect(await readBlob(blobs, 'a/b')).toEqual(BYTES);
  expect(await readdir(join(folder, 'part'))).toEqual([]);
});

test.each(['', '/a', 'a/', '../a', 'a/../b', 'a//b', '.a', 'a\0b', 'a\\b', 'part/a'])('%j is no key', async (key) => {
  await expect(blobs.put(key, BYTES)).rejects.toThrow('not a blob key');
  await expect(blobs.get(key)).rejects.toThrow('not a blob key');
});

test('sweeps old parts and leaves young ones, which other processes are writing', async () => {
  await mkdir(join(folder, 'part'));
  const now = Date.now();
  for (const [name, age] of [
    ['old.part', 7200],
    ['young.part', 60],
  ] as const) {
    await writeFile(join(folder, 'part', name), 'half');
    await utimes(join(folder, 'part', name), now / 1000 - age, now / 1000 - age);
  }
  expect(await keys('')).toEqual([]);
  expect(await blobs.sweep(now)).toBe(1);
  expect(await readdir(join(folder, 'part'))).toEqual(['young.part']);
  expect(await new FolderBlobs(join(folder, 'new')).sweep(now)).toBe(0);
});

describe('when the disk fails', () => {
  // /dev/full takes no byte, like a disk without space.
  test.runIf(process.platform === 'linux')('a full disk is said to be full and leaves nothing', async () => {
    const full = new FullBlobs(folder);
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

/** Every part file it opens is a link to /dev/full. */
class FullBlobs extends FolderBlobs {
  readonly #folder: string;

  constructor(folder: string) {
    super(folder);
    this.#folder = folder;
  }

  override async put(key: string, bytes: Uint8Array): Promise<void> {
    await mkdir(join(this.#folder, 'part'), { recursive: true });
    await symlink('/dev/full', join(this.#folder, 'part', `${process.pid}-0.part`));
    await super.put(key, bytes);
  }
}
