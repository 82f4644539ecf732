import fs from 'node:fs';
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { writeOne } from '../support/catalogues.ts';
import { prepareData } from '../support/prepared-data.ts';
import { freePort, type Server, startServer, temporaryFolder } from '../support/server.ts';

/*
 * The test sends requests that no well-meaning client sends, over plain sockets. The service refuses each request
 * cleanly or sends exactly one response. Responses reveal nothing about the implementation, and the service continues.
 */

const folder = temporaryFolder();
const data = `${folder.path}/data`;
let server: Server;
let ports: { public: number; edge: number };

beforeAll(async () => {
  await prepareData(inject('prepared'), folder.path, writeOne);
  const edge = await freePort();
  const env = {
    ZOETROPE_THREADS: '1',
    ZOETROPE_EMBEDDER: 'none',
    ZOETROPE_EDGE_PORT: `${edge}`,
    ZOETROPE_FACES: 'tenor',
  };
  server = await startServer(data, env);
  ports = { public: Number(new URL(server.url).port), edge };
});

afterAll(async () => {
  for (const path of ['/healthz', '/readyz', '/api/v1/search?q=dog']) {
    expect((await server.get(path)).status, path).toBe(200);
  }
  expect(server.process.exitCode).toBeNull();
  await server.stop();
  folder[Symbol.dispose]();
});

interface Heard {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * Returns all data that the service sends until it closes the connection, or until the given number of responses is
 * complete.
 */
function send(port: number, text: string, answers: number): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let heard = '';
  const socket = net.connect(port, '127.0.0.1', () => socket.write(text, 'latin1'));
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => {
    heard += chunk;
    if (read(heard).length === answers) socket.end();
  });
  socket.on('error', () => {});
  socket.on('close', () => resolve(heard));
  return promise;
}

/** Returns the ports on which a process accepts connections (Linux). */
function portsOf(pid: number): number[] {
  const targets = fs.readdirSync(`/proc/${pid}/fd`).map((fd) => fs.readlinkSync(`/proc/${pid}/fd/${fd}`));
  const rows = ['tcp', 'tcp6'].flatMap((name) => fs.readFileSync(`/proc/${pid}/net/${name}`, 'utf8').split('\n'));
  // The columns are documented in Linux's proc_net_tcp. State 0A is LISTEN.
  const listening = rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === '0A' && targets.includes(`socket:[${inode}]`));
  return [...new Set(listening.map(([, address]) => Number.parseInt(address!.split(':')[1]!, 16)))];
}

/** Returns the complete responses in the received text. */
function read(heard: string): Heard[] {
  const found: Heard[] = [];
  for (let rest = heard; rest.includes('\r\n\r\n'); ) {
    const end = rest.indexOf('\r\n\r\n');
    const [line, ...fields] = rest.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      fields.map((field) => [field.slice(0, field.indexOf(':')).toLowerCase(), field.slice(field.indexOf(':') + 2)]),
    );
    const length = headers['transfer-encoding'] === 'chunked' ? 5 : Number(headers['content-length'] ?? 0);
    if (rest.length < end + 4 + length) break;
    const body = rest.slice(end + 4, end + 4 + length);
    found.push({ status: Number(line!.split(' ')[1]), headers, body });
    rest = rest.slice(end + 4 + length);
  }
  return found;
}

/** Matches text that would reveal the implementation or its location. */
const LEAKS = /\n\s+at |node_modules|\.ts:\d|fastify|node\.js|\/packages\/|v24\.|0\.1\.0|express/i;

function expectClean(heard: string): void {
  expect(heard).not.toMatch(LEAKS);
  expect(heard).not.toContain(folder.path);
  for (const { headers } of read(heard)) {
    expect(Object.keys(headers).filter((name) => name === 'server' || name.startsWith('x-powered'))).toEqual([]);
  }
}

function expectError({ status, headers, body }: Heard, wanted: number): void {
  expect(status).toBe(wanted);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(JSON.parse(body)).toEqual({ error: { code: expect.any(String), message: expect.any(String) } });
  expect(headers['x-request-id'] !== undefined || headers['connection'] === 'close').toBe(true);
  expect(headers['cache-control']).toBe('no-store');
}

