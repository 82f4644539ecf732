import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { writeOne } from '../support/catalogues.ts';
import { prepareData } from '../support/prepared-data.ts';
import { type Server, startServer, temporaryFolder } from '../support/server.ts';

const folder = temporaryFolder();
let server: Server;

beforeAll(async () => {
  const data = `${folder.path}/data`;
  await prepareData(inject('prepared'), folder.path, writeOne);
  server = await startServer(data, { ZOETROPE_THREADS: '1', ZOETROPE_EMBEDDER: 'none' });
});

afterAll(async () => {
  await server.stop();
  folder[Symbol.dispose]();
});

const ask = (path: string, origin: string) =>
  fetch(`${server.url}${path}`, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' },
  });

test.each(['/api/v1/search', '/api/v1/suggest', '/api/v1/gifs/dog.gif/similar'])(
  'a preflight allows GET and HEAD to %s, and no headers',
  async (path) => {
    const { status, headers } = await ask(path, 'http://localhost:5173');
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD');
    expect(headers.get('access-control-allow-headers')).toBeNull();
  },
);

test('rejects an unknown origin without any CORS header', async () => {
  const { status, headers } = await ask('/api/v1/search', 'https://stranger.example');
  expect(status).toBe(403);
  expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
});

test.each(['/', '/nothing', '/m/dog.gif'])('a preflight to %s is refused', async (path) => {
  expect((await ask(path, 'http://localhost')).status).toBeGreaterThanOrEqual(404);
});

test('the error for an invalid escape names its parameter', async () => {
  const response = await server.get('/api/v1/search?q=100%');
  expect(response.status).toBe(400);
  expect(((await response.json()) as { error: { message: string } }).error.message).toMatch(/^q has a %/);
});

test('words-only responses are cached as long as others if search by meaning is off', async () => {
  const response = await server.get('/api/v1/search?q=dog');
  expect(response.headers.get('cache-control')).toBe('private, max-age=60');
});
