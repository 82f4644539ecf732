import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest';
import { writeOne } from '../support/catalogues.ts';
import { prepareData } from '../support/prepared-data.ts';
import { type Server, startServer, temporaryFolder } from '../support/server.ts';

/* Strangers open connections and send very little. */

const MOST = 5;

const folder = temporaryFolder();
let server: Server;

beforeAll(async () => {
  const data = path.join(folder.path, 'data');
  await prepareData(inject('prepared'), folder.path, writeOne);
  const none = { ZOETROPE_EMBEDDER: 'none' };
  const bounds = { ZOETROPE_TEST_REQUEST_TIMEOUT_MS: '1000', ZOETROPE_TEST_CONNECTIONS_PER_ADDRESS: `${MOST}` };
  server = await startServer(data, { ...none, ...bounds });
});

afterAll(async () => {
  await server?.stop();
  folder[Symbol.dispose]();
});

/**
 * Opens a connection and sends `head`. @returns the socket, and all data that the service sends until it closes the
 * connection
 */
function connect(head: string): { socket: net.Socket; answer: Promise<string> } {
  const { hostname, port } = new URL(server.url);
  const socket = net.connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => {});
  socket.write(head);
  const answer = once(socket, 'close').then(() => text);
  return { socket, answer };
}

test.each([
  ['a body', 'POST /report HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\ngif=a'],
  ['a body of the dashboard', 'POST /api/account/challenge HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{'],
  ['a head', 'GET /api/v1/search?q=dog HTTP/1.1\r\nhost: a\r\n'],
])('%s that never ends is aborted', async (_, head) => {
  const { answer } = connect(head);
  // A rejected request gets its error immediately.
  expect(await answer).toMatch(/^HTTP\/1\.1 4\d\d /);
});

test('connections per IP address are limited, and closing one allows another', async () => {
  const open: net.Socket[] = [];
  const isAnswered = async () => {
    const { socket, answer } = connect('GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n');
    const closed = answer.then(() => false);
    const isOpen = await Promise.race([
      once(socket, 'data').then(
        () => true,
        () => false,
      ),
      closed,
    ]);
    if (isOpen) open.push(socket);
    return isOpen;
  };
  await vi.waitFor(
    async () => {
      for (const socket of open.splice(0)) socket.destroy();
      for (let n = 0; n < MOST; n++) expect(await isAnswered()).toBe(true);
    },
    { timeout: 480_000, interval: 20 },
  );
  expect(await isAnswered()).toBe(false);
  open.pop()!.destroy();
  await vi.waitFor(async () => expect(await isAnswered()).toBe(true), { timeout: 480_000, interval: 20 });
  for (const socket of open) socket.destroy();
});

test('connections of a trusted proxy are not limited, because they belong to many people', async () => {
  const behind = { ZOETROPE_EMBEDDER: 'none', ZOETROPE_TEST_CONNECTIONS_PER_ADDRESS: `${MOST}` };
  const parent = path.join(folder.path, 'proxied');
  await prepareData(inject('prepared'), parent, writeOne);
  await using proxied = await startServer(path.join(parent, 'data'), { ...behind, ZOETROPE_TRUST_PROXY: '1' });
  const { hostname, port } = new URL(proxied.url);
  const sockets = Array.from({ length: 2 * MOST }, () => net.connect(Number(port), hostname));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const answers = sockets.map(async (socket) => {
    socket.write('GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n');
    return String((await once(socket, 'data'))[0]).slice(0, 15);
  });
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['HTTP/1.1 200 OK']));
});

test('callers who do not read their responses are dropped', async () => {
  const { hostname, port } = new URL(server.url);
  const many = 'GET /developers HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(2_000);
  const sockets = Array.from({ length: MOST }, () => {
    const socket = net.connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.pause();
    socket.write(many);
    return socket;
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const ask = () => fetch(`${server.url}/healthz`, { headers: { connection: 'close' } });
  const patience = { timeout: 480_000, interval: 50 };
  // These connections are all that one address can have.
  await vi.waitFor(() => expect(ask()).rejects.toThrow(), patience);
  await vi.waitFor(async () => expect((await ask()).status).toBe(200), patience);
});
