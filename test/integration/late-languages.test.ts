import fs from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { launchBrowser } from '../e2e/browser.ts';
import { writeManifest } from '../support/catalogue.ts';
import { parts } from '../support/parts.ts';
import { PROGRAM, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

const SOON = { timeout: 480_000, interval: 100 };
const MADE = path.resolve('packages/server/models/languages.bin');

/** Copies the bundled service to a folder without the dictionary. @returns the program, and the folder of its models */
function copyWithoutLanguages(folder: string): { program: string; models: string } {
  const server = path.join(folder, 'packages/server');
  const models = path.join(server, 'models');
  fs.mkdirSync(models, { recursive: true });
  fs.symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  fs.cpSync('packages/server/bundle', path.join(server, 'bundle'), { recursive: true });
  for (const name of ['search', 'starter', 'contract', 'picker', 'dashboard']) {
    fs.symlinkSync(path.resolve('packages', name), path.join(folder, 'packages', name));
  }
  fs.symlinkSync(path.resolve('packages/server/src'), path.join(server, 'src'));
  for (const name of fs.readdirSync('packages/server/models')) {
    if (name !== 'languages.bin') fs.copyFileSync(path.join('packages/server/models', name), path.join(models, name));
  }
  return { program: path.join(server, 'bundle/main.mjs'), models };
}

/** Opens a page in a browser, if there is one. */
async function openPage(url: string) {
  if (parts.chromium === undefined) return undefined;
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(url);
  return page;
}

test.skipIf(process.env[PROGRAM] === undefined)(
  'a service searches in English until the other languages have been made, and then in all',
  async () => {
    using folder = temporaryFolder();
    const { program, models } = copyWithoutLanguages(folder.path);
    const data = path.join(folder.path, 'data');
    const manifest = writeManifest(`${folder.path}/dog.jsonl`, [{ title: 'happy dog' }]);
    await zoetrope(data, ['add', '--quiet', manifest], { ZOETROPE_EMBEDDER: 'none' });
    const env = { ZOETROPE_EMBEDDER: 'none', [PROGRAM]: program };
    const missing = await zoetrope(data, ['serve'], env);
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('languages.bin is missing') });
    fs.writeFileSync(path.join(models, '.making'), '');
    const log = path.join(folder.path, 'log');
    const handle = fs.openSync(log, 'w');
    onTestFinished(() => fs.closeSync(handle));
    await using server = await startServer(data, env, handle);
    const count = async (q: string) => {
      const { count } = (await (await server.get(`/api/v1/search?q=${q}`)).json()) as { count: number };
      return count;
    };
    expect([await count('dog'), await count('Hund')]).toEqual([1, 0]);
    expect(await (await fetch(`${server.url}/status`)).text()).toContain('are being prepared');
    const page = await openPage(`${server.url}/?q=Hund`);
    await page?.getByText('Words in other languages are still being prepared').waitFor(SOON);
    fs.copyFileSync(MADE, path.join(models, 'new'));
    fs.renameSync(path.join(models, 'new'), path.join(models, 'languages.bin'));
    await vi.waitFor(async () => expect(await count('Hund')).toBe(1), SOON);
    await page?.getByText('1 GIF for “Hund”').waitFor(SOON);
    expect(await (await fetch(`${server.url}/status`)).text()).not.toContain('are being prepared');
    expect(fs.readFileSync(log, 'utf8')).not.toContain('searching without other languages');
  },
);
