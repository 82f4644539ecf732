import fs from 'node:fs';
import { expect, test } from 'vitest';
import { takeLock } from '../../packages/server/src/platform/lock/index.ts';
import { smallGif } from '../support/catalogue.ts';
import { outcome, spawnZoetrope, temporaryFolder, zoetrope } from '../support/server.ts';

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
  await expect.poll(() => said, { timeout: 480_000 }).toContain('Waiting for it to finish');
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
  await expect.poll(() => said, { timeout: 480_000 }).toContain('Waiting for it to finish');
  waiting.kill('SIGINT');
  expect((await ended).code).not.toBe(0);
  lock.release();
  expect((await zoetrope(data, ['work', '--quiet'], ENV)).stdout).toContain('0 GIFs can be found');
});
