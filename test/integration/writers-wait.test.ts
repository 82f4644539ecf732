import fs from 'node:fs';
import { expect, test } from 'vitest';
import { takeLock } from '../../packages/server/src/platform/lock/index.ts';
import { smallGif } from '../support/catalogue.ts';
import { outcome, spawnZoetrope, temporaryFolder, zoetrope } from '../support/server.ts';

const ENV = { ZOETROPE_EMBEDDER: 'none' };

/** Starts a command while another process writes, and expects that the command waits and reports this. */
async function whileAnotherWrites(data: string, args: string[]) {
  const lock = takeLock(`${data}/writer.lock`, 'zoetrope work');
  const waiting = spawnZoetrope(data, args, ENV);
  let said = '';
  waiting.stderr!.on('data', (chunk) => {
    said += chunk;
  });
  const ended = outcome(waiting);
  await expect.poll(() => said, { timeout: 480_000 }).toContain('Waiting for it to finish');
  expect(said).toContain(`zoetrope work (process ${process.pid}) is working on this catalogue`);
  expect(waiting.exitCode).toBeNull();
  return { lock, waiting, ended };
}

test('add and build wait for their turn while another process writes, and report this', async () => {
  using folder = temporaryFolder();
  const data = `${folder.path}/data`;
  const gif = `${folder.path}/cat.gif`;
  fs.writeFileSync(gif, smallGif(1));
  expect((await zoetrope(data, ['add', '--quiet', gif], ENV)).code).toBe(0);
  const other = `${folder.path}/dog.gif`;
  fs.writeFileSync(other, smallGif(2));
  const results = {
    add: { added: 1, documents: 2, refused: [] },
    build: { gifs: 2 },
  };
  for (const [command, result] of Object.entries(results)) {
    const args = command === 'add' ? ['add', '--quiet', '--json', other] : [command, '--quiet', '--json'];
    const { lock, ended } = await whileAnotherWrites(data, args);
    lock.release();
    const { code, stdout, stderr } = await ended;
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject(result);
  }
});

test('an add that is cancelled while it waits changes nothing', async () => {
  using folder = temporaryFolder();
  const data = `${folder.path}/data`;
  const gif = `${folder.path}/cat.gif`;
  fs.writeFileSync(gif, smallGif(1));
  expect((await zoetrope(data, ['build', '--quiet'], ENV)).code).toBe(0);
  const { lock, waiting, ended } = await whileAnotherWrites(data, ['add', '--quiet', gif]);
  waiting.kill('SIGINT');
  expect((await ended).code).not.toBe(0);
  lock.release();
  expect((await zoetrope(data, ['work', '--quiet'], ENV)).stdout).toContain('0 GIFs can be found');
});
