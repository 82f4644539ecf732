import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { finalizeEvent, generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Browser } from '../../packages/server/src/account/testing/browser.ts';
import { DIMENSIONS, EmbeddingServer, wellFormed } from '../../packages/server/src/embed/testing/embedding-server.ts';
import { openDatabase } from '../../packages/server/src/platform/db/index.ts';
import { blocksGif } from '../support/catalogue.ts';
import { type RawAnswer, sendRaw } from '../support/faults/raw-http.ts';
import { freePort, type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';
import type { Edge, Ports } from './processes.ts';
import { Recorder } from './recorder.ts';

/*
 * Tests for every edge: the real program with the configuration from `deploy`, in front of the real service. A recorder
 * between them records the requests that reach the service.
 */

type Headers = Record<string, string>;

const ORIGIN = { origin: 'https://app.example' };
/** The secret key of a person who is allowed to upload. */
const MEMBER = generateSecretKey();
const STRANGER = { origin: 'https://stranger.example' };
const AGENT = { 'user-agent': 'WispApp/1.0' };
const DEVELOPMENT = { origin: 'http://localhost:5173' };
const OUTWARD_VARY = 'Accept-Encoding, Origin, Authorization, User-Agent';
/** Completions per minute that a client is allowed to request from the service. */
const SUGGESTS = 3;
/** Reports per hour that an IP address is allowed to send. */
const REPORTS = 10;
/** Maximum size of the body of a form, or of a write request to the dashboard, in bytes. */
const BODY_BYTES = 16 * 1024;

type StartEdge = (ports: Ports) => Promise<Edge>;

/** Everything that the tests of one edge use. */
export class Behind {
  readonly folder = temporaryFolder();
  readonly data = `${this.folder.path}/data`;
  server!: Server;
  recorder!: Recorder;
  edge!: Edge;
  key!: Headers;
  #vectors: EmbeddingServer | undefined;

  /** @param deploy the folder of the configuration. Its README.md has the number of proxies to trust */
  async start(startEdge: StartEdge, deploy: string): Promise<void> {
    const [, proxies] = /ZOETROPE_TRUST_PROXY=(\d+)/.exec(fs.readFileSync(`${deploy}/README.md`, 'utf8'))!;
    this.#vectors = await EmbeddingServer.start();
    const gif = `${this.folder.path}/cat.gif`;
    fs.writeFileSync(gif, blocksGif({ width: 64, height: 48, delays: [10, 10], seed: 1 }));
    await this.command('add', '--quiet', gif);
    const { id } = JSON.parse(await this.command('client', 'add', 'Wisp', '--origin', ORIGIN.origin, '--json'));
    const { key } = JSON.parse(await this.command('key', 'create', id, '--json'));
    await this.command('user-agent', 'add', id, 'WispApp/*');
    await this.command('origin', 'add', id, 'https://*.app.example');
    this.key = { authorization: `Bearer ${key}` };
    const [port, purge] = [await freePort(), await freePort()];
    this.server = await startServer(this.data, {
      ZOETROPE_THREADS: '1',
      ZOETROPE_EDGE_PORT: `${port}`,
      ZOETROPE_EDGE_PURGE_URL: `http://127.0.0.1:${purge}/`,
      ZOETROPE_RATES: `suggest=${SUGGESTS}`,
      ZOETROPE_TEST_RATE_DEVELOPMENT_PERCENT: '100',
      ZOETROPE_TRUST_PROXY: proxies!,
      ZOETROPE_MEMBERS: getPublicKey(MEMBER),
      ...this.#embedder(),
    });
    this.recorder = await Recorder.start(port);
    const dashboard = Number(new URL(this.server.url).port);
    this.edge = await startEdge({ upstream: this.recorder.port, dashboard, purge });
  }

  async stop(): Promise<void> {
    await this.edge?.stop();
    await this.recorder?.stop();
    await this.server?.stop();
    await this.#vectors?.[Symbol.asyncDispose]();
    this.folder[Symbol.dispose]();
  }

  async command(...args: string[]): Promise<string> {
    this.#vectors!.answer = (request, response) => response.end(JSON.stringify(wellFormed(request)));
    const { code, stdout, stderr } = await zoetrope(this.data, args, this.#embedder());
    expect(code, stderr).toBe(0);
    this.#vectors!.answer = (_, response) => response.writeHead(500).end();
    return stdout;
  }

  /**
   * Returns the settings of the embedder. It runs only during some commands. At other times, searches use words alone.
   */
  #embedder(): Record<string, string> {
    return {
      ZOETROPE_EMBEDDER: 'http',
      ZOETROPE_EMBEDDER_URL: this.#vectors!.url,
      ZOETROPE_EMBEDDER_DIMENSIONS: String(DIMENSIONS),
    };
  }

  get(path: string, headers: Headers, method = 'GET'): Promise<Response> {
    return fetch(this.edge.url + path, { method, headers: { 'user-agent': 'nobody', ...headers }, redirect: 'manual' });
  }

  /** Sends a request like `get`, but with raw header lines that no browser would send, and from any local address. */
  async raw(
    method: string,
    path: string,
    lines: string[],
    { body = '', address = '127.0.0.1' } = {},
  ): Promise<RawAnswer> {
    const length = method === 'POST' ? [`Content-Length: ${body.length}`] : [];
    const all = [`${method} ${path} HTTP/1.1`, 'Host: a', ...lines, ...length];
    // A Connection header of the test itself is sent unchanged, without our Connection header.
    const close = lines.some((line) => /^connection:/i.test(line)) ? [] : ['Connection: close'];
    const [answer] = await sendRaw(
      this.edge.url,
      [{ head: `${[...all, ...close].join('\r\n')}\r\n\r\n`, body }],
      address,
    );
    return answer!;
  }

  /**
   * Returns requests that reached the service since the last call, except those that only ask whether a cached response
   * has changed. `admit` stands for an admission request.
   */
  through(): string[] {
    const made = this.recorder.take().filter(({ headers }) => headers['if-none-match'] === undefined);
    return made.map(({ url }) => (url === '/_admit' ? 'admit' : url));
  }
}

const cors = ({ headers }: Response) => [...headers.keys()].filter((name) => name.startsWith('access-control'));

/** Returns the path of a search that has never been sent before, so no cache has its response. */
const fresh = () => `/api/v1/search?mode=text&q=${randomUUID()}`;

async function refused(response: Response): Promise<{ status: number; code: string; cors: string[] }> {
  const { error } = (await response.json()) as { error: { code: string; message: string } };
  expect(error.message.length).toBeGreaterThan(10);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  return { status: response.status, code: error.code, cors: cors(response) };
}

/** Returns the header with which a member allows a request, as clients of Blossom do. */
function authorise(action: string, sha256: string): string {
  const now = Math.floor(Date.now() / 1_000);
  const tags = [
    ['t', action],
    ['x', sha256],
    ['expiration', String(now + 600)],
  ];
  const event = finalizeEvent({ kind: 24242, created_at: now, content: action, tags }, MEMBER);
  return `Nostr ${Buffer.from(JSON.stringify(event)).toString('base64')}`;
}

const READABLE = ['access-control-allow-origin', 'access-control-expose-headers'];

/** Defines the tests of the edge in a folder of `deploy`. @param more defines tests for this edge only */
export function describeEdge(
  name: 'nginx' | 'varnish',
  isThere: boolean,
  startEdge: StartEdge,
  more: (behind: Behind) => void = () => {},
): void {
  describe.skipIf(!isThere)(`behind ${name}`, () => {
    const behind = new Behind();
    const get: Behind['get'] = (...args) => behind.get(...args);
    const through = () => behind.through();
    /** Returns the number of requests that reached the service since the last call. */
    const count = () => through().length;

    beforeAll(() => behind.start(startEdge, `deploy/${name}`));
    afterAll(() => behind.stop());
    beforeEach(async () => {
      for (const headers of [ORIGIN, behind.key, AGENT, DEVELOPMENT]) {
        expect((await get('/api/v1/search?mode=text&q=warm', headers)).status).toBe(200);
      }
      behind.recorder.take();
    });

    test('users can sign in to the dashboard, and stay signed in', async () => {
      const browser = new Browser(behind.edge.url, behind.server.url);
      expect((await browser.signIn({ now: Date.now() })).status).toBe(200);
      expect(await browser.ask('GET /clients')).toMatchObject({ status: 200, body: { clients: [] } });
      expect((await browser.ask('POST /account/sign-out')).status).toBe(200);
      expect((await browser.ask('GET /clients')).status).toBe(401);
    });

    test('a GIF can be reported, and each IP address has its own limit of reports', async () => {
      const search = await behind.get('/api/v1/search?mode=text&q=cat', ORIGIN);
      const [gif] = ((await search.json()) as { items: { id: string }[] }).items;
      const report = (message: string, address: string, lines: string[] = []) => {
        const body = new URLSearchParams({ gif: gif!.id, reason: 'other', message, contact: '' }).toString();
        const form = ['Content-Type: application/x-www-form-urlencoded', ...lines];
        return behind.raw('POST', '/report', form, { body, address });
      };
      const body = new URLSearchParams({ gif: gif!.id, reason: 'other', message: 'm'.repeat(1_500), contact: '' });
      const taken = await behind.raw('POST', '/report', ['Content-Type: application/x-www-form-urlencoded'], {
        body: body.toString(),
      });
      expect([taken.status, taken.headers['location']]).toEqual([303, '/report?sent=1']);
      for (let n = 0; n < REPORTS; n++) expect((await report('It is mine', '127.0.0.2')).status).toBe(303);
      const forged = ['X-Forwarded-For: 192.0.2.1'];
      expect((await report('It is mine', '127.0.0.2', forged)).status).toBe(429);
      expect((await report('It is mine', '127.0.0.3')).status).toBe(303);
      const large = await report('m'.repeat(BODY_BYTES), '127.0.0.3');
      expect([large.status, JSON.parse(large.body).error.code]).toEqual([400, 'validation']);
      expect(JSON.parse(large.body).error.message).toMatch(/too large/);
      expect((await behind.raw('POST', '/', [])).status).toBe(405);
      expect((await behind.raw('POST', '/dashboard/api/auth/login', [], { body: 'm'.repeat(10_000) })).status).toBe(
        403,
      );
    });

    test("no log contains a caller's IP address or query", async () => {
      const query = randomUUID();
      const address = '127.0.0.77';
      const caller = [`Origin: ${ORIGIN.origin}`];
      for (const path of [`/api/v1/search?mode=text&q=${query}`, `/nothing?${query}`, `/m/${query}.gif`]) {
        await behind.raw('GET', path, caller, { address });
      }
      await behind.raw('POST', `/report?${query}`, caller, { address, body: 'm'.repeat(BODY_BYTES + 1) });
      const written = behind.edge.written().flatMap((text) => text.split('\n'));
      expect(written.filter((line) => line.includes(query) || line.includes(address))).toEqual([]);
    });

    let spellings = 0;
    /**
     * For each header, a function that returns two values: a registered one that no cache has seen yet, and an unregistered
     * one.
     */
    const callers = {
      Origin: () => [`https://${randomUUID()}.app.example`, `https://${randomUUID()}.example`] as const,
      // Each mixture of upper and lower case in `bearer` gives a new value.
      Authorization: () => {
        const scheme = [...'bearer'].map((c, n) => ((spellings >> n) & 1 ? c.toUpperCase() : c)).join('');
        spellings++;
        const [, key] = behind.key['authorization']!.split(' ');
        return [`${scheme} ${key}`, `${scheme} ${key}y`] as const;
      },
      'User-Agent': () => [`WispApp/${randomUUID()}`, `Other/${randomUUID()}`] as const,
    };
    const attacks: Record<string, (name: string, known: string, stranger: string) => string[]> = {
      'two, the known first': (name, known, stranger) => [`${name}: ${known}`, `${name}: ${stranger}`],
      'two, the stranger first': (name, known, stranger) => [`${name}: ${stranger}`, `${name}: ${known}`],
      'two that are the same': (name, known) => [`${name}: ${known}`, `${name}: ${known}`],
      'an empty one before it': (name, known) => [`${name}:`, `${name}: ${known}`],
      'an empty one after it': (name, known) => [`${name}: ${known}`, `${name}:`],
      'an opaque Origin, then another': (name, known, stranger) => [
        'Origin: null',
        `Origin: ${name === 'Origin' ? known : stranger}`,
        ...(name === 'Origin' ? [] : [`${name}: ${known}`]),
      ],
      'an Origin, then an opaque one': (name, known) => [
        `Origin: ${name === 'Origin' ? known : 'https://other.example'}`,
        'Origin: null',
        ...(name === 'Origin' ? [] : [`${name}: ${known}`]),
      ],
      'an Origin that is nearly opaque': (name, known) => ['Origin: NULL', `${name}: ${known}`],
      'an empty Origin': (name, known) => ['Origin:', `${name}: ${known}`],
      'a known one that Connection names': (name, known) => [`Connection: close, ${name}`, `${name}: ${known}`],
      'an unknown one that Connection names, with a known app': (name, _, stranger) => [
        `Connection: close, ${name}`,
        `${name}: ${stranger}`,
        ...(name === 'User-Agent' ? [] : [`User-Agent: WispApp/${randomUUID()}`]),
      ],
    };

    test.each(Object.keys(callers) as (keyof typeof callers)[])(
      '%s: a caller with repeated or odd headers does not change who else is admitted',
      async (name) => {
        for (const [attack, lines] of Object.entries(attacks)) {
          const [known, stranger] = callers[name]();
          const answer = await behind.raw('GET', fresh(), lines(name, known, stranger));
          expect([200, 400, 403], attack).toContain(answer.status);
          expect((await behind.raw('GET', fresh(), [`${name}: ${stranger}`])).status, attack).toBe(403);
          expect((await behind.raw('GET', fresh(), [`${name}: ${known}`])).status, attack).toBe(200);
        }
      },
    );

    test('the dashboard can be read and written to', async () => {
      expect((await get('/dashboard/api/site', {})).status).toBe(200);
      const headers = { origin: behind.server.url, 'content-type': 'application/json' };
      const url = `${behind.edge.url}/dashboard/api/auth/challenge`;
      const challenge = await fetch(url, { method: 'POST', headers, body: '{}' });
      expect(challenge.status).toBe(200);
      expect(challenge.headers.getSetCookie()[0]).toContain('__Host-');
      const stranger = await fetch(url, {
        method: 'POST',
        headers: { ...headers, origin: 'https://a.example' },
        body: '{}',
      });
      expect([stranger.status, (await stranger.json()).error.code]).toEqual([403, 'forbidden']);
      expect(behind.through()).toEqual([]);
    });

    test('requests of members get to the main port, and say why they are refused', async () => {
      const file = `/${'0'.repeat(64)}`;
      for (const [method, path] of [
        ['HEAD', '/upload'],
        ['GET', `/list/${'0'.repeat(64)}`],
        ['DELETE', file],
      ] as const) {
        const { status, headers } = await get(path, {}, method);
        expect([status, headers.get('x-reason')], path).toEqual([401, expect.stringContaining('Authorization')]);
      }
      expect(behind.through()).toEqual([]);
      const read = await get(file, {});
      expect([read.status, read.headers.get('x-reason')]).toEqual([404, 'no original has this URL']);
    });

    test('a response is requested once, and shared by all admitted callers', async () => {
      const address = fresh();
      const first = await get(address, ORIGIN);
      const body = await first.text();
      expect(first.status).toBe(200);
      expect(through()).toHaveLength(1);
      for (const headers of [ORIGIN, behind.key, AGENT, DEVELOPMENT, { ...behind.key, origin: 'null' }]) {
        const again = await get(address, headers);
        expect([again.status, await again.text()]).toEqual([200, body]);
        expect(again.headers.get('access-control-allow-origin')).toBe('*');
        expect(again.headers.get('access-control-expose-headers')).toContain('RateLimit');
        expect(again.headers.get('vary')).toBe(OUTWARD_VARY);
        expect(again.headers.get('cache-control')).toBe('private, max-age=60');
        expect(again.headers.get('age')).toBeNull();
        const told = [
          'surrogate-control',
          'cdn-cache-control',
          'surrogate-key',
          'x-accel-expires',
          'xkey',
          'ratelimit',
        ];
        expect(told.filter((header) => again.headers.has(header))).toEqual([]);
      }
      expect(through().filter((url) => url !== 'admit')).toEqual([]);
    });

    test('headers that identify callers are not forwarded, and callers cannot forge an admission', async () => {
      const forged = {
        'zoetrope-client': 'forged',
        'zoetrope-client-class': 'development',
        'zoetrope-client-way': 'forged',
        'zoetrope-client-limit': '1',
      };
      const address = fresh();
      await get(address, { ...behind.key, ...forged, cookie: 'a=b', referer: 'https://app.example/' });
      const [search, ...others] = behind.recorder.take();
      expect([search!.url, others]).toEqual([address, []]);
      const { headers } = search!;
      expect(
        Object.keys(headers).filter((header) => /^(origin|auth|user-agent|cookie|referer|x-forw)/.test(header)),
      ).toEqual([]);
      expect(headers['zoetrope-client']).not.toBe('forged');
      expect(headers['zoetrope-client-class']).toBe('registered');
      expect(headers['zoetrope-client-way']).toMatch(/./);
      expect(headers['zoetrope-client-way']).not.toBe('forged');
      expect(headers['zoetrope-client-limit'] ?? '').toBe('');
      expect(await refused(await get(fresh(), { ...STRANGER, ...forged }))).toMatchObject({ status: 403, cors: [] });
      for (const path of [`/%61pi/v1/search?q=${randomUUID()}`, `//api/v1/search?q=a`]) {
        expect([403, 404], path).toContain((await get(path, forged)).status);
      }
    });

    test('an unknown caller is refused without CORS headers, and the refusal is cached', async () => {
      const origin = `https://${randomUUID()}.example`;
      for (const headers of [{ origin }, { origin, ...behind.key }, { origin, ...AGENT }]) {
        const response = await get(fresh(), headers);
        expect(response.headers.get('cache-control')).toBe('no-store');
        expect(await refused(response)).toEqual({ status: 403, code: 'client_not_registered', cors: [] });
      }
      expect(through()).toEqual(['admit']);
      const unknown: Headers[] = [
        { authorization: `${behind.key['authorization']}x` },
        { 'user-agent': `Other/${randomUUID()}` },
        { origin: 'file://', ...behind.key },
        { origin: 'null', 'user-agent': `Another/${randomUUID()}` },
      ];
      for (const headers of unknown) expect((await get(fresh(), headers)).status).toBe(403);
      expect(through()).toEqual(unknown.map(() => 'admit'));
    });

    test('a registry failure is a 503 that is not cached', async () => {
      const db = openDatabase(`${behind.data}/zoetrope.db`);
      await db.schema.alterTable('origins').renameTo('origins_gone').execute();
      const origin = { origin: `https://${randomUUID()}.example` };
      for (let n = 0; n < 2; n++) {
        const response = await get(fresh(), origin);
        expect(response.headers.get('cache-control')).toBe('no-store');
        expect(response.headers.get('retry-after')).toBe('10');
        expect(await refused(response)).toEqual({ status: 503, code: 'registry_unavailable', cors: [] });
      }
      expect(through()).toEqual(['admit', 'admit']);
      expect((await get(fresh(), ORIGIN)).status).toBe(200);
      await db.schema.alterTable('origins_gone').renameTo('origins').execute();
      await db.destroy();
      expect((await get(fresh(), origin)).status).toBe(403);
    });

    test('a 404 is cached like a successful response', async () => {
      for (let n = 0; n < 2; n++) {
        const response = await get('/api/v1/gifs/nobody.gif/similar', ORIGIN);
        expect(await refused(response)).toEqual({ status: 404, code: 'not_found', cors: READABLE });
      }
      expect(through()).toEqual(['/api/v1/gifs/nobody.gif/similar']);
    });

    test('a response is cached until it has to be asked for again', async () => {
      const [degraded, whole] = [`/api/v1/search?q=${randomUUID()}`, fresh()];
      for (let n = 0; n < 2; n++) {
        const response = await get(degraded, { ...ORIGIN, 'accept-encoding': 'identity' });
        expect(response.headers.get('cache-control')).toBe('private, no-cache');
        expect(await response.json()).toMatchObject({ semantic: false });
      }
      expect(count()).toBe(1);
      // nginx cannot be told that something was hidden, so it asks again soon.
      const seconds = name === 'nginx' ? { degraded: 4, whole: 4 } : { degraded: 60, whole: 3_600 };
      await expect.poll(() => behind.edge.keeps(degraded)).toEqual({ fresh: seconds.degraded, stale: 0 });
      await get(whole, { ...ORIGIN, 'accept-encoding': 'identity' });
      await expect.poll(() => behind.edge.keeps(whole)?.fresh).toBe(seconds.whole);
    });

    test('a response for one caller is not cached', async () => {
      const explained = `${fresh()}&explain=1`;
      for (let n = 0; n < 2; n++) {
        const response = await get(explained, DEVELOPMENT);
        expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
        expect(await response.json()).toHaveProperty('explain');
      }
      expect(count()).toBe(2);
      expect(await refused(await get(explained, ORIGIN))).toMatchObject({ status: 400, code: 'validation' });
    });

    test('admitted pages can read errors, which are not cached', async () => {
      const wrong = [
        ['/api/v1/search?q=', 400, 'validation'],
        ['/api/v1/search?q=a&q=b', 400, 'validation'],
        ['/api/v1/search?q=cat&safe=0', 403, 'adult_not_allowed'],
        ['/api/v1/search?q=cat&mode=semantic', 503, 'embedder_unavailable'],
      ] as const;
      for (const [address, status, code] of [...wrong, ...wrong]) {
        const response = await get(address, ORIGIN);
        expect(response.headers.get('cache-control')).toBe('no-store');
        expect(await refused(response)).toEqual({ status, code, cors: READABLE });
      }
      expect(count()).toBe(2 * wrong.length);
    });

    test('only forwarded requests count against a budget, and each client has its own', async () => {
      const ask = (n: number, headers: Headers) => get(`/api/v1/suggest?q=budget${n}`, headers);
      // Each request is sent twice, and the second one is not forwarded. It follows immediately, because nginx soon
      // forwards such requests again.
      for (let n = 0; n < 2 * SUGGESTS; n++) expect((await ask(n >> 1, ORIGIN)).status).toBe(200);
      const response = await ask(SUGGESTS, ORIGIN);
      expect(response.headers.get('ratelimit')).toMatch(/^"suggest";r=0;/);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await refused(response)).toEqual({ status: 429, code: 'rate_limited', cors: READABLE });
      expect((await ask(SUGGESTS, DEVELOPMENT)).status).toBe(200);
      expect((await ask(SUGGESTS, ORIGIN)).status).toBe(200);
    });

    test('responses have an encoding that the client accepts', async () => {
      const address = '/api/v1/search?mode=text&q=cat';
      for (const [accepted, encoding] of [
        ['gzip;q=0.5, br', 'br'],
        ['br', 'br'],
        ['gzip, br;q=0', 'gzip'],
        ['identity', null],
        ['deflate', null],
      ] as const) {
        const response = await get(address, { ...ORIGIN, 'accept-encoding': accepted });
        expect(response.headers.get('content-encoding'), accepted).toBe(encoding);
        expect(await response.json()).toMatchObject({ count: 1 });
      }
      expect(count()).toBeLessThanOrEqual(3);
    });

    test('conditional and HEAD requests get their response from the cache', async () => {
      const address = fresh();
      const etag = (await get(address, ORIGIN)).headers.get('etag')!;
      through();
      const again = await get(address, { ...behind.key, 'if-none-match': etag });
      expect([again.status, await again.text()]).toEqual([304, '']);
      expect(again.headers.get('access-control-allow-origin')).toBe('*');
      const head = await get(address, ORIGIN, 'HEAD');
      expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([200, '', etag]);
      expect(count()).toBe(0);
    });

    test('a preflight allows GET and HEAD, if the origin is registered', async () => {
      const asking = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' };
      const allowed = await get('/api/v1/search', { ...ORIGIN, ...asking }, 'OPTIONS');
      expect(allowed.status).toBe(204);
      expect(allowed.headers.get('access-control-allow-origin')).toBe('*');
      expect(allowed.headers.get('access-control-allow-methods')).toBe('GET, HEAD');
      expect(allowed.headers.get('access-control-allow-headers')).toBeNull();
      const stranger = await get('/api/v1/search', { ...STRANGER, ...asking }, 'OPTIONS');
      expect([stranger.status, cors(stranger)]).toEqual([403, []]);
      expect(await refused(await get('/api/v1/search?q=a', ORIGIN, 'DELETE'))).toMatchObject({ status: 405 });
    });

    test('images are public, available in ranges, and cached', async () => {
      const found = (await (await get('/api/v1/search?mode=text&q=cat', ORIGIN)).json()) as {
        items: { url: string }[];
      };
      const { pathname } = new URL(found.items[0]!.url);
      const whole = Buffer.from(await (await fetch(behind.server.url + pathname)).arrayBuffer());
      through();
      for (const [range, start, end] of [
        ['bytes=10-19', 10, 20],
        ['bytes=-7', whole.length - 7, whole.length],
        ['bytes=100-', 100, whole.length],
      ] as const) {
        const part = await get(pathname, { range });
        expect(part.status).toBe(206);
        expect(part.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/${whole.length}`);
        expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(start, end));
      }
      const all = await get(`${pathname}?again`, STRANGER);
      expect(Buffer.from(await all.arrayBuffer())).toEqual(whole);
      expect(all.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(all.headers.get('access-control-allow-origin')).toBe('*');
      expect(all.headers.get('accept-ranges')).toBe('bytes');
      expect(count()).toBe(1);
      expect((await get(pathname, { range: `bytes=${whole.length}-` })).status).toBe(416);
      expect((await get(pathname, { 'if-none-match': all.headers.get('etag')! })).status).toBe(304);
      expect((await get('/m/nothing.gif', {})).status).toBe(404);
    });

    test('all other paths respond as without an edge', async () => {
      for (const path of ['/', '/readyz', '/api/v1/openapi.json', '/.well-known/gif-search.json']) {
        // The page changes while GIFs are being added.
        const isSame = async () => {
          const [one, other] = [await fetch(behind.server.url + path), await get(path, STRANGER)];
          return (await one.text()) === (await other.text());
        };
        await expect.poll(isSame, { message: path }).toBe(true);
        const [direct, through] = [await fetch(behind.server.url + path), await get(path, STRANGER)];
        expect(through.status, path).toBe(200);
        expect(through.headers.get('cache-control')).toBe(direct.headers.get('cache-control'));
      }
      expect(await refused(await get('/nothing', {}))).toMatchObject({ status: 404, code: 'not_found' });
      expect(await refused(await get('/_admit', ORIGIN))).toMatchObject({ status: 404, code: 'not_found' });
    });

    more(behind);

    // This test is one of the last, because the edge drops its lists of GIFs when the file has been read, and again two
    // seconds later.
    test('a member uploads a large file, lists it and deletes it', async () => {
      const picture = blocksGif({ width: 64, height: 64, delays: [10, 10], seed: 2 });
      // Bytes after the end of a GIF belong to the file.
      const file = Buffer.concat([picture, Buffer.alloc(1_000_000)]);
      const sha256 = createHash('sha256').update(file).digest('hex');
      const send = (method: string, path: string, body?: Buffer<ArrayBuffer>) => {
        const headers = { authorization: authorise({ PUT: 'upload', GET: 'list', DELETE: 'delete' }[method]!, sha256) };
        return fetch(behind.edge.url + path, { method, headers, ...(body && { body }) });
      };
      const list = async () => {
        const response = await send('GET', `/list/${getPublicKey(MEMBER)}`);
        expect(response.status).toBe(200);
        return ((await response.json()) as { sha256: string }[]).map((blob) => blob.sha256);
      };
      const sent = await send('PUT', '/upload', file);
      expect([sent.status, await sent.json()]).toEqual([202, expect.objectContaining({ sha256, size: file.length })]);
      expect((await get(`/${sha256}`, {})).status).toBe(404);
      await expect.poll(list).toEqual([sha256]);
      // The file cannot be deleted before it has been read.
      await expect.poll(async () => (await send('DELETE', `/${sha256}`)).status).toBe(204);
      expect(await list()).toEqual([]);
      expect(behind.through()).toEqual([`/${sha256}`]);
    });

    test('while the service is down, known callers can read the error, and others cannot', async () => {
      const kept = '/api/v1/gifs/kept.gif/similar';
      expect((await get(kept, ORIGIN)).status).toBe(404);
      await behind.recorder.stop();
      if (name === 'varnish') expect((await get(kept, ORIGIN)).status).toBe(404);
      const gone = await refused(await get(fresh(), ORIGIN));
      expect(gone).toEqual({ status: 503, code: 'upstream_unavailable', cors: READABLE });
      const unknown = await refused(await get(kept, { origin: `https://${randomUUID()}.example` }));
      expect(unknown).toEqual({ status: 503, code: 'registry_unavailable', cors: [] });
    });
  });
}
