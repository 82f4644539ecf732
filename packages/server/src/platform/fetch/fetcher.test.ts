import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isPublicAddress } from './address.ts';
import { DownloadError } from './download-error.ts';
import { Fetcher } from './fetcher.ts';

const LIMITS = { maxBytes: 1000, timeoutMs: 30_000 };
const open = new Fetcher({ allowPrivate: true });
const guarded = new Fetcher({ allowPrivate: false });
let server: http.Server;
let base: string;
let requests: string[] = [];

const pages: Record<string, http.RequestListener> = {
  '/image': (_, response) => response.setHeader('content-type', 'image/gif').end('GIF'),
  '/untyped': (_, response) => response.end('GIF'),
  '/page': (_, response) => response.setHeader('content-type', 'text/html').end('<p>'),
  '/missing': (_, response) => response.writeHead(404).end(),
  '/declared': (_, response) => response.setHeader('content-length', 1001).write('x'),
  '/long': (_, response) => {
    for (let i = 0; i < 11; i++) response.write('x'.repeat(100));
    response.end();
  },
  '/exact': (_, response) => response.end('x'.repeat(1000)),
  '/silent': () => {},
  '/stalled': (_, response) => response.writeHead(200, { 'content-length': 100 }).write('x'),
  '/broken': (_, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('x', () => response.destroy());
  },
  '/once': (_, response) => response.writeHead(302, { location: '/image' }).end(),
  '/loop': (_, response) => response.writeHead(302, { location: '/loop' }).end(),
  '/three': (_, response) => response.writeHead(301, { location: '/two' }).end(),
  '/two': (_, response) => response.writeHead(307, { location: '/once' }).end(),
  '/to-file': (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
};

beforeAll(async () => {
  server = http.createServer((request, response) => {
    requests.push(request.url!);
    pages[request.url!]?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(() => {
  requests = [];
});

afterAll(async () => {
  await Promise.all([open.close(), guarded.close()]);
  server.closeAllConnections();
  server.close();
});

async function reasonOf(download: Promise<unknown>): Promise<string> {
  const error = await download.then(
    () => new Error('it was downloaded'),
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(DownloadError);
  return (error as DownloadError).reason;
}

describe('a download', () => {
  test.each(['/image', '/untyped', '/once', '/three'])('gives the bytes of %s', async (path) => {
    expect(Buffer.from(await open.download(base + path, LIMITS)).toString()).toBe('GIF');
  });

  test.each([
    ['/page', 'wrong_content_type'],
    ['/missing', 'bad_status'],
    ['/declared', 'too_large'],
    ['/long', 'too_large'],
    ['/broken', 'unreachable'],
    ['/loop', 'too_many_redirects'],
    ['/to-file', 'bad_url'],
  ])('of %s fails as %s', async (path, reason) => {
    expect(await reasonOf(open.download(base + path, LIMITS))).toBe(reason);
  });

  test('takes exactly as many bytes as allowed', async () => {
    expect(await open.download(`${base}/exact`, LIMITS)).toHaveLength(1000);
  });

  test('follows three redirects, not four', async () => {
    pages['/four'] = (_, response) => response.writeHead(302, { location: '/three' }).end();
    expect(await reasonOf(open.download(`${base}/four`, LIMITS))).toBe('too_many_redirects');
  });

  test.each(['/silent', '/stalled'])('of %s is given up in time', async (path) => {
    expect(await reasonOf(open.download(base + path, { ...LIMITS, timeoutMs: 50 }))).toBe('timed_out');
  });

  test('ends with the signal of its caller, and with its reason', async () => {
    const controller = new AbortController();
    pages['/silent'] = () => controller.abort(new Error('enough'));
    await expect(open.download(`${base}/silent`, { ...LIMITS, signal: controller.signal })).rejects.toThrow('enough');
  });

  test('of a port where nobody listens fails as unreachable', async () => {
    expect(await reasonOf(open.download('http://127.0.0.1:1/', LIMITS))).toBe('unreachable');
  });
});

describe('the guard', () => {
  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    'localhost',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
    '[::]',
  ])('asks nothing of http://%s', async (host) => {
    const port = new URL(base).port;
    expect(await reasonOf(guarded.download(`http://${host}:${port}/image`, LIMITS))).toBe('private_address');
    expect(requests).toEqual([]);
  });

  test('checks the target of a redirect like the first address', async () => {
    const fetcher = new Fetcher({ allowPrivate: false }, (address) => address === '127.0.0.1');
    const inwards = base.replace('127.0.0.1', '127.0.0.2');
    pages['/inwards'] = (_, response) => response.writeHead(302, { location: `${inwards}/image` }).end();
    expect(await reasonOf(fetcher.download(`${base}/inwards`, LIMITS))).toBe('private_address');
    expect(requests).toEqual(['/inwards']);
    await fetcher.close();
  });

  test.each([
    'ftp://example.com/a',
    'file:///etc/passwd',
    'data:image/gif;base64,R0lGOD',
    'gopher://x',
    'not a url',
    '',
  ])('does not know %s', async (url) => {
    expect(await reasonOf(guarded.download(url, LIMITS))).toBe('bad_url');
  });
});

test.each([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['::ffff:8.8.8.8', true],
  ['10.1.2.3', false],
  ['172.16.0.1', false],
  ['192.168.1.1', false],
  ['100.64.0.1', false],
  ['127.0.0.1', false],
  ['169.254.169.254', false],
  ['0.0.0.0', false],
  ['192.0.2.1', false],
  ['198.18.0.1', false],
  ['224.0.0.1', false],
  ['240.0.0.1', false],
  ['255.255.255.255', false],
  ['::', false],
  ['::1', false],
  ['::ffff:10.0.0.1', false],
  ['::ffff:7f00:1', false],
  ['::127.0.0.1', false],
  ['64:ff9b::a00:1', false],
  ['64:ff9b:1::a00:1', false],
  ['2002:7f00:1::', false],
  ['2001::1', false],
  ['2001:db8::1', false],
  ['fc00::1', false],
  ['fe80::1', false],
  ['fec0::1', false],
  ['ff02::1', false],
  ['100::1', false],
  ['fe80::1%eth0', false],
  ['example.com', false],
  ['', false],
])('isPublicAddress(%s) is %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected);
});
