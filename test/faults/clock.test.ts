import fs from 'node:fs';
import path from 'node:path';
import { expect, inject, test, vi } from 'vitest';
import { writeOne } from '../support/catalogues.ts';
import { preload } from '../support/faults/sabotage.ts';
import { prepareData } from '../support/prepared-data.ts';
import { startServer, temporaryFolder } from '../support/server.ts';

const HOUR_MS = 3_600_000;

test('a clock set back by an hour does not change any budget', async () => {
  using folder = temporaryFolder();
  const data = path.join(folder.path, 'data');
  await prepareData(inject('prepared'), folder.path, writeOne);
  const order = path.join(folder.path, 'set-back');
  const setBack = `
    const now = Date.now;
    setInterval(() => {
      if (!fs.existsSync('${order}')) return;
      fs.rmSync('${order}');
      Date.now = () => now() - ${HOUR_MS};
    }, 10).unref();`;
  const budget = {
    ZOETROPE_RATES: 'search=4',
    ZOETROPE_TEST_RATE_DEVELOPMENT_PERCENT: '100',
  };
  const env = { ...budget, ZOETROPE_EMBEDDER: 'none', ...preload(folder.path, setBack) };
  await using server = await startServer(data, env);
  const search = async () => (await server.get('/api/v1/search?q=dog')).status;
  expect([await search(), await search()]).toEqual([200, 200]);
  fs.writeFileSync(order, '');
  await vi.waitFor(() => expect(fs.existsSync(order)).toBe(false), { timeout: 480_000, interval: 10 });
  expect([await search(), await search(), await search()]).toEqual([200, 200, 429]);
});
