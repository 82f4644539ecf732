import type { SettingList } from '@zoetrope/contract/account';
import { generateSecretKey } from 'nostr-tools/pure';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parts } from '../support/parts.ts';
import { launchBrowser } from './browser.ts';
import { SOON, Window } from './dashboard.ts';
import { fill } from './full-dashboard.ts';

describe.skipIf(!parts.chromium)('the console', () => {
  let browser: Browser;
  let window: Window;
  let page: Page;

  beforeAll(async () => {
    browser = await launchBrowser();
    window = await Window.open(browser);
    window.service.state.isOperator = true;
    await window.signIn(generateSecretKey());
    fill(window);
    page = window.page;
  });

  afterAll(async () => {
    await window?.close();
    await browser?.close();
  });

  it('finds settings by a part of their name or description, and those that are set', async () => {
    const { state } = window.service;
    const [data] = state.settings.settings as [SettingList['settings'][number]];
    const port = { variable: 'ZOETROPE_PORT', value: '8080', source: 'default', description: 'Port of the service' };
    state.settings = { ...state.settings, settings: [data, { ...data, ...port, name: 'port' } as typeof data] };
    await window.go('/review/settings');
    const found = () => page.getByRole('heading', { level: 2 }).allTextContents();
    const words = page.getByLabel('Find a setting');
    await expect.poll(found, SOON).toEqual(['ZOETROPE_DATA', 'ZOETROPE_PORT']);
    await words.fill('  FOLDER for ');
    await expect.poll(found, SOON).toEqual(['ZOETROPE_DATA']);
    await words.fill('e_port');
    await expect.poll(found, SOON).toEqual(['ZOETROPE_PORT']);
    await page.getByLabel('Only those that are set').check();
    await page.getByText('No setting matches.').waitFor();
    await words.fill(' ');
    await expect.poll(found, SOON).toEqual(['ZOETROPE_DATA']);
  });

  it('says when a dictionary does not name its licence', async () => {
    const { state } = window.service;
    const [known] = state.languages.dictionaries;
    const unnamed = { ...known!, name: 'ita-eng', title: 'Italian to English', licence: null };
    const named = { ...known!, title: 'German to English', licence: 'GPL-2.0' };
    state.languages = { ...state.languages, dictionaries: [named, unnamed] };
    await window.go('/review/languages');
    const card = (title: string) => page.getByRole('listitem').filter({ hasText: title });
    await card('Italian to English').getByText('The dictionary does not name its licence.').waitFor();
    await card('German to English').getByText('GPL-2.0').waitFor();
    expect(await page.getByText('does not name its licence').count()).toBe(1);
  });

  it('offers a model for download only if it is missing, and removes only one that is not in use', async () => {
    const { state } = window.service;
    const [model] = state.languages.models;
    const states = { used: [true, true], idle: [true, false], missing: [false, false], running: [false, false] };
    const models = Object.entries(states).map(([name, [pulled, inUse]]) => ({
      ...model!,
      ...{ name, pulled: pulled!, inUse: inUse! },
    }));
    const pulling = { subject: 'running', startedAt: 0, phase: '', done: 0, total: null };
    state.languages = { ...state.languages, models, pulling };
    await window.go('/review/languages');
    const list = page.getByRole('list', { name: 'Models' });
    await list.getByRole('listitem').nth(3).waitFor();
    const buttons = async (name: string) => {
      const card = list.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });
      return (await card.getByRole('button').allTextContents()).map((text) => text.trim());
    };
    const offered = await Promise.all(models.map(async ({ name }) => [name, await buttons(name)]));
    expect(Object.fromEntries(offered)).toEqual({ used: [], idle: ['Remove'], missing: ['Download'], running: [] });
  });

  it('counts the URLs from relays by state, with the reason if there is one', async () => {
    const { state } = window.service;
    state.sources = {
      ...state.sources,
      files: [
        { state: 'added', reason: null, urls: 1_234 },
        { state: 'refused', reason: 'too-large', urls: 9 },
      ],
    };
    await window.go('/review/sources');
    await page.getByText('added 1,234, refused: too-large 9', { exact: true }).waitFor();
  });

  it('lists the members with their uploads, or says how to add one', async () => {
    const { state } = window.service;
    const table = page.getByRole('region', { name: 'Members' });
    await window.go('/review/sources');
    await table.getByRole('row', { name: '12 35 MB 1,234' }).waitFor();
    const { members } = state;
    state.members = { ...members, members: [] };
    await window.go('/review/sources');
    await page.getByText('Nobody can upload GIFs.').waitFor();
    expect(await table.count()).toBe(0);
    state.members = members;
  });

  it('names the highest value of each chart, or says that nothing was counted', async () => {
    const { state } = window.service;
    await window.go('/review');
    await page.getByRole('img', { name: 'Errors, highest 4,567' }).waitFor();
    await page.getByRole('img', { name: 'Time of a search, highest 250 ms' }).waitFor();
    const { history } = state;
    state.history = { ...history, points: [] };
    await window.go('/review');
    await page.getByText('Nothing was counted in this time.').waitFor();
    expect(await page.getByRole('img', { name: 'highest' }).count()).toBe(0);
    state.history = history;
  });

  it('says which machines serve a build, if any says so', async () => {
    const { state } = window.service;
    const column = page.getByRole('columnheader', { name: 'Served by' });
    await window.go('/review/builds');
    await column.waitFor();
    await page.getByRole('cell', { name: 'attic' }).waitFor();
    const { builds } = state;
    state.builds = { ...builds, builds: builds.builds.map((build) => ({ ...build, servedBy: [] })) };
    await window.go('/review/builds');
    await page.getByRole('columnheader', { name: 'Changes behind' }).waitFor();
    expect(await column.count()).toBe(0);
    state.builds = builds;
  });

  it('offers older imports only after a full page of them', async () => {
    const { state } = window.service;
    const [run] = state.imports;
    const older = page.getByRole('button', { name: 'Show older' });
    for (const [length, isOffered] of [
      [49, false],
      [50, true],
      [51, false],
      [0, false],
    ] as const) {
      state.imports = Array.from({ length }, (_, id) => ({ ...run!, id: id + 1 }));
      await window.go('/review/jobs');
      await page
        .getByText(length === 0 ? 'Nothing has been added' : '3 added')
        .first()
        .waitFor();
      expect(await older.count(), `${length}`).toBe(Number(isOffered));
    }
  });

  it('says how many of the selected GIFs were changed, were like that already, or were refused', async () => {
    const { state } = window.service;
    const [gif] = state.gifs;
    const ids = ['one.gif', 'two.gif', 'three.gif'];
    state.gifs = ids.map((id) => ({ ...gif!, id, title: id }));
    await window.go('/review/catalogue');
    for (const id of ids) await page.getByRole('checkbox', { name: `Select ${id}` }).check();
    const outcomes = ['done', 'unchanged', 'refused'].map((outcome, n) => ({
      ...{
        id: ids[n]!,
        outcome,
        message: outcome === 'refused' ? 'it is gone' : '',
        move: outcome === 'done' ? 1 : null,
      },
    }));
    for (const [length, summary] of [
      [1, '1 changed.'],
      [2, '1 changed, 1 unchanged.'],
      [3, '1 changed, 1 unchanged, 1 refused.'],
    ] as const) {
      const json = { outcomes: outcomes.slice(0, length), gifs: [] };
      await page.route('**/review/moves/many', (route) => route.fulfill({ json }));
      await page.getByRole('button', { name: 'Hide', exact: true }).click();
      await page.getByText(summary, { exact: true }).waitFor();
    }
    await page.getByRole('list', { name: 'refused' }).getByText('it is gone').waitFor();
  });

  it('sends the reason for a decision without the blanks around it', async () => {
    const { state } = window.service;
    const [gif] = state.gifs;
    const report = {
      id: 'r',
      reason: 'copyright',
      message: '',
      contact: '',
      reporter: 'form',
      at: 1,
      more: 0,
    } as const;
    state.gifs = [{ ...gif!, hidden: false, inReview: false, moves: [], reports: [report] }];
    await window.go('/review/queue');
    await page.getByLabel('Reason for your decisions').fill('  spam and more ');
    await page.getByRole('button', { name: 'Hide', exact: true }).click();
    await expect.poll(() => state.gifs[0]!.moves.map(({ reason }) => reason), SOON).toEqual(['spam and more']);
  });

  it('follows a backup while it is made and the page is visible, and asks no more after that', async () => {
    const { state } = window.service;
    const other = await window.context.newPage();
    const looks: string[] = [];
    other.on('request', (request) => looks.push(new URL(request.url()).pathname));
    await other.clock.install();
    /** Returns the number of requests in 9 s. The last request is only sent to wait for all others. */
    const count = async () => {
      looks.length = 0;
      await other.clock.runFor(9_000);
      await other.evaluate(() => fetch('/dashboard'));
      return looks.filter((path) => path.endsWith('/backups')).length;
    };
    const setHidden = (hidden: boolean) =>
      other.evaluate((value) => Object.defineProperty(document, 'hidden', { value, configurable: true }), hidden);
    const running = { subject: '/backups/today', startedAt: 0, phase: 'rows', done: 1, total: 2 };
    state.backing = { ...state.backing, running };
    await other.goto(`${window.service.url}/dashboard/review/backups`);
    await other.getByText('1 of 2').waitFor();
    expect(await count()).toBeGreaterThan(2);
    await setHidden(true);
    expect(await count()).toBe(0);
    await setHidden(false);
    state.backing = { ...state.backing, running: null };
    expect(await count()).toBeGreaterThan(0);
    await other.getByText('1 of 2').waitFor({ state: 'detached' });
    expect(await count()).toBe(0);
    await other.close();
  });

  it('copies a public key, or says that the browser does not allow it', async () => {
    const { state } = window.service;
    await window.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await window.go('/sessions');
    const copy = page.getByRole('button', { name: 'Copy your npub' });
    await copy.click();
    await page.getByRole('status').getByText('copied', { exact: true }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(state.account!.npub);
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('forbidden'));
    });
    await copy.click();
    await page.getByText('copying is not allowed here, select the text instead').waitFor();
  });

  it('lists the origins that are no longer verified, with the reason, if there are any', async () => {
    const { state } = window.service;
    const heading = page.getByRole('heading', { name: 'No longer verified' });
    await window.go('/review/clients');
    await heading.waitFor();
    const [{ origin, clientId, clientName, reason }] = state.doubtful as [(typeof state.doubtful)[number]];
    const card = page.getByRole('listitem').filter({ hasText: origin });
    await card.getByText(reason).waitFor();
    const link = card.getByRole('link', { name: clientName });
    expect(await link.getAttribute('href')).toBe(`/dashboard/review/clients/${clientId}`);
    const queued = page.getByRole('link', { name: `${state.queue.length} request in the queue` });
    expect(await queued.getAttribute('href')).toBe('/dashboard/review/queue');
    [state.doubtful, state.queue] = [[], []];
    await window.go('/review/clients');
    await page.waitForLoadState('networkidle');
    expect([await heading.count(), await queued.count()]).toEqual([0, 0]);
  });
});
