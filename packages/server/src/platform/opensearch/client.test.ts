import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ServiceError } from '../../base/errors.ts';
import { ClusterClient, ClusterRefusal } from './client.ts';

const HEALTH = { method: 'GET', path: '/_cluster/health', deadlineMs: 60_000 } as const;

function open(options: ConstructorParameters<typeof ClusterClient>[0]): ClusterClient {
  const client = new ClusterClient(options);
  onTestFinished(() => client.close());
  return client;
}

async function listen(server: net.Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe('the circuit of a search cluster', () => {
  it('lets only one request at a time test a node after its rest', async () => {
    let asked = 0;
    let isUp = false;
    const server = http.createServer(({ method }, response) => {
      // If a request is slow, the client also checks the node with a HEAD request.
      if (method !== 'HEAD') asked++;
      response.writeHead(isUp ? 200 : 503).end('{}');
    });
    const client = open({ urls: [`http://127.0.0.1:${await listen(server)}`], restMs: 1_000 });
    await expect(client.request(HEALTH)).rejects.toThrow(ServiceError);
    isUp = true;
    // Requests that begin at the same time see the same state of the node, so exactly one of them passes.
    let passed = 0;
    while (passed === 0) {
      asked = 0;
      const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => client.request(HEALTH)));
      passed = outcomes.filter(({ status }) => status === 'fulfilled').length;
    }
    expect([passed, asked]).toEqual([1, 1]);
    expect(await client.request(HEALTH)).toEqual({});
  });

  it('fails at once while all nodes rest, and lets one request test a node afterwards', async () => {
    let connections = 0;
    const server = net.createServer((socket) => {
      connections++;
      socket.destroy();
    });
    const port = await listen(server);
    const client = open({ urls: [`http://127.0.0.1:${port}`], restMs: 300_000 });
    const failure = { code: 'upstream_unavailable', retryAfter: 300 };
    await expect(client.request(HEALTH)).rejects.toMatchObject(failure);
    const first = connections;
    expect(first).toBeGreaterThan(0);
    for (let i = 0; i < 5; i++) await expect(client.request(HEALTH)).rejects.toMatchObject(failure);
    expect(connections).toBe(first);
    const impatient = open({ urls: [`http://127.0.0.1:${port}`], restMs: 0 });
    await expect(impatient.request(HEALTH)).rejects.toThrow(ServiceError);
    connections = 0;
    await expect(impatient.request(HEALTH)).rejects.toThrow(ServiceError);
    expect(connections).toBeGreaterThan(0);
  });

  it('refuses requests at once while too many wait for answers', async () => {
    const waiting: http.ServerResponse[] = [];
    let answers = false;
    const server = http.createServer((_, response) => {
      if (answers) response.end('{}');
      else waiting.push(response);
    });
    const client = open({ urls: [`http://127.0.0.1:${await listen(server)}`] });
    const asked = Array.from({ length: 192 }, () => client.request(HEALTH));
    // A node gets only as many concurrent requests as it has connections.
    await vi.waitFor(() => expect(waiting).toHaveLength(64), { timeout: 480_000 });
    expect(client.isBusy).toBe(true);
    await expect(client.request(HEALTH)).rejects.toMatchObject({ code: 'upstream_unavailable' });
    expect(waiting).toHaveLength(64);
    answers = true;
    for (const response of waiting.splice(0)) response.end('{}');
    expect(await Promise.all(asked)).toHaveLength(192);
    expect(client.isBusy).toBe(false);
    expect(await client.request(HEALTH)).toEqual({});
  });

  it.each([
    ['reports an overload', 429],
    ['is refused because the user lacks a right', 403],
  ])('still sends requests to a node whose check %s', async (_, status) => {
    let first: http.ServerResponse | undefined;
    let isChecked = false;
    const server = http.createServer(({ method }, response) => {
      if (method === 'HEAD') {
        isChecked = true;
        response.writeHead(status).end();
      } else if (first === undefined) first = response;
      else response.end('{}');
    });
    const client = open({ urls: [`http://127.0.0.1:${await listen(server)}`], restMs: 300_000 });
    const slow = client.request(HEALTH);
    await vi.waitFor(() => expect(isChecked).toBe(true), { timeout: 480_000 });
    for (let n = 0; n < 20; n++) expect(await client.request(HEALTH)).toEqual({});
    first!.end('{}');
    expect(await slow).toEqual({});
  });

  it('prefers other nodes while a check takes long', async () => {
    let asked = 0;
    let checks = 0;
    const hanging = http.createServer(({ method }) => {
      if (method === 'HEAD') checks++;
      else asked++;
    });
    const working = http.createServer((_, response) => response.end('{}'));
    const ports = [await listen(hanging), await listen(working)];
    const client = open({ urls: ports.map((port) => `http://127.0.0.1:${port}`), checkMs: 300_000 });
    const request = () => client.request({ ...HEALTH, deadlineMs: 8_000 });
    expect(await request()).toEqual({});
    expect([asked, checks]).toEqual([1, 1]);
    const before = asked;
    await vi.waitFor(async () => {
      asked = before;
      for (let n = 0; n < 4; n++) expect(await request()).toEqual({});
      expect(asked).toBe(before);
    }, 480_000);
  });

  it('repeats only a share of the requests while all nodes are overloaded', async () => {
    let received = 0;
    const server = http.createServer(({ method }, response) => {
      // If a request is slow, the client also checks the nodes with HEAD requests.
      if (method !== 'HEAD') received++;
      response.writeHead(429).end('{}');
    });
    const port = await listen(server);
    const client = open({
      urls: [`http://127.0.0.1:${port}`, `http://localhost:${port}`, `http://127.0.0.1:${port}/`],
      restMs: 1,
    });
    for (let n = 0; n < 1_000; n++) await expect(client.request(HEALTH)).rejects.toThrow(ServiceError);
    // 100 repetitions are available at the start, and each request adds a fifth of a repetition.
    expect(received).toBeGreaterThan(1_250);
    expect(received).toBeLessThanOrEqual(1_300);
  });

  it('ignores refusals and overload, but rests a node that returns 503', async () => {
    let status = 400;
    const server = http.createServer((_, response) => {
      response.writeHead(status).end(JSON.stringify({ error: { type: 'x', reason: 'because' }, status }));
    });
    const client = open({ urls: [`http://127.0.0.1:${await listen(server)}`], restMs: 300_000 });
    for (let i = 0; i < 3; i++) await expect(client.request(HEALTH)).rejects.toThrow(ClusterRefusal);
    status = 200;
    expect(await client.request(HEALTH)).toMatchObject({ status: 200 });
    status = 429;
    await expect(client.request(HEALTH)).rejects.toThrow(ServiceError);
    status = 200;
    expect(await client.request(HEALTH)).toMatchObject({ status: 200 });
    status = 503;
    await expect(client.request(HEALTH)).rejects.toThrow(ServiceError);
    status = 200;
    await expect(client.request(HEALTH)).rejects.toThrow(ServiceError);
  });
});
