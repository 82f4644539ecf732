import fs from 'node:fs';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { DIMENSIONS, EmbeddingServer, wellFormed } from '../../packages/server/src/embed/testing/embedding-server.ts';
import { takeLock, whenFree } from '../../packages/server/src/platform/lock/index.ts';
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

/** Starts work that gives way to others, on a GIF whose vector is still missing, and that lasts until it is let go. */
async function startWork(folder: string) {
  const data = `${folder}/data`;
  const gif = `${folder}/cat.gif`;
  fs.writeFileSync(gif, smallGif(1));
  expect((await zoetrope(data, ['add', '--quiet', gif], ENV)).code).toBe(0);
  const { promise: gone, resolve: letGo } = Promise.withResolvers<void>();
  vectors.answer = ({ texts }, response) => {
    const answer = () => response.end(JSON.stringify(wellFormed({ texts })));
    if (texts.includes('hello')) answer();
    else void gone.then(answer);
  };
  let looks = 0;
  const watcher = fs.watch(data, (_, name) => {
    if (name === 'writer-next.lock.holder') looks++;
  });
  onTestFinished(() => watcher.close());
  const working = spawnZoetrope(data, ['work', '--give-way'], {
    ZOETROPE_EMBEDDER: 'http',
    ZOETROPE_EMBEDDER_URL: vectors.url,
    ZOETROPE_EMBEDDER_DIMENSIONS: String(DIMENSIONS),
  });
  const ended = outcome(working);
  // Each look whether somebody waits writes this file and removes it.
  const hasLookedTwice = () => looks > 4 || working.exitCode !== null;
  await expect.poll(hasLookedTwice, { timeout: 480_000 }).toBe(true);
  return { data, ended, letGo };
}

const vectors = await EmbeddingServer.start();
afterAll(() => vectors[Symbol.asyncDispose]());

test('work that gives way to others goes on while nobody waits', async () => {
  using folder = temporaryFolder();
  const { ended, letGo } = await startWork(folder.path);
  letGo();
  const { code, stdout, stderr } = await ended;
  expect(code, stderr).toBe(0);
  expect(stdout).toContain('1 GIF can be found');
});

test('work that gives way to others ends as soon as somebody waits', async () => {
  using folder = temporaryFolder();
  const { data, ended, letGo } = await startWork(folder.path);
  const signal = AbortSignal.timeout(480_000);
  const place = await whenFree(() => takeLock(`${data}/writer-next.lock`, 'zoetrope add'), { signal });
  const { code, stderr } = await ended;
  expect([code, stderr]).toEqual([75, expect.stringContaining('Another command writes, so this one stopped')]);
  await place.release();
  letGo();
});
