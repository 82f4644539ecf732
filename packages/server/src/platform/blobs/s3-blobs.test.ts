import { AwsV4Signer } from 'aws4fetch';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { OperatorError, ServiceError } from '../../base/errors.ts';
import { type BlobStore, readBlob } from './blob-store.ts';
import { S3Blobs } from './s3-blobs.ts';
import { type FakeS3, type Fault, signatureOf, startFakeS3 } from './testing/fake-s3.ts';

const BYTES = Buffer.alloc(60_000, 'what is kept; ');
const KEY = 'orig/a.gif';
/**
 * Options with short pauses between attempts, to save test time, but a long wait for a response, because the machine
 * can be busy.
 */
const PATIENT = { remembers: true, patience: { timeoutMs: 60_000, retryMs: 1 } };
/** Options for stores that do not respond. */
const IMPATIENT = { remembers: true, patience: { timeoutMs: 2_000, retryMs: 1 } };

let fake: FakeS3;
let blobs: S3Blobs;

beforeEach(async () => {
  fake = await startFakeS3();
  blobs = new S3Blobs(fake.config, PATIENT);
});

afterEach(() => fake.stop().catch(() => {})); // a test may have stopped the store

/** Makes the next requests fail in this order. Later requests succeed. */
function failInTurn(...faults: Fault[]): void {
  fake.fault = () => faults.shift();
}

const OPERATIONS: Record<string, (store: BlobStore) => Promise<unknown>> = {
  put: (store) => store.put(KEY, BYTES),
  get: (store) => readBlob(store, KEY),
  head: (store) => store.head(KEY),
  delete: (store) => store.delete(KEY),
  list: (store) => keysOf(store),
};

async function keysOf(store: BlobStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list('')) keys.push(key);
  return keys;
}

async function failureOf(doing: Promise<unknown>): Promise<ServiceError> {
  const failure = await doing.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(ServiceError);
  return failure as ServiceError;
}

describe.each(Object.entries(OPERATIONS))('%s', (_, act) => {
  beforeEach(() => fake.objects.set(`some/prefix/${KEY}`, BYTES));

  test.each<Fault>([500, 503, 429, 'reset'])('is retried after %s', async (fault) => {
    failInTurn(fault, fault, fault);
    await act(blobs);
    expect(fake.requests).toHaveLength(4);
  });

  test.each<[Fault, number]>([
    [503, 4],
    ['reset', 4],
    ['silent', 1],
    [403, 1],
  ])('rejects if it always fails with %s', async (fault, tries) => {
    fake.fault = () => fault;
    const store = fault === 'silent' ? new S3Blobs(fake.config, IMPATIENT) : blobs;
    expect(await failureOf(act(store))).toMatchObject({
      code: 'upstream_unavailable',
      message: 'the media store is unavailable',
      retryAfter: 10,
    });
    expect(fake.requests).toHaveLength(tries);
  });

  test('fails while the store is down, and works again afterwards', async () => {
    await fake.stop();
    expect((await failureOf(act(blobs))).cause).toMatchObject({ code: 'ECONNREFUSED' });
    await fake.start();
    await act(blobs);
  });

  test('never reveals a secret, a key or an address to callers, or a secret to the log', async () => {
    const { config } = fake;
    const other = new S3Blobs({ ...config, secretKey: 'not/the+secret' }, PATIENT);
    const { message, cause, stack } = await failureOf(act(other));
    for (const secret of ['not/the+secret', config.accessKey]) {
      expect(`${message} ${stack} ${(cause as Error).stack}`).not.toContain(secret);
    }
    expect(message).not.toContain('127.0.0.1');
    expect(message).not.toContain(KEY);
  });
});

