import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { writeTwo } from '../support/catalogues.ts';
import { prepareData } from '../support/prepared-data.ts';
import { type Server, startServer, temporaryFolder } from '../support/server.ts';

/* While another process holds the database's write lock, requests that do not write still get responses. */

const folder = temporaryFolder();
const data = path.join(folder.path, 'data');
let server: Server;

beforeAll(async () => {
  await prepareData(inject('prepared'), folder.path, writeTwo);
  server = await startServer(data);
  const isReady = async () => expect((await health()).legs.meaning).toBe(true);
  await vi.waitFor(isReady, { timeout: 480_000, interval: 50 });
});

afterAll(async () => {
  await server?.stop();
  folder[Symbol.dispose]();
});

async function health(): Promise<{ legs: { meaning: boolean } }> {
  return (await fetch(`${server.url}/healthz`)).json() as Promise<{ legs: { meaning: boolean } }>;
}

function report(): Promise<Response> {
  const body = new URLSearchParams({ gif: 'gif-0.gif', reason: 'illegal' });
  return fetch(`${server.url}/report`, { method: 'POST', body, redirect: 'manual' });
}

test('responses continue while a report waits for the lock, and the report is saved when it is free', async () => {
  const other = new Sqlite(path.join(data, 'zoetrope.db'));
  other.exec('BEGIN EXCLUSIVE');
  let isReported = false;
  const reported = report().finally(() => {
    isReported = true;
  });
  try {
    for (let round = 0; round < 3; round++) {
      const meaning = async () => (await server.get(`/api/v1/search?q=kitten+${round}&mode=semantic`)).status;
      // On a busy machine, a vector can take longer than the second that a request waits for it.
      await expect.poll(meaning).toBe(200);
      const stranger = await server.get('/api/v1/search?q=cat', { origin: `https://stranger-${round}.example` });
      expect(stranger.status).toBe(403);
      expect((await health()).legs.meaning).toBe(true);
    }
    expect(isReported).toBe(false);
  } finally {
    other.close();
  }
  expect((await reported).status).toBe(303);
});
