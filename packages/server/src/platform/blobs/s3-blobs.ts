import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { OperatorError, type ServiceError } from '../../base/errors.ts';
import { assertKey, type BlobStore, type ByteRange, type StoredBlob } from './blob-store.ts';
import type { S3Config } from './config.ts';
import { type Patience, S3Client, unavailable } from './s3-client.ts';

/** Blobs whose length is remembered, about 200 bytes each. */
const MAX_KNOWN = 50_000;

export interface S3Options {
  /**
   * Lengths are asked for once: then an image costs one request to the store, not two. A blob that another process deletes
   * is missed when it is next read, so whoever wants to know whether it must be made anew does not remember.
   */
  readonly remembers?: boolean;
  readonly patience?: Patience;
}

/** What a store says of a wrong setting, and what to do about it. */
const MISTAKES: Readonly<Record<string, string>> = {
  NoSuchBucket: 'there is no such bucket: make it, or set ZOETROPE_S3_BUCKET to one that is there',
  InvalidBucketName: 'no bucket can be called that: set ZOETROPE_S3_BUCKET',
  InvalidAccessKeyId: 'it does not know the key: set ZOETROPE_S3_ACCESS_KEY',
  SignatureDoesNotMatch: 'the secret is not that of the key: set ZOETROPE_S3_SECRET_KEY',
  AccessDenied: 'the user of ZOETROPE_S3_ACCESS_KEY may not list the bucket of ZOETROPE_S3_BUCKET',
  AuthorizationHeaderMalformed: 'requests are signed for another region: set ZOETROPE_S3_REGION',
  PermanentRedirect: 'the bucket is elsewhere: set ZOETROPE_S3_ENDPOINT and ZOETROPE_S3_REGION to where it is',
  RequestTimeTooSkewed: "this machine's clock is wrong",
};

/** Blobs as objects of an S3 bucket, which several processes and machines may share. */
export class S3Blobs implements BlobStore {
  readonly #client: S3Client;
  /** Lengths by key. */
  readonly #known: LRUCache<string, number> | undefined;

  /** @throws OperatorError when a setting is missing */
  constructor(config: S3Config, { remembers = false, patience }: S3Options = {}) {
    for (const [name, variable] of [
      ['bucket', 'ZOETROPE_S3_BUCKET'],
      ['accessKey', 'ZOETROPE_S3_ACCESS_KEY'],
      ['secretKey', 'ZOETROPE_S3_SECRET_KEY'],
    ] as const) {
      if (config[name] === '') throw new OperatorError(`ZOETROPE_S3_ENDPOINT is set, so ${variable} must be too`);
    }
    this.#client = new S3Client(config, patience);
    if (remembers) this.#known = new LRUCache({ max: MAX_KNOWN });
  }

  /** @throws OperatorError when the store refuses these settings; ServiceError `upstream_unavailable` when it is away */
  async check(): Promise<void> {
    const answer = await this.#client.send({ method: 'GET', key: '', query: { 'list-type': '2', 'max-keys': '1' } });
    if (answer.statusCode === 200) return void answer.destroy();
    const code = await this.#codeOf(answer);
    const said = [answer.statusCode, code].join(' ').trimEnd();
    const advice = MISTAKES[code] ?? 'check ZOETROPE_S3_ENDPOINT and the other settings of the store';
    throw new OperatorError(`The S3 store of ZOETROPE_S3_ENDPOINT answers ${said}: ${advice}`);
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    assertKey(key);
    // The store refuses bytes that do not have this hash, so that what it has taken is what was sent.
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
    // It was deleted and made again, or the store does not do as it is told: neither may be passed on.
    this.#known?.delete(key);
    answer.destroy();
    throw unavailable(new Error(`GET is answered with other bytes than those of the ${known} that were wanted`));
  }

  async head(key: string): Promise<{ bytes: number } | null> {
    assertKey(key);
    const known = this.#known?.get(key);
    if (known !== undefined) return { bytes: known };
    const answer = await this.#client.send({ method: 'HEAD', key });
    answer.resume();
    if (answer.statusCode === 404) return null;
    const bytes = lengthOf(answer);
    if (answer.statusCode !== 200 || bytes === null)
      throw unavailable(new Error(`HEAD is answered ${answer.statusCode}`));
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
    // A bucket that has gone is no reason to forget what was in it.
    if (answer.statusCode === 404 && code !== 'NoSuchBucket') return null;
    throw unavailable(new Error(`GET is answered ${answer.statusCode} ${code}`));
  }

  async #failure(answer: IncomingMessage, what: string): Promise<ServiceError> {
    return unavailable(new Error(`${what} is answered ${answer.statusCode} ${await this.#codeOf(answer)}`));
  }

  async #codeOf(answer: IncomingMessage): Promise<string> {
    return textIn(await this.#client.textOf(answer), 'Code');
  }
}

/** Length of the whole blob, of which the answer may be a part. */
function lengthOf({ headers, statusCode }: IncomingMessage): number | null {
  const length = statusCode === 206 ? headers['content-range']?.split('/')[1] : headers['content-length'];
  return length === undefined || !/^\d+$/.test(length) ? null : Number(length);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text of the first element of a name in XML that a store made; empty when there is none. */
function textIn(xml: string, name: string): string {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';
  return text.replace(/&(?:#(x?)([0-9a-f]+)|(\w+));/gi, (whole, hex, digits, entity) =>
    digits === undefined ? (ENTITIES[entity] ?? whole) : String.fromCodePoint(Number.parseInt(digits, hex ? 16 : 10)),
  );
}