describe('a body', () => {
  beforeEach(() => fake.objects.set(`some/prefix/${KEY}`, BYTES));

  test.each<Fault>(['half', 'stalled'])('that arrives %s makes the stream fail, also for a range', async (fault) => {
    fake.fault = () => fault;
    const store = new S3Blobs(fake.config, fault === 'stalled' ? IMPATIENT : PATIENT);
    const [whole, part] = await Promise.all([store.get(KEY), store.get(KEY, { start: 10, end: 50_000 })]);
    const failures = await Promise.all([whole, part].map((stream) => failureOf(stream!.toArray())));
    expect(failures.map(({ code }) => code)).toEqual(['upstream_unavailable', 'upstream_unavailable']);
  });

  test('longer than requested is rejected', async () => {
    fake.fault = () => 'whole';
    await failureOf(blobs.get(KEY, { start: 0, end: 0 }));
    fake.fault = () => undefined;
    expect(await (await blobs.get(KEY, { start: 0, end: 0 }))!.toArray()).toEqual([Buffer.from('w')]);
  });

  test('does not time out while the reader is slow', async () => {
    fake.objects.set(`some/prefix/${KEY}`, Buffer.alloc(4_000_000));
    const store = new S3Blobs(fake.config, { patience: { timeoutMs: 3_000, retryMs: 1 } });
    let bytes = 0;
    for await (const chunk of (await store.get(KEY))!) {
      // The reader is blocked for longer than the store's time limit.
      if (bytes === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_500);
      bytes += chunk.length;
    }
    expect(bytes).toBe(4_000_000);
  });

  test('of an unexpected length is rejected, and its length is looked up again', async () => {
    await blobs.head(KEY);
    fake.objects.set(`some/prefix/${KEY}`, BYTES.subarray(1));
    await failureOf(readBlob(blobs, KEY));
    expect(await blobs.head(KEY)).toEqual({ bytes: BYTES.length - 1 });
    expect(await readBlob(blobs, KEY)).toEqual(BYTES.subarray(1));
  });
});

test('a cache requests a size once, and not at all after a put', async () => {
  await blobs.put('d/one', BYTES);
  fake.objects.set('some/prefix/d/two', BYTES);
  fake.requests.length = 0;
  for (let n = 0; n < 3; n++) for (const key of ['d/one', 'd/two']) await blobs.head(key);
  expect(fake.requests).toEqual(['HEAD some/prefix/d/two']);
  for (let n = 0; n < 3; n++) expect(await blobs.head('d/three')).toBeNull();
  expect(fake.requests).toHaveLength(4);
  await new S3Blobs(fake.config, { patience: PATIENT.patience }).head('d/two');
  expect(fake.requests).toHaveLength(5);
});

test('a missing bucket is an error, not an empty bucket', async () => {
  const gone = new S3Blobs({ ...fake.config, bucket: 'gone' }, PATIENT);
  expect((await failureOf(readBlob(gone, KEY))).cause).toMatchObject({ message: 'GET returned 404 NoSuchBucket' });
});

test('lists the keys that other programs wrote, without changing them', async () => {
  fake.objects.set('some/prefix/a & <b> "c"', BYTES);
  fake.objects.set('elsewhere/d', BYTES);
  expect(await keysOf(blobs)).toEqual(['a & <b> "c"']);
});

