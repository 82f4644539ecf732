import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { OperatorError, type ServiceError } from '../../base/errors.ts';
import { assertKey, type BlobStore, type ByteRange, type StoredBlob } from './blob-store.ts';
import type { S3Config } from './config.ts';
import { type Patience, S3Client, unavailable } from './s3-client.ts';

/** Maximum number of cached sizes. Each cached size takes about 200 bytes. */
const MAX_KNOWN = 50_000;

export interface S3Options {
  /**
   * Whether sizes are cached. With the cache, an image needs one request to the store instead of two. If another
   * process deletes a blob, the deletion is noticed only when the blob is read. Therefore do not cache sizes if you
   * check whether blobs exist.
   */
  readonly remembers?: boolean;
  readonly patience?: Patience;
}

/** Advice for error codes that indicate a wrong setting. */
const MISTAKES: Readonly<Record<string, string>> = {
  NoSuchBucket: 'the bucket does not exist: create it, or set ZOETROPE_S3_BUCKET to one that exists',
  InvalidBucketName: 'the bucket name is invalid: set ZOETROPE_S3_BUCKET',
  InvalidAccessKeyId: 'the access key is unknown: set ZOETROPE_S3_ACCESS_KEY',
  SignatureDoesNotMatch: 'the secret key is wrong: set ZOETROPE_S3_SECRET_KEY',
  AccessDenied: 'the user of ZOETROPE_S3_ACCESS_KEY is not allowed to list the bucket of ZOETROPE_S3_BUCKET',
  AuthorizationHeaderMalformed: 'the region is wrong: set region in ZOETROPE_S3_OPTIONS',
  PermanentRedirect: 'the bucket is at another endpoint: set ZOETROPE_S3_ENDPOINT, and region in ZOETROPE_S3_OPTIONS',
  RequestTimeTooSkewed: "this machine's clock is wrong",
};

/** Stores blobs as objects in an S3 bucket, which several processes and machines can share. */
export class S3Blobs implements BlobStore {
  readonly #client: S3Client;
  /** Sizes by key. */
  readonly #known: LRUCache<string, number> | undefined;

  /** @throws OperatorError if a setting is missing */
  constructor(config: S3Config, { remembers = false, patience }: S3Options = {}) {
    for (const [name, variable] of [
      ['bucket', 'ZOETROPE_S3_BUCKET'],
      ['accessKey', 'ZOETROPE_S3_ACCESS_KEY'],
      ['secretKey', 'ZOETROPE_S3_SECRET_KEY'],
    ] as const) {
      if (config[name] === '') throw new OperatorError(`ZOETROPE_S3_ENDPOINT is set, so ${variable} must be set too`);
    }
    this.#client = new S3Client(config, patience);
    if (remembers) this.#known = new LRUCache({ max: MAX_KNOWN });
  }

  /**
   * Checks the store. @throws OperatorError if the settings are wrong, or ServiceError `upstream_unavailable` if the
   * store is unreachable
   */
  async check(): Promise<void> {
    const answer = await this.#client.send({ method: 'GET', key: '', query: { 'list-type': '2', 'max-keys': '1' } });
    if (answer.statusCode === 200) return void answer.destroy();
    const code = await this.#codeOf(answer);
    const said = [answer.statusCode, code].join(' ').trimEnd();
    const advice = MISTAKES[code] ?? 'check ZOETROPE_S3_ENDPOINT and the other ZOETROPE_S3 settings';
    throw new OperatorError(`The S3 service at ZOETROPE_S3_ENDPOINT returned ${said}: ${advice}`);
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    assertKey(key);
    // The store rejects bytes with another hash, so it has now stored exactly the bytes that were sent.
    const headers = { 'x-amz-content-sha256': createHash('sha256').update(bytes).digest('hex') };
    const answer = await this.#client.send({ method: 'PUT', key, headers, body: bytes });
    if (answer.statusCode !== 200) throw await this.#failure(answer, 'PUT');
    answer.resume();
    this.#known?.set(key, bytes.length);
  }

