import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { OperatorError } from '../base/errors.ts';
import { openHttp } from './child/http.ts';
import type { Embedder } from './embedder.ts';
import { DIMENSIONS, EmbeddingServer, vectorOf, wellFormed } from './testing/embedding-server.ts';
import { closeTestEmbedders, cosine, createTestEmbedder } from './testing/test-embedder.ts';

const LONG = 120_000;
let server: EmbeddingServer;

beforeEach(async () => {
  server = await EmbeddingServer.start();
});
afterEach(async () => {
  await closeTestEmbedders();
  await server[Symbol.asyncDispose]();
});

function embedderOf(key = ''): Promise<Embedder> {
  return createTestEmbedder({ provider: 'http', url: `${server.url}/`, key, model: 'm', dimensions: DIMENSIONS });
}

async function until(embedder: Embedder, state: string): Promise<void> {
  await vi.waitUntil(() => embedder.state().state === state, { timeout: LONG });
}

describe('a server', () => {
  test('embeds queries and documents; vectors are scaled to unit length and put in order', async () => {
    const embedder = await embedderOf();
    expect(embedder).toMatchObject({ id: 'http:m/128', dimensions: 128 });
    const query = await embedder.embedQuery('happy', LONG);
    const length = Math.hypot(...vectorOf('happy'));
    expect(query).toEqual(new Float32Array(vectorOf('happy').map((value) => value / length)));
    const [sad, nothing, happy] = await embedder.embedDocuments(['sad', '  ', 'happy']);
    expect(nothing).toBeNull();
    expect(happy).toEqual(query);
    expect(cosine(sad!, happy!)).toBeLessThan(0.999);
  });

  test('gets the key and no other secret', async () => {
    await (await embedderOf('secret')).embedQuery('happy', LONG);
    expect(server.requests[0]!.headers).toMatchObject({ authorization: 'Bearer secret' });
  });

  test('that is unavailable opens the breaker, and closes it when it is back', async () => {
    server.answer = (_, response) => response.writeHead(503).end();
    const embedder = await embedderOf();
    await until(embedder, 'down');
    expect(embedder.state().why).toContain('status 503');
    const waiting = embedder.embedDocuments(['happy']);
    const asked = server.requests.length;
    await expect(embedder.embedQuery('happy', LONG)).rejects.toMatchObject({ code: 'embedder_unavailable' });
    expect(server.requests).toHaveLength(asked);
    server.answer = (request, response) => response.end(JSON.stringify(wellFormed(request)));
    await until(embedder, 'ready');
    await expect(embedder.embedQuery('happy', LONG)).resolves.toHaveLength(DIMENSIONS);
    await expect(waiting).resolves.toHaveLength(1);
  });

  test('can fail twice in a row; the third failure opens the breaker', async () => {
    const embedder = await embedderOf();
    await until(embedder, 'ready');
    server.answer = (_, response) => response.writeHead(500).end();
    for (const state of ['degraded', 'degraded', 'down']) {
      await expect(embedder.embedQuery('happy', LONG)).rejects.toThrow('status 500');
      expect(embedder.state().state).toBe(state);
    }
  });
});

test('single failures with successes in between do not open the breaker', async () => {
  const embedder = await embedderOf();
  await until(embedder, 'ready');
  const { answer } = server;
  for (let n = 0; n < 4; n++) {
    server.answer = (_, response) => response.writeHead(500).end();
    await expect(embedder.embedQuery(`failure ${n}`, LONG)).rejects.toThrow('status 500');
    expect(embedder.state().state).toBe('degraded');
    server.answer = answer;
    await embedder.embedQuery(`success ${n}`, LONG);
    expect(embedder.state().state).toBe('ready');
  }
});

