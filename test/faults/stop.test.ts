import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { endProcess } from '../../packages/server/src/platform/testing/end-process.ts';
import { catalogue } from '../../packages/starter/src/catalogue/catalogue.ts';
import { writeTwo } from '../support/catalogues.ts';
import { prepareData } from '../support/prepared-data.ts';
import { DEVELOPMENT, spawnZoetrope, startServer, temporaryFolder } from '../support/server.ts';

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
      if (answer === null) break; // the connection was idle for a while
      answered++;
      statuses.add(answer.status);
      if (!answer.isLast) continue;
      told++;
      break;
    }
    agent.destroy();
  }

  const load = Array.from({ length: CONNECTIONS }, (_, n) => goOnAsking(n));
  await vi.waitFor(() => expect(answered).toBeGreaterThan(20 * CONNECTIONS), { timeout: 480_000, interval: 5 });
  const exit = once(server.process, 'exit');
  server.process.kill('SIGTERM');
  await Promise.all(load);
  expect([...statuses].toSorted()).toEqual([200, 404]);
  expect(told).toBeGreaterThan(0);
  expect(await exit).toEqual([0, null]);
});

test.each(['SIGINT', 'SIGHUP'] as const)('%s ends the service without an error', async (signal) => {
  using folder = temporaryFolder();
  await prepareData(inject('prepared'), folder.path, writeTwo);
  await using server = await startServer(path.join(folder.path, 'data'), { ZOETROPE_EMBEDDER: 'none' });
  const exit = once(server.process, 'exit');
  server.process.kill(signal);
  expect(await exit).toEqual([0, null]);
});

test.each([0, 1, 20])(
  'SIGTERM during the first start, with %i drawn GIFs, ends the service and its processes',
  async (drawn) => {
    using folder = temporaryFolder();
    const data = path.join(folder.path, 'data');
    const child = spawnZoetrope(data, ['serve'], { ZOETROPE_STARTER: 'on', ZOETROPE_EMBEDDER: 'none' });
    onTestFinished(() => endProcess(child, 'SIGKILL'));
    let complaints = '';
    child.stderr!.on('data', (text) => {
      complaints += text;
    });
    child.stdout!.resume();
    const files = () =>
      fs.existsSync(`${data}/starter`) ? fs.readdirSync(`${data}/starter`, { recursive: true }) : [];
    const count = () => files().filter((name) => String(name).endsWith('.gif')).length;
    await vi.waitFor(() => expect(count()).toBeGreaterThanOrEqual(drawn), { timeout: 480_000, interval: 5 });
    await vi.waitFor(() => expect(childrenOf(child.pid!)).not.toEqual([]), { timeout: 480_000, interval: 5 });
    const started = childrenOf(child.pid!);
    child.kill('SIGTERM');
    const [code, signal] = await once(child, 'exit');
    expect([code, signal]).toEqual([0, null]);
    // The service did not wait until all GIFs were drawn.
    expect(count()).toBeLessThan(catalogue.length);
    expect(complaints).not.toMatch(/error|abort/i);
    await vi.waitFor(() => expect(started.filter((pid) => fs.existsSync(`/proc/${pid}`))).toEqual([]), {
      timeout: 480_000,
    });
  },
);

function childrenOf(pid: number): number[] {
  return fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}
