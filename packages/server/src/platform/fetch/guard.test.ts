import { channel } from 'node:diagnostics_channel';
import type { LookupAddress } from 'node:dns';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isPublicAddress } from './address.ts';
import { DownloadError } from './download-error.ts';
import { Fetcher, type Surroundings } from './fetcher.ts';

const LIMITS = { maxBytes: 1000, timeoutMs: 30_000 };
let server: http.Server;
let port: number;
let requests: string[] = [];
let redirect = '';
let open: Fetcher[] = [];

beforeAll(async () => {
  server = http.createServer((request, response) => {
    requests.push(request.url!);
    if (request.url === '/redirect') response.writeHead(302, { location: redirect }).end();
    // The connection is closed, because open connections would be reused without a look-up.
    else response.writeHead(200, { 'content-type': 'image/gif', connection: 'close' }).end('GIF');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});

beforeEach(() => {
  requests = [];
});

afterEach(async () => {
  await Promise.all(open.map((fetcher) => fetcher.close()));
  open = [];
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function newFetcher(surroundings: Surroundings = {}): Fetcher {
  const fetcher = new Fetcher({ allowPrivate: false }, surroundings);
  open.push(fetcher);
  return fetcher;
}

/**
 * Returns a resolver whose look-ups return the items of `answers` one after the other. Look-ups after that return the
 * last item again.
 */
function resolving(...answers: string[][]) {
  const asked: string[] = [];
  const resolve = (name: string, _: object, done: (error: null, addresses: LookupAddress[]) => void): void => {
    const answer = answers[Math.min(asked.length, answers.length - 1)]!;
    asked.push(name);
    const addresses = answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    process.nextTick(done, null, addresses);
  };
  return { asked, resolve: resolve as unknown as NonNullable<Surroundings['resolve']> };
}

async function reasonOf(download: Promise<unknown>): Promise<string> {
  const error = await download.then(
    () => new Error('it was downloaded'),
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(DownloadError);
  return (error as DownloadError).reason;
}

const reasonFor = (url: string, fetcher = newFetcher()) => reasonOf(fetcher.download(url, LIMITS));

/** Treats this machine's address as the only public address. */
const onlyHere = (address: string): boolean => address === '127.0.0.1';

describe('private hosts in any notation', () => {
  test.each([
    ['127.0.0.1', 'dotted'],
    ['127.1', 'short'],
    ['127.0.1', 'short'],
    ['2130706433', 'decimal'],
    ['0x7f000001', 'hexadecimal'],
    ['0x7f.0.0.1', 'hexadecimal'],
    ['0177.0.0.1', 'octal'],
    ['017700000001', 'octal'],
    ['127.0.0.1.', 'with a trailing dot'],
    ['0x7f.1.', 'with a trailing dot'],
    ['127。0。0。1', 'with other dots'],
    ['①②⑦.0.0.1', 'with other digits'],
    ['%31%32%37.0.0.1', 'escaped'],
    ['0', 'the unspecified address'],
    ['0.0.0.0', 'the unspecified address'],
    ['169.254.169.254', 'metadata of clouds'],
    ['2852039166', 'metadata of clouds'],
    ['0xa9fea9fe', 'metadata of clouds'],
    ['[::]', 'the unspecified address'],
    ['[::1]', 'IPv6'],
    ['[0:0:0:0:0:0:0:1]', 'IPv6'],
    ['[::ffff:127.0.0.1]', 'mapped'],
    ['[::ffff:7f00:1]', 'mapped'],
    ['[::127.0.0.1]', 'compatible'],
    ['[64:ff9b::127.0.0.1]', 'NAT64'],
    ['[64:ff9b:1::127.0.0.1]', 'NAT64 of one network'],
    ['[2002:7f00:1::]', '6to4'],
    ['[2001:0:7f00:1::]', 'Teredo'],
    ['[fe80::1]', 'link-local'],
    ['[fd00:ec2::254]', 'metadata of clouds'],
    ['localhost', 'a name'],
    ['LOCALHOST', 'a name'],
  ])('get no requests: http://%s (%s)', async (host) => {
    expect(await reasonFor(`http://${host}:${port}/image`)).toBe('private_address');
    expect(requests).toEqual([]);
  });
});

describe('URLs', () => {
  test.each([
    'ftp://example.com/a',
    'file:///etc/passwd',
    'data:image/gif;base64,R0lGOD',
    'blob:http://example.com/a',
    'javascript:alert(1)',
    'gopher://x',
    'ws://example.com/a',
    '//example.com/a',
    'http://',
    'http://a b/',
    'http://[::1/',
    'http://[fe80::1%25eth0]/',
    'http://1.2.3.4.5/',
    'http://256.0.0.1/',
    'http://user@example.com/a.gif',
    'http://user:secret@example.com/a.gif',
    'http://:secret@example.com/a.gif',
    'http://example.com@127.0.0.1/',
    'not a url',
    '',
  ])('are refused if they are invalid or not allowed: %s', async (url) => {
    expect(await reasonFor(url)).toBe('bad_url');
  });

  test('with ports that browsers block are refused', async () => {
    for (const blocked of [1, 22, 25, 53, 110, 143, 389, 587, 993, 2049, 5060, 6000, 6667, 10080]) {
      const url = `http://127.0.0.1:${blocked}/a.gif`;
      await expect(fetch(url)).rejects.toMatchObject({ cause: { message: 'bad port' } });
      expect(await reasonFor(url), url).toBe('bad_url');
    }
  });

  test.each(['https://127.0.0.1:443/', 'http://127.0.0.1:80/', 'http://127.0.0.1:3000/', 'https://127.0.0.1:8443/'])(
    'with other ports are refused only because of their host: %s',
    async (url) => {
      expect(await reasonFor(url)).toBe('private_address');
    },
  );
});

describe('names', () => {
  test('are looked up once, and the socket connects to that address', async () => {
    const names = resolving(['127.0.0.1']);
    const fetcher = newFetcher({ allows: onlyHere, resolve: names.resolve });
    await fetcher.download(`http://gifs.example:${port}/image`, LIMITS);
    expect(names.asked).toEqual(['gifs.example']);
    expect(requests).toEqual(['/image']);
  });

  test.each([
    ['127.0.0.1', '127.0.0.2'],
    ['127.0.0.2', '127.0.0.1'],
    ['127.0.0.1', '::1'],
    ['127.0.0.1', '169.254.169.254'],
  ])('with a public and a private address are refused: %s and %s', async (...answer) => {
    const fetcher = newFetcher({ allows: onlyHere, resolve: resolving(answer).resolve });
    expect(await reasonFor(`http://gifs.example:${port}/image`, fetcher)).toBe('private_address');
    expect(requests).toEqual([]);
  });

  test('that resolve to a private address the second time are refused', async () => {
    const names = resolving(['127.0.0.1'], ['127.0.0.2']);
    const fetcher = newFetcher({ allows: onlyHere, resolve: names.resolve });
    const url = `http://gifs.example:${port}/image`;
    await fetcher.download(url, LIMITS);
    expect(await reasonFor(url, fetcher)).toBe('private_address');
    expect(names.asked).toHaveLength(2);
    expect(requests).toEqual(['/image']);
  });

  test.each(['gifs.example', 'gifs.example.', 'GIFS.EXAMPLE', '127.0.0.1.example'])(
    'of private addresses are refused: %s',
    async (name) => {
      const fetcher = newFetcher({ allows: onlyHere, resolve: resolving(['127.0.0.2']).resolve });
      expect(await reasonFor(`http://${name}:${port}/image`, fetcher)).toBe('private_address');
      expect(requests).toEqual([]);
    },
  );

  test('that cannot be looked up are reported as no_such_host', async () => {
    const failing = (_: string, __: object, done: (error: Error) => void) =>
      process.nextTick(done, Object.assign(new Error('not found'), { code: 'ENOTFOUND' }));
    const resolve = failing as unknown as NonNullable<Surroundings['resolve']>;
    expect(await reasonFor('http://gifs.example/', newFetcher({ resolve }))).toBe('no_such_host');
  });

  test('without an address are reported as no_such_host', async () => {
    expect(await reasonFor('http://gifs.example/', newFetcher({ resolve: resolving([]).resolve }))).toBe(
      'no_such_host',
    );
  });
});

describe('a redirect', () => {
  test.each([
    ['http://127.0.0.2:{port}/image', 'private_address'],
    ['//127.0.0.2:{port}/image', 'private_address'],
    ['http://2130706434:{port}/image', 'private_address'],
    ['http://[::1]:{port}/image', 'private_address'],
    ['http://private.example:{port}/image', 'private_address'],
    ['https://169.254.169.254/latest/meta-data/', 'private_address'],
    ['file:///etc/passwd', 'bad_url'],
    ['ftp://127.0.0.1/a', 'bad_url'],
    ['data:image/gif;base64,R0lGOD', 'bad_url'],
    ['http://user@127.0.0.1:{port}/image', 'bad_url'],
    ['http://127.0.0.1:25/', 'bad_url'],
    ['http://', 'bad_url'],
  ])('to %s is not followed', async (location, reason) => {
    const names = resolving(['127.0.0.2']);
    redirect = location.replace('{port}', String(port));
    const fetcher = newFetcher({ allows: onlyHere, resolve: names.resolve });
    expect(await reasonFor(`http://127.0.0.1:${port}/redirect`, fetcher)).toBe(reason);
    expect(requests).toEqual(['/redirect']);
  });

  test('to another public address is followed', async () => {
    redirect = `http://gifs.example:${port}/image`;
    const fetcher = newFetcher({ allows: onlyHere, resolve: resolving(['127.0.0.1']).resolve });
    expect(Buffer.from(await fetcher.download(`http://127.0.0.1:${port}/redirect`, LIMITS)).toString()).toBe('GIF');
    expect(requests).toEqual(['/redirect', '/image']);
  });
});

/** The channel that reports every connected socket. */
const connecting = channel('undici:client:connected');

describe('for any URL', () => {
  const connected: string[] = [];
  const note = (message: unknown): void => {
    connected.push((message as { socket: { remoteAddress: string } }).socket.remoteAddress);
  };
  beforeAll(() => connecting.subscribe(note));
  afterAll(() => void connecting.unsubscribe(note));

  const v4 = fc.ipV4();
  const anyAddress = fc.oneof(v4, fc.ipV6(), fc.constantFrom('127.0.0.1', '127.0.0.2', '::1', '::ffff:127.0.0.1'));

  test('no socket connects to an address that is not public', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyAddress, { minLength: 1, maxLength: 4 }), async (addresses) => {
        fc.pre(!addresses.every(isPublicAddress));
        const fetcher = newFetcher({ resolve: resolving(addresses).resolve });
        expect(await reasonFor(`http://gifs.example:${port}/image`, fetcher)).toBe('private_address');
      }),
    );
    expect(connected).toEqual([]);
    expect(requests).toEqual([]);
    // An allowed connection proves that the test detects connections.
    const fetcher = newFetcher({ allows: onlyHere });
    await fetcher.download(`http://127.0.0.1:${port}/image`, LIMITS);
    expect(connected).toEqual(['127.0.0.1']);
  });

  test('a private IPv4 address is recognised in every notation', async () => {
    const spell = (address: string, how: number, dot: string): string => {
      const parts = address.split('.').map(Number) as [number, number, number, number];
      const whole = parts.reduce((sum, part) => sum * 256 + part, 0);
      const [a, b, c, d] = parts;
      const spellings = [
        parts.map((part) => `0${part.toString(8)}`).join('.'),
        parts.map((part) => `0x${part.toString(16)}`).join('.'),
        `${whole}`,
        `0x${whole.toString(16)}`,
        `0${whole.toString(8)}`,
        `${a}.${(b * 256 + c) * 256 + d}`,
        `${a}.${b}.${c * 256 + d}`,
        address,
      ];
      return spellings[how]! + dot;
    };
    await fc.assert(
      fc.asyncProperty(v4, fc.nat(7), fc.constantFrom('', '.'), async (address, how, dot) => {
        fc.pre(!isPublicAddress(address));
        expect(await reasonFor(`http://${spell(address, how, dot)}:${port}/image`)).toBe('private_address');
      }),
    );
    expect(requests).toEqual([]);
  });
});
