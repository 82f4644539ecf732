import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BlobStore, type ByteRange, readBlob } from './blob-store.ts';
import { FolderBlobs } from './folder-blobs.ts';
import { S3Blobs } from './s3-blobs.ts';
import { findCeph, startCeph } from './testing/ceph.ts';
import { startFakeS3 } from './testing/fake-s3.ts';
import { startS3rver } from './testing/s3rver.ts';

/** Tests of the behaviour that all blob stores have in common. */

interface Opened {
  blobs: BlobStore;
  /** The same store, opened a second time as by another process. */
  others: BlobStore;
  close(): Promise<void>;
}

const STORES: Record<string, (folder: string) => Promise<Opened>> = {
  'a folder': async (folder) => ({
    blobs: new FolderBlobs(folder),
    others: new FolderBlobs(folder),
    close: async () => {},
  }),
  'a bucket of a store that checks signatures': async () => {
    const fake = await startFakeS3();
    fake.pageSize = 2;
    return { blobs: new S3Blobs(fake.config, { remembers: true }), others: new S3Blobs(fake.config), close: fake.stop };
  },
  'a bucket of s3rver': async (folder) => {
    const { config, stop } = await startS3rver(folder);
    return { blobs: new S3Blobs(config, { remembers: true }), others: new S3Blobs(config), close: stop };
  },
};

if (findCeph()) {
  STORES['a bucket of Ceph'] = async () => {
    const { config, stop } = await startCeph();
    return { blobs: new S3Blobs(config, { remembers: true }), others: new S3Blobs(config), close: stop };
  };
}

const BYTES = Buffer.from('0123456789');

describe.each(Object.entries(STORES))('%s', (_, open) => {
  let folder: string;
  let store: Opened;
  let blobs: BlobStore;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zoetrope-'));
    store = await open(folder);
    ({ blobs } = store);
  });

  afterAll(async () => {
    await store?.close();
    await rm(folder, { recursive: true });
  });

  async function listed(prefix: string): Promise<Record<string, number>> {
    const found: Record<string, number> = {};
    for await (const { key, bytes } of blobs.list(prefix)) found[key] = bytes;
    return found;
  }

  async function part(key: string, range: ByteRange): Promise<string> {
    return Buffer.concat(await (await blobs.get(key, range))!.toArray()).toString();
  }

  test('returns stored bytes, whole or in part, to any number of readers', async () => {
    await blobs.put('one/b/one.gif', BYTES);
    for (const seen of [blobs, store.others]) {
      expect(await seen.head('one/b/one.gif')).toEqual({ bytes: 10 });
      expect(await readBlob(seen, 'one/b/one.gif')).toEqual(BYTES);
    }
    expect(await part('one/b/one.gif', { start: 2, end: 4 })).toBe('234');
    expect(await part('one/b/one.gif', { start: 0, end: 1 })).toBe('01');
    expect(await part('one/b/one.gif', { start: 9, end: 9 })).toBe('9');
  });

  test('returns large and empty blobs', async () => {
    const much = Buffer.alloc(5_000_000, 'the bytes of a blob; ');
    await blobs.put('two/much', much);
    await blobs.put('two/nothing', Buffer.alloc(0));
    expect(much.equals((await readBlob(store.others, 'two/much'))!)).toBe(true);
    expect(await readBlob(store.others, 'two/nothing')).toEqual(Buffer.alloc(0));
    expect(await blobs.head('two/nothing')).toEqual({ bytes: 0 });
  });

  test('a missing blob is null, and deleting it is no error', async () => {
    await blobs.put('three/b', BYTES);
    for (const key of ['three/c', 'three', 'three/b-', 'x/y/z']) {
      expect(await blobs.head(key)).toBeNull();
      expect(await readBlob(blobs, `${key}-`)).toBeNull();
    }
    expect(await blobs.get('three/c', { start: 0, end: 1 })).toBeNull();
    await blobs.delete('x/y/z');
    await blobs.delete('three/b');
    expect(await blobs.head('three/b')).toBeNull();
    expect(await readBlob(blobs, 'three/b')).toBeNull();
  });

  test('a blob deleted by another process is missing', async () => {
    await blobs.put('four/b', BYTES);
    expect(await blobs.head('four/b')).toEqual({ bytes: 10 });
    await store.others.delete('four/b');
    expect(await blobs.get('four/b')).toBeNull();
    expect(await blobs.head('four/b')).toBeNull();
  });

  test('lists blobs by prefix, with their lengths', async () => {
    for (const key of ['d/r1/a', 'd/r1/b', 'd/r2/a', 'dx/a', 'orig/a']) await blobs.put(key, BYTES);
    expect(await listed('d/')).toEqual({ 'd/r1/a': 10, 'd/r1/b': 10, 'd/r2/a': 10 });
    expect(await listed('d/r1/a')).toEqual({ 'd/r1/a': 10 });
    expect(await listed('')).toMatchObject({ 'dx/a': 10, 'orig/a': 10 });
    expect(await listed('nothing/')).toEqual({});
  });

  test('many writers of one key leave one complete blob', async () => {
    await Promise.all(Array.from({ length: 20 }, () => blobs.put('five/b', BYTES)));
    expect(await readBlob(blobs, 'five/b')).toEqual(BYTES);
    expect(await listed('five/')).toEqual({ 'five/b': 10 });
  });

  test('a reader can stop before the end, or without reading anything', async () => {
    await blobs.put('six/b', Buffer.alloc(3_000_000));
    (await blobs.get('six/b'))!.destroy();
    for await (const chunk of (await blobs.get('six/b'))!) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    expect(await blobs.head('six/b')).toEqual({ bytes: 3_000_000 });
  });

  test.each(['', '/a', 'a/', '../a', 'a/../b', 'a//b', '.a', 'a\0b', 'a\\b', 'part/a'])('refuses %j', async (key) => {
    await expect(blobs.put(key, BYTES)).rejects.toThrow('not a blob key');
    await expect(blobs.get(key)).rejects.toThrow('not a blob key');
  });
});
