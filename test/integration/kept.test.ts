import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { writeManifest } from '../support/catalogue.ts';
import { type RawAnswer, sendRaw } from '../support/faults/raw-http.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

/*
 * Cached responses are sent before the framework sees the request. A request with `content-length: 0` is handled by the
 * framework, and must get the same response.
 */

const folder = temporaryFolder();
const data = `${folder.path}/data`;
const TARGETS = ['/api/v1/search?q=cat', '/api/v1/suggest?q=ca', '/api/v1/gifs/cat-0.gif/similar?limit=5'];
const ORIGIN = 'origin: http://localhost:5173\r\n';
const QUOTA = 1_000;
/** Requests per minute. The number is so small that the budget does not refill by one request during a test. */
const SIMILAR = 4;

let server: Server;

beforeAll(async () => {
  const rows = Array.from({ length: 30 }, (_, n) => ({ id: `cat-${n}.gif`, title: `cat number ${n}` }));
  const manifest = writeManifest(`${folder.path}/rows.jsonl`, rows);
  expect((await zoetrope(data, ['add', '--quiet', manifest], { ZOETROPE_EMBEDDER: 'none' })).code).toBe(0);
  const limits = { ZOETROPE_TEST_RATE_DEVELOPMENT_PERCENT: '100' };
  const quotas = { ZOETROPE_RATES: `search=${QUOTA}, suggest=${QUOTA}, similar=${SIMILAR}` };
  server = await startServer(data, { ZOETROPE_EMBEDDER: 'none', ...limits, ...quotas });
});

afterAll(async () => {
  await server.stop();
  folder[Symbol.dispose]();
});

const AT_ONCE = '';
const BY_THE_FRAMEWORK = 'content-length: 0\r\n';

async function ask(target: string, headers: string, by: string): Promise<RawAnswer> {
  const head = `GET ${target} HTTP/1.1\r\nhost: localhost\r\n${headers}${by}connection: close\r\n\r\n`;
  const [answer] = await sendRaw(server.url, [{ head }]);
  return answer!;
}

/** Returns a response without the headers that differ between requests. */
function lasting({ status, headers, body }: RawAnswer): object {
  const { date: _, ratelimit: __, 'x-request-id': ___, ...rest } = headers;
  return { status, headers: rest, body };
}

test.each(TARGETS.slice(0, 2))(
  '%s gets the same cached response immediately and from the framework',
  async (target) => {
    const { headers } = await ask(target, ORIGIN, AT_ONCE);
    const etag = headers['etag']!;
    const kinds = [
      ORIGIN,
      `${ORIGIN}if-none-match: ${etag}\r\n`,
      `${ORIGIN}if-none-match: "other"\r\n`,
      `${ORIGIN}if-none-match: \r\n`,
      `${ORIGIN}content-type: text/plain\r\n`,
      'origin: https://stranger.example\r\n',
      'origin: null\r\nauthorization: Bearer nobody\r\n',
      '',
      `${ORIGIN}host: other\r\n`,
    ];
    const statuses: number[] = [];
    for (const kind of kinds) {
      const atOnce = await ask(target, kind, AT_ONCE);
      expect(lasting(atOnce), kind).toEqual(lasting(await ask(target, kind, BY_THE_FRAMEWORK)));
      statuses.push(atOnce.status);
    }
    expect(statuses).toEqual([200, 304, 200, 200, 200, 403, 403, 403, 400]);
  },
);

test('a cached response is compressed in the same way', async () => {
  const wanted = `${ORIGIN}accept-encoding: gzip\r\n`;
  const atOnce = await vi.waitFor(
    async () => {
      const answer = await ask(TARGETS[0]!, wanted, AT_ONCE);
      expect(answer.headers['content-encoding']).toBe('gzip');
      return answer;
    },
    { timeout: 480_000 },
  );
  expect(lasting(atOnce)).toEqual(lasting(await ask(TARGETS[0]!, wanted, BY_THE_FRAMEWORK)));
});

test('a cached response counts against the budget, and is refused when the budget is used up', async () => {
  const answers: RawAnswer[] = [];
  for (let n = 0; n < SIMILAR + 2; n++)
    answers.push(await ask(TARGETS[2]!, ORIGIN, n % 2 ? BY_THE_FRAMEWORK : AT_ONCE));
  expect(answers.map(({ status }) => status)).toEqual([...Array(SIMILAR).fill(200), 429, 429]);
  const left = answers.map(({ headers }) => Number(/r=(\d+)/.exec(headers['ratelimit']!)?.[1]));
  expect(left).toEqual([3, 2, 1, 0, 0, 0]);
  expect(answers[SIMILAR]!.headers['access-control-allow-origin']).toBe('*');
});

test('a cached response is not sent for /try, which admits only the pages', async () => {
  const { status } = await ask(`/try${TARGETS[0]!}`, `${ORIGIN}sec-fetch-site: same-origin\r\n`, AT_ONCE);
  expect(status).toBe(200);
  expect((await ask(`/try${TARGETS[0]!}`, ORIGIN, AT_ONCE)).status).toBe(403);
});
