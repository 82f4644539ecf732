import { expect, test } from 'vitest';
import { Browser } from '../../packages/server/src/account/testing/browser.ts';
import { endProcess } from '../../packages/server/src/platform/testing/end-process.ts';
import { freePort, spawnZoetrope, temporaryFolder, zoetrope } from '../support/server.ts';

const OFFER = 'Nobody operates this service yet';
const SOON = { timeout: 480_000 };

/** A running service, and the text on its terminal. */
interface Started {
  url: string;
  shown(): string;
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a service with two threads, which must share the code. */
async function start(data: string, env: Record<string, string> = {}): Promise<Started> {
  const port = await freePort();
  const settings = { ZOETROPE_PORT: `${port}`, ZOETROPE_THREADS: '2', ZOETROPE_EMBEDDER: 'none', ...env };
  const child = spawnZoetrope(data, ['serve'], settings);
  let text = '';
  child.stdout!.on('data', (chunk) => {
    text += String(chunk);
  });
  await expect.poll(() => text, SOON).toContain('/dashboard');
  const stop = () => endProcess(child, 'SIGTERM');
  return { url: `http://127.0.0.1:${port}`, shown: () => text, stop, [Symbol.asyncDispose]: stop };
}

/** Returns everything that a service prints from its start to its end. */
async function printed(data: string, env: Record<string, string>): Promise<string> {
  const service = await start(data, env);
  await service.stop();
  return service.shown();
}

async function signedIn({ url }: Started): Promise<Browser> {
  const browser = new Browser(url, url);
  expect((await browser.signIn({ now: Date.now() })).status).toBe(200);
  return browser;
}

test('the code on the terminal makes one person the operator, until a command removes that person', async () => {
  using folder = temporaryFolder();
  // Each request has a new connection, so that requests reach different threads.
  const close = { connection: 'close' };
  let person: Browser;
  {
    await using service = await start(folder.path);
    await expect.poll(service.shown, SOON).toContain(OFFER);
    const [, at, code] = /open (\S+), sign in, and enter the code (\d{3} \d{3}) /.exec(service.shown())!;
    expect(at).toBe(`${service.url}/dashboard`);
    person = await signedIn(service);
    const other = await signedIn(service);
    const claim = (browser: Browser, given: string) => browser.ask('POST /account/operator', { code: given }, close);
    const wrong = code === '000 000' ? '000001' : '000000';
    const refused = [await claim(other, wrong), await claim(other, wrong)];
    expect(refused.map(({ body }) => body.error.message)).toEqual([
      expect.stringContaining('4 tries are left'),
      expect.stringContaining('3 tries are left'),
    ]);
    expect((await person.ask('GET /review', {}, close)).status).toBe(403);
    expect(await claim(person, code!)).toMatchObject({ status: 200, body: { isOperator: true } });
    expect((await person.ask('GET /review', {}, close)).status).toBe(200);
    expect(await claim(other, code!)).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    expect((await other.ask('GET /review', {}, close)).status).toBe(403);
  }
  await using service = await start(folder.path);
  const again = new Browser(service.url, service.url);
  for (const [name, value] of person.cookies) again.cookies.set(name, value);
  expect((await again.ask('GET /review')).status).toBe(200);
  const { stdout } = await zoetrope(folder.path, ['operator', 'list']);
  expect(stdout).toMatch(/^npub1\w{58} {2}since /);
  expect((await zoetrope(folder.path, ['operator', 'remove', person.pubkey])).code).toBe(0);
  expect((await again.ask('GET /review')).status).toBe(403);
  const npub = stdout.split(' ')[0]!;
  expect((await zoetrope(folder.path, ['operator', 'add', npub])).code).toBe(0);
  expect((await again.ask('GET /review')).status).toBe(200);
  await service.stop();
  expect(service.shown()).not.toContain(OFFER);
});

test.each([
  ['other machines can connect', { ZOETROPE_HOST: '0.0.0.0' }],
  ['it has a public URL', { ZOETROPE_PUBLIC_URL: 'https://gifs.example' }],
  ['a setting names an operator', { ZOETROPE_ADMINS: 'a'.repeat(64) }],
])('a service prints no code if %s', async (_, env) => {
  using folder = temporaryFolder();
  expect(await printed(folder.path, env)).not.toContain(OFFER);
});