const head = (line: string, ...fields: string[]) => `${[line, 'Host: gifs.example', ...fields].join('\r\n')}\r\n\r\n`;
const LOCAL = 'Origin: http://localhost';

const REFUSED: Record<string, [text: string, status: number]> = {
  'an unknown path': [head('GET /nothing HTTP/1.1'), 404],
  "an unknown path of the dashboard's API": [head('GET /dashboard/api/nothing HTTP/1.1'), 404],
  'a path out of the folder': [head('GET /../../etc/passwd HTTP/1.1'), 404],
  'an escaped path out of the folder': [head('GET /page/%2e%2e%2f%2e%2e%2fetc/passwd HTTP/1.1'), 404],
  'broken escapes': [head('GET /%zz HTTP/1.1'), 400],
  'an id that is not UTF-8': [head('GET /api/v1/gifs/%ff/similar HTTP/1.1', LOCAL), 400],
  'an id that is too long': [head(`GET /api/v1/gifs/${'a'.repeat(400)}/similar HTTP/1.1`, LOCAL), 414],
  'a URL that is too long': [head(`GET /${'a'.repeat(20_000)} HTTP/1.1`), 431],
  'a header that is too long': [head('GET /healthz HTTP/1.1', `A: ${'a'.repeat(20_000)}`), 431],
  'too many headers': [head('GET /healthz HTTP/1.1', ...Array(3_000).fill('A: b')), 431],
  'an unsupported method': [head('DELETE /api/v1/search?q=dog HTTP/1.1', LOCAL), 405],
  'a method that would reveal headers': [head('TRACE / HTTP/1.1'), 405],
  'an invalid method': [head('G@T / HTTP/1.1'), 400],
  'a body': [`${head('POST /api/v1/search HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 1')}{`, 405],
  'no host': ['GET /healthz HTTP/1.1\r\n\r\n', 400],
  'two hosts': [head('GET /healthz HTTP/1.1', 'host: gifs.example'), 400],
  'bytes that are not HTTP': ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  'another version of HTTP': [head('GET /healthz HTTP/9.9'), 400],
  'the beginning of HTTP/2': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  'a NUL in the path': [head('GET /healthz\0 HTTP/1.1'), 400],
  'a NUL in a header': [head('GET /healthz HTTP/1.1', 'A: b\0c'), 400],
  'a folded header': [head('GET /healthz HTTP/1.1', 'A: b', ' c'), 400],
  'bare line feeds': ['GET /healthz HTTP/1.1\nHost: gifs.example\n\n', 400],
  'a bare carriage return': [head('GET /healthz HTTP/1.1', 'A: b\rC: d'), 400],
  'a space before the colon': [`${head('GET /healthz HTTP/1.1', 'Transfer-Encoding : chunked')}0\r\n\r\n`, 400],
  'two lengths': [`${head('GET /healthz HTTP/1.1', 'Content-Length: 5', 'Content-Length: 6')}abcdef`, 400],
  'two lengths that agree': [head('GET /healthz HTTP/1.1', 'Content-Length: 0', 'Content-Length: 0'), 400],
  'an invalid length': [head('GET /healthz HTTP/1.1', 'Content-Length: +1'), 400],
  'a length and chunks': [`${head('GET / HTTP/1.1', 'Content-Length: 4', 'Transfer-Encoding: chunked')}0\r\n\r\n`, 400],
  'chunks and a length': [`${head('GET / HTTP/1.1', 'Transfer-Encoding: chunked', 'Content-Length: 4')}0\r\n\r\n`, 400],
  'invalid chunks': [`${head('POST /healthz HTTP/1.1', 'Transfer-Encoding: chunked')}zz\r\n`, 405],
  'an unknown transfer coding': [`${head('POST /healthz HTTP/1.1', 'Transfer-Encoding: xchunked')}0\r\n\r\n`, 405],
};

test.runIf(process.platform === 'linux')('the service listens on the ports that are set, and on no other', () => {
  expect(portsOf(server.process.pid!).sort()).toEqual([ports.public, ports.edge].sort());
});

