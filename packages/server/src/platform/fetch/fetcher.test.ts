import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
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
  '/removed': (_, response) => response.writeHead(410).end(),
  '/forbidden': (_, response) => response.writeHead(403).end(),
  '/busy': (_, response) => response.writeHead(429).end(),
  '/broke': (_, response) => response.writeHead(503).end(),
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
  '/wait': (_, response) => response.writeHead(429, { 'retry-after': '7' }).end(),
  '/chunks': (_, response) => {
    response.write('GI');
    response.end('F');
  },
  '/part': (_, response) => response.writeHead(206, { 'content-range': 'bytes 0-2/900' }).end('GIF'),
  '/endless-part': (_, response) => response.writeHead(206, { 'content-range': 'bytes 0-2/*' }).end('GIF'),
  '/large-part': (_, response) => response.writeHead(206, { 'content-range': 'bytes 0-2/1001' }).end('GIF'),
  '/other-part': (_, response) => response.writeHead(206, { 'content-range': 'bytes 3-5/900' }).end('GIF'),
  '/no-part': (_, response) => response.writeHead(206).end('GIF'),
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
  test.each(['/image', '/untyped', '/once', '/three'])('returns the bytes of %s', async (path) => {
    expect(Buffer.from(await open.download(base + path, LIMITS)).toString()).toBe('GIF');
  });

  test('has the content type that the caller expects', async () => {
    const page = { ...LIMITS, contentType: /^text\/html/ };
    expect(Buffer.from(await open.download(`${base}/page`, page)).toString()).toBe('<p>');
    expect(await reasonOf(open.download(`${base}/image`, page))).toBe('wrong_content_type');
  });

  test.each([
    ['/page', 'wrong_content_type'],
    ['/missing', 'gone'],
    ['/removed', 'gone'],
    ['/forbidden', 'bad_status'],
    ['/busy', 'too_many_requests'],
    ['/broke', 'bad_status'],
    ['/declared', 'too_large'],
    ['/long', 'too_large'],
    ['/broken', 'unreachable'],
    ['/loop', 'too_many_redirects'],
    ['/to-file', 'bad_url'],
  ])('of %s fails with %s', async (path, reason) => {
    expect(await reasonOf(open.download(base + path, LIMITS))).toBe(reason);
  });

  test('accepts exactly as many bytes as allowed', async () => {
    expect(await open.download(`${base}/exact`, LIMITS)).toHaveLength(1000);
  });

  test('follows three redirects, not four', async () => {
    pages['/four'] = (_, response) => response.writeHead(302, { location: '/three' }).end();
    expect(await reasonOf(open.download(`${base}/four`, LIMITS))).toBe('too_many_redirects');
  });

  test.each(['/silent', '/stalled'])('of %s fails after the time limit', async (path) => {
    expect(await reasonOf(open.download(base + path, { ...LIMITS, timeoutMs: 50 }))).toBe('timed_out');
  });

  test("ends when its caller's signal fires, with the signal's reason", async () => {
    const controller = new AbortController();
    pages['/silent'] = () => controller.abort(new Error('enough'));
    await expect(open.download(`${base}/silent`, { ...LIMITS, signal: controller.signal })).rejects.toThrow('enough');
  });

  test('fails with unreachable on a closed port', async () => {
    expect(await reasonOf(open.download('http://127.0.0.1:2/', LIMITS))).toBe('unreachable');
  });
});

describe('a connection that the server closes without a response', () => {
  const files = new Map<string, http.RequestListener>([
    ['/image', pages['/image']!],
    ['/closes', ({ socket }) => socket.destroy()],
    // A server can close a connection that it has kept open just when the next request arrives.
    ['/later', (request, response) => (answered.has(request.socket) ? request.socket.destroy() : response.end('GIF'))],
  ]);
  const answered = new WeakSet<Socket>();

  async function listen(): Promise<{ url: string; asked: string[] }> {
    const asked: string[] = [];
    const closing = http.createServer((request, response) => {
      asked.push(request.url!);
      files.get(request.url!)!(request, response);
      answered.add(request.socket);
    });
    await new Promise<void>((resolve) => closing.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      closing.closeAllConnections();
      closing.close();
    });
    return { url: `http://127.0.0.1:${(closing.address() as AddressInfo).port}`, asked };
  }

  test('is replaced by a new one', async () => {
    const { url, asked } = await listen();
    // Not every request uses an open connection.
    for (let n = 0; n < 5; n++) expect(String(await open.download(`${url}/later`, LIMITS))).toBe('GIF');
    expect(asked.length).toBeGreaterThan(5);
  });

  test('is replaced only once', async () => {
    const { url, asked } = await listen();
    expect(await reasonOf(open.download(`${url}/closes`, LIMITS))).toBe('unreachable');
    expect(asked).toEqual(['/closes', '/closes']);
  });
});

test('a download reports its bytes as they arrive, even if it fails', async () => {
  let bytes = 0;
  const onBytes = (more: number) => {
    bytes += more;
  };
  await open.download(`${base}/image`, { ...LIMITS, onBytes });
  expect(bytes).toBe(3);
  await reasonOf(open.download(`${base}/long`, { ...LIMITS, onBytes }));
  expect(bytes).toBeGreaterThan(3 + LIMITS.maxBytes);
});

test('a download that came too early says when to try again', async () => {
  const early = { reason: 'too_many_requests', retryAfterMs: 7_000 };
  await expect(open.download(`${base}/wait`, LIMITS)).rejects.toMatchObject(early);
});

describe('the beginning of a file', () => {
  test.each([
    ['/part', 3, 3, 900],
    ['/endless-part', 3, 3, null],
    ['/exact', 100, 100, 1000],
    ['/chunks', 100, 3, 3],
    ['/image', 2, 2, 3],
  ])('%s is read', async (path, length, read, total) => {
    const begun = await open.beginning(base + path, { ...LIMITS, length });
    expect([begun.bytes.length, begun.total]).toEqual([read, total]);
  });

  test.each([
    ['/other-part', 'bad_status'],
    ['/no-part', 'bad_status'],
    ['/large-part', 'too_large'],
    ['/declared', 'too_large'],
    ['/missing', 'gone'],
  ])('%s is not read: %s', async (path, reason) => {
    expect(await reasonOf(open.beginning(base + path, { ...LIMITS, length: 3 }))).toBe(reason);
  });
});

describe('a probe', () => {
  test.each(['/image', '/once', '/stalled', '/broken', '/long'])(
    'of %s succeeds without reading the body',
    async (path) => {
      await expect(open.probe(base + path, LIMITS)).resolves.toBeUndefined();
    },
  );

  test.each([
    ['/page', 'wrong_content_type'],
    ['/missing', 'gone'],
    ['/busy', 'too_many_requests'],
    ['/declared', 'too_large'],
    ['/loop', 'too_many_redirects'],
    ['/to-file', 'bad_url'],
  ])('of %s fails with %s', async (path, reason) => {
    expect(await reasonOf(open.probe(base + path, LIMITS))).toBe(reason);
  });

  test('rejects private addresses like a download', async () => {
    expect(await reasonOf(guarded.probe(`${base}/image`, LIMITS))).toBe('private_address');
    expect(requests).toEqual([]);
  });
});
