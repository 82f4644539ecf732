import fs from 'node:fs';
import { generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginImport, endImports } from '../../packages/server/src/ingest/imports.ts';
import { writeDictd } from '../../packages/server/src/languages/testing/write-dictd.ts';
import { openDatabase } from '../../packages/server/src/platform/db/index.ts';
import { FilledRelay } from '../../packages/server/src/platform/relay/testing/relay.ts';
import { smallGif } from '../support/catalogue.ts';
import { parts } from '../support/parts.ts';
import { freePort, type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';
import { violations } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { installSigner, SOON } from './dashboard.ts';

const ENV = { ZOETROPE_EMBEDDER: 'none', ZOETROPE_RATING: 'off', ZOETROPE_CAPTIONS: 'off' };
const NAMES = ['harbour', 'lantern', 'meadow', 'orchard'];

/** Returns a GIF in a form from which a script in the page can make a file. */
function fileOf(name: string, bytes: Uint8Array): { name: string; bytes: string } {
  return { name, bytes: Buffer.from(bytes).toString('base64') };
}

describe.skipIf(!parts.chromium)("the operators' console", () => {
  const folder = temporaryFolder();
  const data = `${folder.path}/data`;
  const secretKey = generateSecretKey();
  let browser: Browser;
  let server: Server;
  let page: Page;

  beforeAll(async () => {
    fs.mkdirSync(`${folder.path}/gifs`);
    for (const [n, name] of NAMES.entries()) {
      fs.writeFileSync(`${folder.path}/gifs/${name}-party.gif`, smallGif(n * 7919 + 1, 120));
    }
    expect((await zoetrope(data, ['add', '--quiet', `${folder.path}/gifs`], ENV)).code).toBe(0);
    browser = await launchBrowser();
    server = await startServer(data, {
      ...ENV,
      ZOETROPE_PORT: String(await freePort()),
      ZOETROPE_THREADS: '1',
      ZOETROPE_ADMINS: getPublicKey(secretKey),
      ZOETROPE_MEDIA_MAX_BYTES: '200000',
      ZOETROPE_BACKUPS: `${folder.path}/backups`,
      ZOETROPE_MODELS_URL: 'http://127.0.0.1:1',
      ZOETROPE_S3_SECRET_KEY: 'swordfish-1951',
    });
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    await installSigner(context, secretKey);
    page = await context.newPage();
    await page.goto(`${server.url}/dashboard`);
    await page.getByRole('button', { name: 'Sign in with extension' }).click();
    await page.getByRole('link', { name: 'Console' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    folder[Symbol.dispose]();
  });

  const open = (name: string) =>
    page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name, exact: true }).click();

  async function titles(q: string): Promise<string[]> {
    const { items } = (await (await server.get(`/api/v1/search?q=${q}`)).json()) as { items: { title: string }[] };
    return items.map(({ title }) => title);
  }

  const tile = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` });

  /** Searches, and waits for the results: a list that changes moves the buttons below it while they are clicked. */
  async function search(words: string): Promise<void> {
    await page.getByLabel('Words, or the id, URL or hash').fill(words);
    await page.keyboard.press('Enter');
    await page.getByText(/^\d+( or more)? found\.$/).waitFor(SOON);
  }

  it('shows numbers and what the doctor finds', async () => {
    await page.getByText('GIFs found by searches').waitFor();
    expect(await page.locator('.figure .number').first().textContent()).toBe('4');
    await page.getByText(/checks passed/).waitFor(SOON);
    expect(await violations(page)).toEqual([]);
  });

  it('draws charts of the counts, with values for keyboard users and a table', async () => {
    const chart = (name: string) => page.getByRole('figure').filter({ hasText: name });
    // An interval that has just begun has no values yet, and the page shows values of the time when it was loaded.
    const isCounted = async () => {
      await page.reload();
      const shown = chart('GIFs').getByText('4', { exact: true }).first();
      return shown.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false,
      );
    };
    await expect.poll(isCounted, SOON).toBe(true);
    await page.getByRole('radio', { name: '30 days' }).check();
    const time = page.getByRole('slider', { name: 'Time' });
    await expect.poll(() => time.getAttribute('max')).toBe('719');
    await time.press('ArrowLeft');
    await chart('GIFs').getByText('nothing').waitFor();
    expect(await time.getAttribute('aria-valuetext')).toContain('GIFs: nothing');
    await page.getByText('Show as a table').click();
    const table = page.getByRole('region', { name: 'Numbers over time as a table' });
    await expect.poll(() => table.getByRole('row').count()).toBe(2);
    expect(await violations(page)).toEqual([]);
  });

  it('finds a GIF by words, hides it from everybody, and undoes that', async () => {
    await open('Catalogue');
    await search('harbour');
    await page.getByText('1 found.').waitFor(SOON);
    await tile('harbour party').check();
    const picture = page.locator('.tile img');
    expect(await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(
      120,
    );
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Hide', exact: true }).click();
    await page.getByText('1 changed.').waitFor();
    await page.locator('.tile', { hasText: 'hidden by an operator' }).waitFor();
    await expect.poll(() => titles('harbour'), SOON).toEqual([]);
    await search('harbour');
    await page.locator('.tile', { hasText: 'hidden by an operator' }).waitFor();
    await tile('harbour party').check();
    await page.getByRole('button', { name: 'Show again' }).click();
    await page.getByRole('button', { name: 'Undo the last action (1)' }).click();
    await page.getByText('Undone: 1 changed.').waitFor();
    await page.locator('.tile', { hasText: 'hidden by an operator' }).waitFor();
  });

  it('selects a range with Shift and the keyboard, and tags all of it', async () => {
    await search('');
    await expect.poll(() => page.locator('.tile').count(), SOON).toBe(4);
    const boxes = page.locator('.tile input');
    await boxes.nth(0).click();
    await boxes.nth(2).click({ modifiers: ['Shift'] });
    await page.getByText('3 selected').waitFor();
    await boxes.nth(2).focus();
    await page.keyboard.press('Shift+ArrowRight');
    await page.getByText('4 selected').waitFor();
    await page.getByLabel('Tag to add').fill('festival');
    await page.keyboard.press('Enter');
    await page.getByText('4 changed.').waitFor();
    await expect.poll(async () => (await titles('festival')).length, SOON).toBe(3);
  });

  it('says why a GIF is not shown', async () => {
    await search(`${'0'.repeat(64)}.gif`);
    await page.getByText('Nothing is known about it').waitFor();
  });

  it('adds dropped files with their progress, and shows the reason for each refused file', async () => {
    const files = [
      fileOf('windmill dance.gif', smallGif(99_991, 80)),
      fileOf('waterfall.gif', smallGif(99_993, 80)),
      fileOf('letter.gif', Buffer.from('this is a letter and not a picture')),
      fileOf('broken.gif', smallGif(99_995, 80).subarray(0, 40)),
      fileOf('huge.gif', Buffer.alloc(300_000, 'GIF89a')),
    ];
    const dropped = await page.evaluateHandle((given) => {
      const transfer = new DataTransfer();
      for (const { name, bytes } of given) {
        transfer.items.add(new File([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], name));
      }
      return transfer;
    }, files);
    await page.dispatchEvent('catalogue-page', 'drop', { dataTransfer: dropped });
    const row = (name: string) =>
      page.getByRole('list', { name: 'Files' }).getByRole('listitem').filter({ hasText: name });
    await row('letter.gif').getByText('It is neither a GIF nor a WebP').waitFor();
    await row('huge.gif').getByText('at most 200 kB are allowed (ZOETROPE_MEDIA_MAX_BYTES)').waitFor();
    await row('windmill dance.gif').getByText('added', { exact: true }).waitFor(SOON);
    await row('waterfall.gif').getByText('added', { exact: true }).waitFor(SOON);
    expect(await row('broken.gif').locator('.failed').textContent()).not.toBe('');
    expect(await violations(page)).toEqual([]);
    await expect.poll(() => titles('windmill'), SOON).toEqual(['windmill dance']);
    await search('windmill');
    await tile('windmill dance').waitFor(SOON);
  });

  it('lists imports with what was refused', async () => {
    await open('Jobs');
    await page.getByText('2 added, 1 refused').waitFor();
    await page.locator('.rows a').first().click();
    await page.getByRole('heading', { name: 'Refused' }).waitFor();
    expect(await page.locator('tbody tr').first().textContent()).toContain('broken.gif');
    expect(await violations(page)).toEqual([]);
    await open('Jobs');
    // Uploaded files are gone when their import has ended.
    await expect.poll(() => fs.readdirSync(`${data}/uploads`), SOON).toEqual([]);
  });

  it('adds a folder on the server by its path', async () => {
    fs.mkdirSync(`${folder.path}/more`);
    fs.writeFileSync(`${folder.path}/more/lighthouse.gif`, smallGif(99_997, 80));
    await open('Catalogue');
    await page.getByText('Add GIFs', { exact: true }).click();
    await page.getByText(/choose files, up to [1-9].* each/).waitFor();
    await page.getByLabel('Folder or manifest on the server').fill('gifs');
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByText('gifs cannot be added here: give an absolute path').waitFor();
    await page.getByLabel('Folder or manifest on the server').fill(`${folder.path}/more`);
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByText('has started').waitFor();
    await expect.poll(() => titles('lighthouse'), SOON).toEqual(['lighthouse']);
  });

  it('keeps older imports on the page while one is open', async () => {
    const db = openDatabase(`${data}/zoetrope.db`);
    const runs = Array.from({ length: 60 }, (_, n) => `run ${n}`);
    for (const run of runs) await beginImport(db, { run, command: [run], machine: '', startedAt: Date.now() });
    await endImports(db, runs.slice(0, -1), Date.now());
    const other = await page.context().newPage();
    try {
      await other.clock.install();
      await other.goto(`${server.url}/dashboard/review/jobs`);
      await other.getByRole('link', { name: 'run 59' }).waitFor();
      const looks: string[] = [];
      other.on('request', (request) => looks.push(request.url()));
      await other.clock.runFor(3_000);
      await expect.poll(() => looks.length, SOON).toBe(1);
      await other.getByRole('button', { name: 'Show older' }).click();
      const oldest = other.getByRole('link', { name: 'run 0', exact: true });
      await oldest.waitFor();
      looks.length = 0;
      await other.clock.runFor(9_000);
      expect(await other.evaluate(async () => (await fetch('/readyz')).ok)).toBe(true);
      expect(looks).toEqual([`${server.url}/readyz`]);
      expect(await oldest.count()).toBe(1);
    } finally {
      await other.close();
      await endImports(db, runs, Date.now());
      await db.destroy();
    }
  });

  it('follows a relay, reads it, and stops following it', async () => {
    const relay = await FilledRelay.start();
    try {
      await open('Sources');
      await page.getByLabel('URL of a relay').fill('https://relay.example');
      await page.getByRole('button', { name: 'Follow' }).click();
      await page.getByText('a relay URL must start with wss:// or ws://').waitFor();
      await page.getByLabel('URL of a relay').fill(relay.url);
      await page.keyboard.press('Enter');
      await page.getByText(`${relay.url} is followed.`).waitFor();
      const row = page.getByRole('row', { name: relay.url });
      await expect.poll(() => relay.questions, SOON).toBeGreaterThan(0);
      expect(await violations(page)).toEqual([]);
      await row.getByRole('button', { name: 'Stop following' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Stop following' }).click();
      await row.getByText('no longer followed').waitFor();
      const { code, stdout } = await zoetrope(data, ['relays', 'list', '--json'], ENV);
      expect({ code, relays: JSON.parse(stdout).relays }).toMatchObject({
        code: 0,
        relays: [{ url: relay.url, added: false }],
      });
    } finally {
      await relay.down();
    }
  });

  it('ignores the adult marks of a person, and counts them again', async () => {
    const pubkey = getPublicKey(generateSecretKey());
    await open('Sources');
    await page.getByLabel('Id of a GIF, or npub of a person').fill('nobody');
    await page.getByRole('button', { name: 'Ignore marks' }).click();
    await page.getByText('nobody: not the id of a GIF from relays').waitFor();
    await page.getByLabel('Id of a GIF, or npub of a person').fill(pubkey);
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: pubkey }).getByText('are ignored').waitFor();
    await page.getByRole('button', { name: `Count the marks of ${pubkey}` }).click();
    await page.getByText('Nobody has marked GIFs').waitFor();
  });

  it('shows what was done, with names, and undoes a change of a GIF', async () => {
    await open('Catalogue');
    await search('meadow');
    await tile('meadow party').check();
    await page.getByRole('button', { name: 'Hide', exact: true }).click();
    await page.getByText('1 changed.').waitFor();
    await open('Activity');
    const log = page.getByRole('region', { name: 'Changes of GIFs' });
    await log.getByRole('link', { name: 'meadow party' }).first().waitFor();
    expect(await violations(page)).toEqual([]);
    await log.getByRole('button', { name: 'Undo hide of meadow party' }).click();
    await page.getByText('Undone for meadow party.').waitFor();
    await log.getByRole('row', { name: 'hide' }).getByText('undone', { exact: true }).first().waitFor();
    await page.getByRole('row', { name: 'relay follow' }).waitFor();
    await expect.poll(() => titles('meadow'), SOON).toEqual(['meadow party']);
  });

  it('lists the builds on the disk', async () => {
    await open('Builds');
    const { build } = JSON.parse((await zoetrope(data, ['status', '--json'], ENV)).stdout);
    await page.getByRole('row', { name: build }).getByText('current', { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('rolls back to a former build, and goes on with new ones', async () => {
    const former = page.getByRole('row').filter({ hasText: 'former' });
    const name = (await former.locator('code').innerText()).trim();
    await former.getByRole('button', { name: `Roll back to ${name}` }).click();
    await page.getByRole('button', { name: 'Roll back', exact: true }).click();
    await page.getByText(`The service now shows build ${name}.`).waitFor();
    await page.getByRole('row', { name }).getByText('current', { exact: true }).waitFor();
    await expect.poll(async () => (await (await server.get('/api/v1/search?q=meadow')).json()).build, SOON).toBe(name);
    await open('Overview');
    await page.getByText(`Build ${name} is held since`).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Go on with new builds' }).click();
    await page.getByText('The next build is ready soon.').waitFor();
    expect(await page.getByText('is held since').count()).toBe(0);
    await open('Activity');
    await page.getByRole('row', { name: 'build hold' }).waitFor();
    await page.getByRole('row', { name: 'build release' }).waitFor();
  });

  it('lists backups, and says on the overview that the last one failed', async () => {
    await open('Backups');
    await page.getByText('No backup has been made yet').waitFor();
    const backUp = () => zoetrope(data, ['backup', '--quiet', `${folder.path}/backup`], ENV);
    expect((await backUp()).code).toBe(0);
    await open('Overview');
    await page.getByText('GIFs found by searches').waitFor();
    expect(await page.getByText('The last backup').count()).toBe(0);
    expect((await backUp()).code).toBe(1);
    await open('Backups');
    await page.getByRole('row', { name: `${folder.path}/backup complete` }).waitFor();
    await page.getByText('is not empty').waitFor();
    expect(await violations(page)).toEqual([]);
    await open('Overview');
    await page.getByText('The last backup failed').waitFor();
  });

  it('makes a backup', async () => {
    await open('Backups');
    await page.getByRole('button', { name: 'Make a backup' }).click();
    await page.getByText('The backup has started.').waitFor();
    await page
      .getByRole('row', { name: `${folder.path}/backups/` })
      .getByText('complete', { exact: true })
      .waitFor();
    // The folder is complete shortly before the command that makes it ends.
    await expect.poll(() => page.getByRole('progressbar').count(), SOON).toBe(0);
    expect(await violations(page)).toEqual([]);
    const [made] = fs.readdirSync(`${folder.path}/backups`);
    const restored = `${folder.path}/restored`;
    const { code, stderr } = await zoetrope(restored, ['restore', '--quiet', `${folder.path}/backups/${made}`], ENV);
    expect(code, stderr).toBe(0);
  });

  it('lists models and dictionaries, and removes a dictionary', async () => {
    const file = writeDictd(folder.path, 'deu-eng', { kaulquappe: 'tadpole' });
    expect((await zoetrope(data, ['languages', 'add', file], ENV)).code).toBe(0);
    await open('Languages');
    await page.getByText('Search by meaning uses nothing').waitFor();
    await page.getByRole('button', { name: 'Download multilingual-e5-small' }).click();
    await page.getByText('The last download failed: 127.0.0.1:1 cannot be reached').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'deu-eng' }).getByText('1 word').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Remove deu-eng' }).click();
    await page.getByRole('button', { name: 'Remove dictionary' }).click();
    await page.getByText('deu-eng was removed.').waitFor();
    await page.getByText('No dictionaries added yet.').waitFor();
    expect(await zoetrope(data, ['languages', 'list', '--json'], ENV)).toMatchObject({ code: 0, stdout: '[]\n' });
  });

  it('lists all clients with their origins, keys and requests, and finds one of them', async () => {
    const added = await zoetrope(
      data,
      ['client', 'add', 'Harbour App', '--origin', 'https://harbour.example', '--json'],
      ENV,
    );
    const { id } = JSON.parse(added.stdout);
    expect((await zoetrope(data, ['key', 'create', id, '--json'], ENV)).code).toBe(0);
    expect((await zoetrope(data, ['client', 'add', 'Meadow App', '--json'], ENV)).code).toBe(0);
    await page.getByRole('link', { name: 'Clients', exact: true }).last().click();
    const client = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    await client('Meadow App').getByText('no origin, 0 keys; 0 requests in 30 days').waitFor();
    await client('Harbour App').getByText('https://harbour.example, 1 key;').waitFor();
    await page.getByLabel('Name, id, npub or origin').fill('https://harbour.example');
    await page.keyboard.press('Enter');
    await page.getByText('1 found.').waitFor();
    expect(await client('App').count()).toBe(1);
    expect(await violations(page)).toEqual([]);
  });

  it('lists the settings in force without secrets', async () => {
    await open('Settings');
    await page.getByLabel('Only those that are set').check();
    const setting = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    await setting('ZOETROPE_MEDIA_MAX_BYTES').getByText('200000', { exact: true }).waitFor();
    await setting('ZOETROPE_S3_SECRET_KEY').getByText('(set, not shown)').waitFor();
    expect(await page.content()).not.toContain('swordfish-1951');
    expect(await violations(page)).toEqual([]);
  });
});
