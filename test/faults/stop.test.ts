import { once } from 'node:events';
import http from 'node:http';
import path from 'node:path';
import { expect, inject, test, vi } from 'vitest';
import { writeTwo } from '../support/catalogues.ts';
import { prepareData } from '../support/prepared-data.ts';
import { DEVELOPMENT, startServer, temporaryFolder } from '../support/server.ts';

const CONNECTIONS = 8;

interface Answer {
  status: number;
  isLast: boolean;
}

function ask(url: string, agent: http.Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent, headers: DEVELOPMENT }, (answer) => {
      answer.resume();
      const end = { status: answer.statusCode!, isLast: answer.headers.connection === 'close' };
      answer.on('end', () => resolve(end));
      answer.on('error', reject);
    });
    request.on('error', reject);
  });
}

test('SIGTERM under load: each connection gets its responses and is closed, and the process ends', async () => {
  using folder = temporaryFolder();
  const data = path.join(folder.path, 'data');
  const env = { ZOETROPE_EMBEDDER: 'none', ZOETROPE_THREADS: '2' };
  await prepareData(inject('prepared'), folder.path, writeTwo);
  await using server = await startServer(data, env);
  const addresses = ['/api/v1/search?q=cat', '/healthz', '/api/v1/suggest?q=c', '/none'];
  const statuses = new Set<number>();
  let answered = 0;
  let told = 0;

  /** Sends requests on one connection until a response closes it. */
  async function goOnAsking(first: number): Promise<void> {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    for (let n = first; ; n++) {
      const answer = await ask(server.url + addresses[n % addresses.length]!, agent).catch(() => null);
      if (answer === null) break; // a connection that was idle for a while
      answered++;
      statuses.add(answer.status);
      if (!answer.isLast) continue;
      told++;
      break;
    }
    agent.destroy();
  }

  const load = Array.from({ length: CONNECTIONS }, (_, n) => goOnAsking(n));
  await vi.waitFor(() => expect(answered).toBeGreaterThan(20 * CONNECTIONS), { timeout: 120_000, interval: 5 });
  const exit = once(server.process, 'exit');
  server.process.kill('SIGTERM');
  await Promise.all(load);
  expect([...statuses].toSorted()).toEqual([200, 404]);
  expect(told).toBeGreaterThan(0);
  expect(await exit).toEqual([0, null]);
});