describe('settings', () => {
  test('that are correct are accepted', async () => {
    await expect(blobs.check()).resolves.toBeUndefined();
    await expect(new S3Blobs({ ...fake.config, prefix: 'with/slash/' }).check()).resolves.toBeUndefined();
  });

  test.each([
    ['ZOETROPE_S3_BUCKET', { bucket: 'gone' }],
    ['ZOETROPE_S3_ACCESS_KEY', { accessKey: 'NOBODY' }],
    ['ZOETROPE_S3_SECRET_KEY', { secretKey: 'guessed' }],
  ])('with a wrong %s are rejected, naming it', async (variable, change) => {
    const wrong = new S3Blobs({ ...fake.config, ...change }, PATIENT);
    await expect(wrong.check()).rejects.toThrow(OperatorError);
    await expect(wrong.check()).rejects.toThrow(`set ${variable}`);
  });

  test.each([
    [404, 'NoSuchBucket', 'the bucket does not exist: create it, or set ZOETROPE_S3_BUCKET'],
    [400, 'InvalidBucketName', 'set ZOETROPE_S3_BUCKET'],
    [403, 'InvalidAccessKeyId', 'set ZOETROPE_S3_ACCESS_KEY'],
    [403, 'SignatureDoesNotMatch', 'set ZOETROPE_S3_SECRET_KEY'],
    [403, 'AccessDenied', 'the user of ZOETROPE_S3_ACCESS_KEY is not allowed to list the bucket'],
    [400, 'AuthorizationHeaderMalformed', 'set region in ZOETROPE_S3_OPTIONS'],
    [301, 'PermanentRedirect', 'set ZOETROPE_S3_ENDPOINT, and region in ZOETROPE_S3_OPTIONS'],
    [403, 'RequestTimeTooSkewed', "this machine's clock is wrong"],
    [418, 'SomethingNew', 'check ZOETROPE_S3_ENDPOINT and the other ZOETROPE_S3 settings'],
  ])('that the store refuses with %i %s are reported, with advice', async (status, code, advice) => {
    fake.fault = () => ({ status, code });
    const refusal = await blobs.check().then(String, (error: unknown) => error);
    expect(refusal).toBeInstanceOf(OperatorError);
    const { message } = refusal as OperatorError;
    expect(message).toContain(`The S3 service at ZOETROPE_S3_ENDPOINT returned ${status} ${code}: `);
    expect(message).toContain(advice);
  });

  test.each([
    ['ZOETROPE_S3_BUCKET', { bucket: '' }],
    ['ZOETROPE_S3_ACCESS_KEY', { accessKey: '' }],
    ['ZOETROPE_S3_SECRET_KEY', { secretKey: '' }],
  ])('without %s are rejected, naming it', (variable, change) => {
    expect(() => new S3Blobs({ ...fake.config, ...change })).toThrow(`so ${variable} must be set too`);
  });

  test('of an unreachable store are not reported as wrong', async () => {
    await fake.stop();
    expect((await failureOf(blobs.check())).code).toBe('upstream_unavailable');
  });
});

/** Examples of "Authenticating Requests: Using the Authorization Header" in the reference of Amazon S3. */
describe('signatures are the same as in the examples of AWS', () => {
  const SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
  const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  const common = {
    host: 'examplebucket.s3.amazonaws.com',
    'x-amz-content-sha256': EMPTY,
    'x-amz-date': '20130524T000000Z',
  };

  test.each([
    ['/test.txt', { range: 'bytes=0-9' }, 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41'],
    ['/?lifecycle', {}, 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
    ['/?max-keys=2&prefix=J', {}, '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
  ])('for %s', async (url, more, signature) => {
    const { host, ...headers } = { ...common, ...more };
    const signed = await new AwsV4Signer({
      method: 'GET',
      url: `https://${host}${url}`,
      headers,
      service: 's3',
      region: 'us-east-1',
      accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
      secretAccessKey: SECRET,
      datetime: common['x-amz-date'],
      allHeaders: true,
    }).sign();
    const authorization = signed.headers.get('authorization')!;
    expect(authorization).toContain(`Signature=${signature}`);
    expect(signatureOf({ method: 'GET', url, headers: { ...common, ...more, authorization } }, SECRET)).toBe(signature);
  });
});

test('a list that is longer than any list of a store is not read into memory', async () => {
  fake.pageSize = 10_000;
  for (let n = 0; n < 10_000; n++) fake.objects.set(`some/prefix/${'a'.repeat(500)}${n}`, BYTES.subarray(0, 1));
  expect(await failureOf(keysOf(blobs))).toMatchObject({ code: 'upstream_unavailable' });
});