describe('a request', () => {
  const embed = () => {
    const options = { url: `${server.url}/base/`, key: '', model: 'm', dimensions: DIMENSIONS };
    return openHttp({ provider: 'http', ...options }).embed('document', ['happy', ' ', 'sad']);
  };

  test('follows the embeddings API, below the base URL, and has no key if no key is set', async () => {
    await embed();
    expect(server.requests).toMatchObject([{ path: '/base/v1/embeddings', model: 'm', texts: ['happy', 'sad'] }]);
    expect(server.requests[0]!.headers).not.toHaveProperty('authorization');
  });

  test.each([
    [401, /check ZOETROPE_EMBEDDER_KEY/],
    [403, /check ZOETROPE_EMBEDDER_KEY/],
    [404, /check ZOETROPE_EMBEDDER_URL and ZOETROPE_EMBEDDER_MODEL/],
  ])('that is refused with status %i tells the operator what to check', async (status, advice) => {
    server.answer = (_, response) => response.writeHead(status).end();
    const failure = await embed().catch((error) => error);
    expect(failure).toBeInstanceOf(OperatorError);
    expect(failure.message).toMatch(advice);
  });
});

/** Invalid responses to every request. The process must survive each of them. */
const HOSTILE: Record<string, { answer: EmbeddingServer['answer']; why: string }> = {
  'vectors of another length': reply(() => [1, 2, 3], 'ZOETROPE_EMBEDDER_DIMENSIONS is 128'),
  'infinite numbers': { ...reply(() => [], 'something other than numbers'), answer: raw(/0\.\d+/g, '1e999') },
  'strings instead of numbers': reply((text) => vectorOf(text).map(String), 'something other than numbers'),
  'null instead of a number': reply((text) => [null, ...vectorOf(text).slice(1)], 'something other than numbers'),
  'vectors of zeros': reply((text) => vectorOf(text).map(() => 0), 'a vector of length 0'),
  'numbers too large to square': reply((text) => vectorOf(text).map(() => 1e300), 'a vector of length Infinity'),
  'no vectors': { answer: (_, response) => response.end('{"data":[]}'), why: 'did not return 1 vectors' },
  'null instead of a vector': {
    answer: (_, response) => response.end('{"data":[null,{"index":9e9,"embedding":[]}]}'),
    why: 'DIMENSIONS',
  },
  'HTML instead of JSON': { answer: (_, response) => response.end('<html>'), why: 'JSON' },
  'an endless response': { answer: flood, why: 'more than 68736 bytes' },
  'no response at all': { answer: () => {}, why: 'timeout' },
  'a closed connection': { answer: (_, response) => response.destroy(), why: 'other side closed' },
  'a redirect': {
    answer: (_, response) => response.writeHead(302, { location: server.url }).end(),
    why: 'status 302',
  },
  'status 401': { answer: (_, response) => response.writeHead(401).end(), why: 'ZOETROPE_EMBEDDER_KEY' },
};

describe('a server that responds with', () => {
  test.each(Object.entries(HOSTILE))('%s makes queries fail, and reports why', async (_, { answer, why }) => {
    const embedder = await embedderOf();
    await until(embedder, 'ready');
    const [pid] = embedder.pids;
    server.answer = answer;
    await expect(embedder.embedQuery('happy', LONG)).rejects.toMatchObject({ code: 'embedder_unavailable' });
    expect(embedder.state().why).toContain(why);
    expect(embedder.pids[0]).toBe(pid);
  });

  test('an error that only the operator can fix makes a call for documents fail without retries', async () => {
    server.answer = HOSTILE['status 401']!.answer;
    const embedder = await embedderOf();
    await expect(embedder.embedDocuments(['happy'])).rejects.toBeInstanceOf(OperatorError);
  });
});

function reply(embedding: (text: string) => unknown[], why: string) {
  const answer: EmbeddingServer['answer'] = ({ texts }, response) => {
    response.end(JSON.stringify({ data: texts.map((text, index) => ({ index, embedding: embedding(text) })) }));
  };
  return { answer, why };
}

function raw(pattern: RegExp, replacement: string): EmbeddingServer['answer'] {
  return (request, response) => response.end(JSON.stringify(wellFormed(request)).replace(pattern, replacement));
}

function flood(_: unknown, response: Parameters<EmbeddingServer['answer']>[1]): void {
  const chunk = Buffer.alloc(65_536, ' ');
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
}
