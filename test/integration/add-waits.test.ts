import fs from 'node:fs';
import { expect, test } from 'vitest';
import { takeLock } from '../../packages/server/src/platform/lock/index.ts';
import { catalogue } from '../../packages/starter/src/catalogue/catalogue.ts';
import { smallGif } from '../support/catalogue.ts';
import { outcome, spawnZoetrope, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

const ENV = { ZOETROPE_EMBEDDER: 'none' };

test('add waits for its turn while another process writes, and reports this', async () => {
  using folder = temporaryFolder();
  const data = `${folder.path}/data`;
  const gif = `${folder.path}/cat.gif`;
  fs.writeFileSync(gif, smallGif(1));
  expect((await zoetrope(data, ['add', '--quiet', gif], ENV)).code).toBe(0);
  const lock = takeLock(`${data}/writer.lock`, 'zoetrope work');
  const other = `${folder.path}/dog.gif`;
  fs.writeFileSync(other, smallGif(2));
  const waiting = spawnZoetrope(data, ['add', '--quiet', '--json', other], ENV);
  let said = '';
  waiting.stderr!.on('data', (chunk) => {
    said += chunk;
  });
  const ended = outcome(waiting);
  await expect.poll(() => said, { timeout: 120_000 }).toContain('Waiting for it to finish');
  expect(said).toContain(`zoetrope work (process ${process.pid}) is working on this catalogue`);
  expect(waiting.exitCode).toBeNull();
  lock.release();
  const { code, stdout } = await ended;
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ added: 1, documents: 2, refused: [] });
});

test('an add that is cancelled while it waits changes nothing', async () => {
  using folder = temporaryFolder();
  const data = `${folder.path}/data`;
  const gif = `${folder.path}/cat.gif`;
  fs.writeFileSync(gif, smallGif(1));
  expect((await zoetrope(data, ['build', '--quiet'], ENV)).code).toBe(0);
  const lock = takeLock(`${data}/writer.lock`, 'zoetrope work');
  const waiting = spawnZoetrope(data, ['add', '--quiet', gif], ENV);
  let said = '';
  waiting.stderr!.on('data', (chunk) => {
    said += chunk;
  });
  const ended = outcome(waiting);
  await expect.poll(() => said, { timeout: 120_000 }).toContain('Waiting for it to finish');
  waiting.kill('SIGINT');
  expect((await ended).code).not.toBe(0);
  lock.release();
  expect((await zoetrope(data, ['work', '--quiet'], ENV)).stdout).toContain('0 GIFs can be found');
});

test('add does not wait for starter GIFs that a new service is still drawing', async () => {
  using folder = temporaryFolder();
  const data = `${folder.path}/data`;
  const env = { ZOETROPE_STARTER: 'on', ZOETROPE_EMBEDDER: 'none', ZOETROPE_RATING: 'off', ZOETROPE_CAPTIONS: 'off' };
  await using server = await startServer(data, env);
  const health = async () =>
    (await (await fetch(`${server.url}/healthz`)).json()) as { documents: number; growing: boolean };
  await expect.poll(async () => (await health()).documents, { timeout: 120_000 }).toBeGreaterThan(0);
  // The others are being drawn now.
  const drawn = () => fs.readdirSync(`${data}/starter/noto`).filter((name) => name.endsWith('.gif')).length;
  const first = drawn();
  await expect.poll(drawn, { timeout: 120_000 }).toBeGreaterThan(first);
  fs.writeFileSync(`${folder.path}/quiet-harbour.gif`, smallGif(1));
  const added = await zoetrope(data, ['add', '--quiet', '--json', `${folder.path}/quiet-harbour.gif`], env);
  expect(added.code, added.stderr).toBe(0);
  expect(drawn()).toBeLessThan(catalogue.length);
  const found = async () => {
    const { count } = (await (await server.get('/api/v1/search?q=quiet+harbour')).json()) as { count: number };
    return count;
  };
  await expect.poll(found, { timeout: 120_000 }).toBe(1);
  // The service goes on drawing.
  const before = drawn();
  expect((await health()).growing).toBe(true);
  await expect.poll(drawn, { timeout: 120_000 }).toBeGreaterThan(before);
});
