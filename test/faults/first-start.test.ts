import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { seeded } from '@zoetrope/starter';
import { expect, test, vi } from 'vitest';
import { endProcess } from '../../packages/server/src/platform/testing/end-process.ts';
import { spawnZoetrope, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

const ENV = { ZOETROPE_STARTER: 'on', ZOETROPE_EMBEDDER: 'none', ZOETROPE_RATING: 'off', ZOETROPE_CAPTIONS: 'off' };
const SOON = { timeout: 480_000, interval: 100 };
/** Number of starts that are killed, and the maximum time until a start is killed, in milliseconds. */
const KILLS = 3;
const LIFE_MS = 4_000;
const FIRST = 36;

test('a first start that is killed again and again continues where it was', async () => {
  using folder = temporaryFolder();
  const data = path.join(folder.path, 'data');
  const random = seeded('first start');
  for (let n = 0; n < KILLS; n++) {
    const child = spawnZoetrope(data, ['serve'], ENV);
    child.stdout!.resume();
    const complaints: string[] = [];
    child.stderr!.on('data', (chunk) => complaints.push(String(chunk)));
    await Promise.race([once(child, 'close'), wait(random() * LIFE_MS)]);
    expect([child.exitCode, child.signalCode], complaints.join('')).toEqual([null, null]);
    await endProcess(child, 'SIGKILL');
  }
  await using server = await startServer(data, ENV);
  await vi.waitFor(async () => expect((await fetch(`${server.url}/readyz`)).status).toBe(200), SOON);
  const { documents } = (await (await fetch(`${server.url}/healthz`)).json()) as { documents: number };
  expect(documents).toBeGreaterThanOrEqual(FIRST);
  const { code, stdout } = await zoetrope(data, ['doctor'], ENV);
  expect(code, stdout).toBe(0);
  expect(fs.readdirSync(`${data}/starter/noto`).length).toBeGreaterThanOrEqual(FIRST);
});

test('a second start in the same folder names the first', async () => {
  using folder = temporaryFolder();
  const data = path.join(folder.path, 'data');
  const first = spawnZoetrope(data, ['serve'], { ...ENV, ZOETROPE_PORT: '0' });
  // The first start must end before the folder is removed, because it writes there.
  await using _ = { [Symbol.asyncDispose]: () => endProcess(first, 'SIGTERM') };
  first.stderr!.resume();
  await once(first.stdout!, 'data');
  const second = await zoetrope(data, ['serve'], { ...ENV, ZOETROPE_PORT: '0' });
  expect(second.code).toBe(1);
  expect(second.stderr).toContain(`zoetrope serve (process ${first.pid})`);
});
