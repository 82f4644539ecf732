import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { S3Blobs } from './s3-blobs.ts';
import { findCeph, startCeph } from './testing/ceph.ts';

/** Number of keys. It is larger than the number of keys per page of a list. */
const MANY = 1_100;
const AT_ONCE = 20;

describe.skipIf(!findCeph())('the S3 driver, with the gateway of Ceph', () => {
  let ceph: Awaited<ReturnType<typeof startCeph>>;

  beforeAll(async () => {
    ceph = await startCeph();
  });

  afterAll(() => ceph?.stop());

  test('passes its check', async () => {
    await expect(new S3Blobs(ceph.config).check()).resolves.toBeUndefined();
  });

  test.each([
    ['secretKey', 'ZOETROPE_S3_SECRET_KEY'],
    ['accessKey', 'ZOETROPE_S3_ACCESS_KEY'],
    ['bucket', 'ZOETROPE_S3_BUCKET'],
  ])('names the setting that is wrong: %s', async (setting, variable) => {
    const blobs = new S3Blobs({ ...ceph.config, [setting]: 'another' });
    await expect(blobs.check()).rejects.toThrow(`set ${variable}`);
  });

  test('names the missing permission', async () => {
    await ceph.allowLists(false);
    await expect(new S3Blobs(ceph.config).check()).rejects.toThrow('is not allowed to list the bucket');
    await ceph.allowLists(true);
    await expect(new S3Blobs(ceph.config).check()).resolves.toBeUndefined();
  });

  test('lists more than one page, and only keys with its prefix', async () => {
    const blobs = new S3Blobs({ ...ceph.config, prefix: 'some/prefix' });
    const keys = Array.from({ length: MANY }, (_, n) => `d/r1/${n}.webp`);
    const waiting = [...keys];
    const putter = async () => {
      for (let key = waiting.pop(); key; key = waiting.pop()) await blobs.put(key, Buffer.from(key));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, putter));
    await new S3Blobs(ceph.config).put('d/r1/other.webp', Buffer.from('of another prefix'));
    const found: string[] = [];
    for await (const { key } of blobs.list('d/')) found.push(key);
    expect(found.toSorted()).toEqual(keys.toSorted());
  });
});