  async get(key: string, range?: ByteRange): Promise<Readable | null> {
    assertKey(key);
    const headers = range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` };
    const answer = await this.#client.send({ method: 'GET', key, headers });
    if (answer.statusCode !== (range === undefined ? 200 : 206)) return this.#nullWhenMissing(answer, key);
    const total = lengthOf(answer);
    const known = this.#known?.get(key) ?? total;
    const expected = range === undefined ? known : range.end - range.start + 1;
    if (total !== null && total === known && Number(answer.headers['content-length']) === expected) {
      this.#known?.set(key, total);
      return this.#client.bodyOf(answer);
    }
    // The blob was deleted and recreated, or the store ignores ranges. This response must not be passed on.
    this.#known?.delete(key);
    answer.destroy();
    throw unavailable(new Error(`GET returned a different range than the requested one (${known})`));
  }

  async head(key: string): Promise<{ bytes: number } | null> {
    assertKey(key);
    const known = this.#known?.get(key);
    if (known !== undefined) return { bytes: known };
    const answer = await this.#client.send({ method: 'HEAD', key });
    answer.resume();
    if (answer.statusCode === 404) return null;
    const bytes = lengthOf(answer);
    if (answer.statusCode !== 200 || bytes === null) throw unavailable(new Error(`HEAD returned ${answer.statusCode}`));
    this.#known?.set(key, bytes);
    return { bytes };
  }

  async delete(key: string): Promise<void> {
    assertKey(key);
    this.#known?.delete(key);
    const answer = await this.#client.send({ method: 'DELETE', key });
    if (![200, 204, 404].includes(answer.statusCode!)) throw await this.#failure(answer, 'DELETE');
    answer.resume();
  }

  async *list(prefix: string): AsyncIterable<StoredBlob> {
    const start = this.#client.keyOf('').length;
    const query: Record<string, string> = { 'list-type': '2', prefix: this.#client.keyOf(prefix) };
    for (;;) {
      const answer = await this.#client.send({ method: 'GET', key: '', query });
      if (answer.statusCode !== 200) throw await this.#failure(answer, 'a list');
      const page = await this.#client.textOf(answer);
      for (const [, entry] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
        yield { key: textIn(entry!, 'Key').slice(start), bytes: Number(textIn(entry!, 'Size')) };
      }
      const next = textIn(page, 'NextContinuationToken');
      if (next === '') return;
      query['continuation-token'] = next;
    }
  }

  async #nullWhenMissing(answer: IncomingMessage, key: string): Promise<null> {
    const code = await this.#codeOf(answer);
    this.#known?.delete(key);
    // A missing bucket does not mean that the blob is missing.
    if (answer.statusCode === 404 && code !== 'NoSuchBucket') return null;
    throw unavailable(new Error(`GET returned ${answer.statusCode} ${code}`));
  }

  async #failure(answer: IncomingMessage, what: string): Promise<ServiceError> {
    return unavailable(new Error(`${what} returned ${answer.statusCode} ${await this.#codeOf(answer)}`));
  }

  async #codeOf(answer: IncomingMessage): Promise<string> {
    return textIn(await this.#client.textOf(answer), 'Code');
  }
}

/** Returns the size of the whole blob. The response can be a part of the blob. */
function lengthOf({ headers, statusCode }: IncomingMessage): number | null {
  const length = statusCode === 206 ? headers['content-range']?.split('/')[1] : headers['content-length'];
  return length === undefined || !/^\d+$/.test(length) ? null : Number(length);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Returns the text of the first element with this name in the store's XML, or an empty string if there is none. */
function textIn(xml: string, name: string): string {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';
  return text.replace(/&(?:#(x?)([0-9a-f]+)|(\w+));/gi, (whole, hex, digits, entity) =>
    digits === undefined ? (ENTITIES[entity] ?? whole) : String.fromCodePoint(Number.parseInt(digits, hex ? 16 : 10)),
  );
}
