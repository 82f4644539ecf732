import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { writeOne } from '../support/catalogues.ts';
import { prepareData } from '../support/prepared-data.ts';
import { freePort, type Server, startServer, temporaryFolder } from '../support/server.ts';

const folder = temporaryFolder();
let server: Server;
let metricsPort: number;

beforeAll(async () => {
  const data = `${folder.path}/data`;
  await prepareData(inject('prepared'), folder.path, writeOne);
  metricsPort = await freePort();
  const env = {
    ZOETROPE_THREADS: '1',
    ZOETROPE_OPERATOR_NAME: 'Gif House',
    ZOETROPE_METRICS_PORT: `${metricsPort}`,
    ZOETROPE_RATING: 'relays',
  };
  server = await startServer(data, env);
});

afterAll(async () => {
  await server.stop();
  folder[Symbol.dispose]();
});

test('/healthz tells anybody which search legs run, and the state of the embedder', async () => {
  const health = await (await server.get('/healthz', {})).json();
  expect(health).toMatchObject({ status: 'ok', documents: 1, legs: { words: true, looks: false }, rating: 'on' });
  expect(['starting', 'ready']).toContain((health as { embedder: { state: string } }).embedder.state);
  expect(await (await server.get('/readyz', {})).json()).toMatchObject({ ready: true });
});

test('clients find everything they need at one well-known URL', async () => {
  const response = await server.get('/.well-known/gif-search.json', {});
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(await response.json()).toEqual({
    api: `${server.url}/api/v1`,
    openapi: `${server.url}/api/v1/openapi.json`,
    registration: `${server.url}/dashboard`,
    attribution: { text: 'GIFs from Gif House', name: 'Gif House', url: server.url },
  });
});

test('metrics are served locally on another port, and contain no queries', async () => {
  await server.get('/api/v1/search?q=happy');
  await server.get('/api/v1/search?q=happy');
  await server.get('/api/v1/suggest');
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const answers = (operation: string, outcome: string) =>
    new RegExp(
      `zoetrope_answers_total{operation="${operation}",client="development",outcome="${outcome}"} (\\d+)`,
    ).exec(text)?.[1];
  expect(Number(answers('search', 'made')) + Number(answers('search', 'degraded'))).toBe(1);
  expect(answers('search', 'kept')).toBe('1');
  expect(answers('suggest', 'refused')).toBe('1');
  expect(text).toContain('zoetrope_gifs 1\n');
  expect(text).toContain('zoetrope_gifs_with_meaning 1\n');
  expect(text).toContain('zoetrope_gifs_rated{rating="unrated"} 0\n');
  expect(text).not.toContain('happy');
  expect((await fetch(`http://127.0.0.1:${metricsPort}/`)).status).toBe(404);
  expect((await server.get('/metrics')).status).toBe(404);
});

// On Linux, all addresses that start with 127 belong to this machine.
test.runIf(process.platform === 'linux')('metrics are served on no other address', async () => {
  const refused = { cause: { code: 'ECONNREFUSED' } };
  await expect(fetch(`http://127.0.0.2:${metricsPort}/metrics`)).rejects.toMatchObject(refused);
});
