import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { freePort, untilFree } from '../../testing/free-port.ts';
import type { S3Config } from '../config.ts';

/**
 * A fault of the store. A number is a status. half: sends half the body. silent: sends no response. stalled: sends half
 * the body and then nothing. whole: sends the whole body although a part was requested. reset: breaks the connection.
 * An object is an error of the store, with its code.
 */
export type Fault = number | { status: number; code: string } | 'half' | 'silent' | 'stalled' | 'whole' | 'reset';

/** A minimal S3 store for tests. The store checks signatures and fails on demand. */
export interface FakeS3 {
  readonly config: S3Config;
  readonly objects: Map<string, Buffer>;
  /** `METHOD key` of each request, in order. */
  readonly requests: string[];
  /** Chooses the fault of a request by method and key. Returns undefined for no fault. */
  fault: (method: string, key: string) => Fault | undefined;
  /** Number of keys per page of a list. */
  pageSize: number;
  /** Stops listening and breaks all connections. */
  stop(): Promise<void>;
  /** Listens again at the same address. */
  start(): Promise<void>;
}

const BUCKET = 'some-bucket';
const SECRET = 'a/secret+of=characters';

/** Starts a fake store on 127.0.0.1. */
export async function startFakeS3(): Promise<FakeS3> {
  let server = http.createServer();
  // The port is reserved, so that no other program gets it while the store is away.
  const port = await freePort();
  const fake: FakeS3 = {
    config: {
      endpoint: '',
      bucket: BUCKET,
      region: 'eu-test-1',
      accessKey: 'FAKEKEY',
      secretKey: SECRET,
      prefix: 'some/prefix',
      pathStyle: true,
    },
    objects: new Map(),
    requests: [],
    fault: () => undefined,
    pageSize: 1_000,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      await untilFree(port);
    },
    async start() {
      server = http.createServer((request, response) => void answer(fake, request, response));
      await once(server.listen(port, '127.0.0.1'), 'listening');
    },
  };
  await fake.start();
  return Object.assign(fake, { config: { ...fake.config, endpoint: `http://127.0.0.1:${port}` } });
}

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: Buffer;
}

async function answer(fake: FakeS3, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url!, 'http://host');
  const [, bucket, ...names] = url.pathname.split('/');
  const key = names.join('/');
  const body = await buffer(request).catch(() => Buffer.alloc(0));
  fake.requests.push(`${request.method} ${key}`);
  const fault = fake.fault(request.method!, key);
  if (fault === 'reset') return void request.socket.destroy();
  if (fault === 'silent') return;
  if (typeof fault === 'number') return send(response, complaint(fault, 'InternalError'));
  if (typeof fault === 'object') return send(response, complaint(fault.status, fault.code));
  const refused = refuse(request, body) ?? (bucket === BUCKET ? undefined : complaint(404, 'NoSuchBucket'));
  const full = refused ?? obey(fake, request, { url, key, body, fault });
  if (fault === undefined || fault === 'whole') return send(response, full, request.method === 'HEAD');
  // A response without a body would count as complete, and nobody would notice the fault.
  if (full.body === undefined || request.method === 'HEAD') return void request.socket.destroy();
  response.writeHead(full.status, { ...full.headers, 'content-length': full.body.length });
  response.write(full.body.subarray(0, full.body.length / 2), () => fault === 'half' && request.socket.destroy());
}

function send(response: ServerResponse, { status, headers, body }: Answer, isHead = false): void {
  response.writeHead(status, { ...headers, 'content-length': body?.length ?? 0 }).end(isHead ? undefined : body);
}

function obey(
  { objects, pageSize }: FakeS3,
  { method, headers }: IncomingMessage,
  { url, key, body, fault }: { url: URL; key: string; body: Buffer; fault: Fault | undefined },
): Answer {
  if (method === 'PUT') objects.set(key, body);
  if (method === 'PUT') return { status: 200 };
  if (method === 'DELETE') objects.delete(key);
  if (method === 'DELETE') return { status: 204 };
  if (key === '') return list(objects, url.searchParams, pageSize);
  const object = objects.get(key);
  if (object === undefined) return complaint(404, 'NoSuchKey');
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
  if (start === undefined) return { status: 200, body: object };
  const part = fault === 'whole' ? object : object.subarray(Number(start), Number(end) + 1);
  return { status: 206, headers: { 'content-range': `bytes ${start}-${end}/${object.length}` }, body: part };
}

function list(objects: Map<string, Buffer>, query: URLSearchParams, pageSize: number): Answer {
  const after = query.get('continuation-token') ?? '';
  const wanted = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '')).sort();
  const left = wanted.filter((key) => `+${key}` > after);
  const page = left.slice(0, pageSize);
  const entries = page.map(
    (key) => `<Contents><Key>${toXml(key)}</Key><Size>${objects.get(key)!.length}</Size></Contents>`,
  );
  const more =
    left.length > page.length ? `<NextContinuationToken>+${toXml(page.at(-1)!)}</NextContinuationToken>` : '';
  return { status: 200, body: Buffer.from(`<ListBucketResult>${more}${entries.join('\n')}</ListBucketResult>`) };
}

function toXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&#x3c;').replaceAll('>', '&#62;');
}

function refuse({ method, url, headers }: IncomingMessage, body: Buffer): Answer | undefined {
  const { authorization = '' } = headers;
  if (!authorization.includes('Credential=FAKEKEY/')) return complaint(403, 'InvalidAccessKeyId');
  const expected = signatureOf({ method: method!, url: url!, headers: headers as Record<string, string> }, SECRET);
  if (!authorization.endsWith(`Signature=${expected}`)) return complaint(403, 'SignatureDoesNotMatch');
  const said = headers['x-amz-content-sha256'];
  const hash = createHash('sha256').update(body).digest('hex');
  return said === hash || said === 'UNSIGNED-PAYLOAD' ? undefined : complaint(400, 'XAmzContentSHA256Mismatch');
}

function complaint(status: number, code: string): Answer {
  return { status, body: Buffer.from(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`) };
}

interface Signed {
  method: string;
  /** Path and query as sent. */
  url: string;
  headers: Readonly<Record<string, string>>;
}

/**
 * Returns the expected signature (AWS Signature Version 4) of a request, for the headers that its Authorization header
 * lists.
 */
export function signatureOf({ method, url, headers }: Signed, secret: string): string {
  const [, scope, names] = /Credential=[^/]+\/([^,]+), ?SignedHeaders=([^,]+)/.exec(headers['authorization']!)!;
  const [path, query = ''] = url.split('?');
  const pairs = query.split('&').map((pair) => (pair.includes('=') || pair === '' ? pair : `${pair}=`));
  const lines = names!.split(';').map((name) => `${name}:${headers[name]!.trim()}\n`);
  const canonical = [method, path, pairs.sort().join('&'), lines.join(''), names, headers['x-amz-content-sha256']];
  const hash = createHash('sha256').update(canonical.join('\n')).digest('hex');
  const [date, region, service] = scope!.split('/');
  const key = [date!, region!, service!, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret}`);
  return hmac(key, ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash].join('\n')).toString('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