describe.each(['public', 'edge'] as const)('the %s port', (name) => {
  test.each(Object.entries(REFUSED))('refuses %s', async (_, [text, status]) => {
    const heard = await send(ports[name], text, 1);
    expectClean(heard);
    const answers = read(heard);
    expectError(answers[0]!, status);
    // Bytes after an unreadable body must not be treated as another request.
    if (answers.length > 1) expect(answers[0]!.headers['connection']).toBe('close');
  });

  test('does not answer a request hidden behind a body', async () => {
    const hidden = head('GET /readyz HTTP/1.1');
    const chunk = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
    for (const text of [
      `${head('POST /healthz HTTP/1.1', `Content-Length: ${hidden.length}`)}${hidden}`,
      `${head('GET /healthz HTTP/1.1', `Content-Length: ${hidden.length}`)}${hidden}`,
      `${head('GET /healthz HTTP/1.1', 'Transfer-Encoding: chunked')}${chunk}`,
      `${head('GET /healthz HTTP/1.1', 'Transfer-Encoding: chunked')}0\r\n\r\n${hidden}`,
      `${head('GET /healthz HTTP/1.1', 'Transfer-Encoding: chunked')}zz\r\n${hidden}`,
    ]) {
      const heard = await send(ports[name], text, 2);
      expectClean(heard);
      const [first, ...others] = read(heard);
      expect(first!.headers['connection']).toBe('close');
      expect(heard).not.toContain('"ready"');
      expect(others.filter(({ status }) => status < 400)).toEqual([]);
    }
  });

  test('answers a preflight with a body of any type', async () => {
    const fields = name === 'edge' ? ['Zoetrope-Client: a'] : [LOCAL];
    for (const type of ['application/json', 'text/plain', 'no/type', '']) {
      const text = head('OPTIONS /api/v1/search HTTP/1.1', ...fields, `Content-Type: ${type}`, 'Content-Length: 1');
      const [answer] = read(await send(ports[name], `${text}{`, 1));
      expect([answer!.status, answer!.headers['connection']]).toEqual([204, 'close']);
    }
  });

  test('does not admit a caller just because the URL is absolute', async () => {
    const close = 'Connection: close';
    const [whole] = read(await send(ports[name], head('GET http://localhost/api/v1/search?q=dog HTTP/1.1', close), 1));
    expect(whole!.status).toBe(403);
  });

  test('closes the connection on a CONNECT request', async () => {
    expect(await send(ports[name], head('CONNECT gifs.example:443 HTTP/1.1'), 1)).toBe('');
  });

  test('refuses a request with two hosts even if its response is cached', async () => {
    const fields = name === 'edge' ? ['Zoetrope-Client: a'] : [LOCAL];
    const line = 'GET /api/v1/search?q=dog HTTP/1.1';
    for (const [more, status] of [
      [[], 200],
      [[], 200],
      [['Host: other.example'], 400],
    ] as const) {
      const [answer] = read(await send(ports[name], head(line, ...fields, ...more), 1));
      expect(answer!.status).toBe(status);
    }
  });

  test('answers pipelined requests in order', async () => {
    const heard = await send(ports[name], head('GET /healthz HTTP/1.1') + head('GET /readyz HTTP/1.1'), 2);
    expect(read(heard).map(({ status }) => status)).toEqual([200, 200]);
    expect(heard.indexOf('"ready"')).toBeGreaterThan(heard.indexOf('"status"'));
  });
});

test.each(['/', '/dashboard/api/', '/tenor/v2/'])(
  'an error names an unknown path below %s without its query, and at most 200 characters of it',
  async (base) => {
    const messageOf = async (path: string) => {
      const { error } = (await (await server.get(path)).json()) as { error: { message: string } };
      return error.message;
    };
    expect(await messageOf(`${base}nothing?key=secret`)).toMatch(/^Not found: (\/\S*)?\/nothing(\.|$)/);
    const long = `${base}${'n'.repeat(300)}`;
    expect(/\/[\w/]+/.exec(await messageOf(long))![0]).toBe(long.slice(0, 200));
  },
);
