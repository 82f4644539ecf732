import fs from 'node:fs';
import { generateSecretKey } from 'nostr-tools/pure';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newClient } from '../../packages/dashboard/testing/fake-state.ts';
import { parts } from '../support/parts.ts';
import { launchBrowser } from './browser.ts';
import { SOON, Window } from './dashboard.ts';

describe.skipIf(!parts.chromium)('the page of a client', () => {
  const secretKey = generateSecretKey();
  let browser: Browser;
  let window: Window;

  beforeAll(async () => {
    browser = await launchBrowser();
  });

  afterEach(async () => {
    await window.close();
  });

  afterAll(async () => {
    await browser?.close();
  });

  it('has a URL for each tab of a client, and marks the current one', async () => {
    window = await Window.open(browser, { viewport: { width: 320, height: 640 } });
    await window.signIn(secretKey);
    const { page, service } = window;
    service.state.clients = [newClient(service.state, { name: 'Walker', state: 'approved' })];
    const address = `/clients/${service.state.clients[0]!.id}`;
    const tabs = {
      '': 'Call the API',
      '/access': 'API keys',
      '/usage': 'Usage',
      '/people': 'Owners',
      '/settings': 'Details',
    };
    for (const [path, heading] of Object.entries(tabs)) {
      await window.go(address + path);
      await page.getByRole('heading', { name: heading, exact: true }).waitFor();
      const current = page.getByRole('navigation', { name: 'Client' }).locator('[aria-current=page]');
      expect(await current.getAttribute('href')).toBe(`/dashboard${address}${path}`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    }
    await page.getByRole('link', { name: 'Access', exact: true }).click();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    expect(await page.title()).toBe('Client: Access · GIFs from Example Operator');
    await page.goBack();
    await page.getByRole('heading', { name: 'Details' }).waitFor();
  });

  it('creates keys that expire, and rotates a key so that both work for some days', async () => {
    window = await Window.open(browser);
    await window.signIn(secretKey);
    const { page, service } = window;
    const client = newClient(service.state, { state: 'approved' });
    service.state.clients = [client];
    await page.clock.setFixedTime(Date.now());
    await window.go(`/clients/${client.id}/access`);
    await page.getByLabel('Key name').fill('phone');
    await page.getByLabel('Expires after (days)').fill('90');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('The key was created.').waitFor();
    const day = 86_400_000;
    const daysLeft = () => client.keys.map(({ expiresAt }) => expiresAt && Math.round((expiresAt - Date.now()) / day));
    expect(daysLeft()).toEqual([90]);
    const first = await page.getByLabel('Key', { exact: true }).inputValue();
    await page.getByRole('button', { name: 'Rotate phone' }).click();
    expect(await page.getByLabel('Days until the old key expires').inputValue()).toBe('7');
    await page.getByRole('button', { name: 'Create the new key' }).click();
    await page.getByText('There is a new key “phone”.').waitFor();
    expect(await page.getByLabel('Key', { exact: true }).inputValue()).not.toBe(first);
    expect(daysLeft()).toEqual([7, null]);
    await page.getByText('Ready: 2 keys can call.').waitFor();
    await page.getByText('active until').waitFor();
    await page.clock.setFixedTime(Date.now() + 8 * day);
    await page.reload();
    await page.getByText('expired on').waitFor();
    await page.getByText('Ready: 1 key can call.').waitFor();
  });

  it('lists the steps to the first request, and says which one is next', async () => {
    window = await Window.open(browser);
    await window.signIn(secretKey);
    const { page, service } = window;
    const { state } = service;
    const client = newClient(state, {});
    state.clients = [client];
    state.usage = { days: [], ways: [] };
    const steps = async () => {
      await page
        .getByText('No request has been counted')
        .or(page.getByText('in the last 30 days, the latest'))
        .waitFor();
      return page
        .getByRole('listitem')
        .evaluateAll((items) => items.map((item) => (item as HTMLElement).dataset['step']));
    };
    await window.go(`/clients/${client.id}`);
    expect(await steps()).toEqual(['done', 'next', 'later', 'later']);
    client.state = 'approved';
    await page.reload();
    expect(await steps()).toEqual(['done', 'done', 'next', 'later']);
    client.keys = [{ id: 'k', name: 'phone', createdAt: 0, lastUsedAt: null, expiresAt: null }];
    state.site.fee = { sats: 0, provider: 'none' };
    await page.reload();
    expect(await steps()).toEqual(['done', 'done', 'next']);
    state.usage.days = [{ day: '2026-01-01', operation: 'search', requests: 1, kept: 0, refused: 0, limited: 0 }];
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByText('1 request in the last 30 days, the latest on Jan 1, 2026.').waitFor();
    await page.getByRole('heading', { name: 'All set up' }).waitFor();
    expect(await steps()).toEqual(['done', 'done', 'done']);
  });

  it('shows the requests of 30 days with the values of each day, and offers them as CSV', async () => {
    window = await Window.open(browser);
    const { page, service } = window;
    await page.clock.setFixedTime(Date.UTC(2026, 0, 12, 12));
    await window.signIn(secretKey);
    const { state } = service;
    state.clients = [newClient(state, { state: 'approved' })];
    await window.go(`/clients/${state.clients[0]!.id}/usage`);
    const name = 'Requests per day from 2025-12-14 to 2026-01-12, highest on 2026-01-03: 750';
    await page.getByRole('img', { name, exact: true }).waitFor();
    const reading = page.locator('.reading');
    expect(await reading.textContent()).toContain('Jan 10, 2026');
    const slider = page.getByRole('slider', { name: 'Day' });
    await slider.focus();
    await page.keyboard.press('End');
    await expect.poll(() => reading.textContent()).toBe('Jan 12, 2026: 0 requests');
    for (let n = 0; n < 2; n++) await page.keyboard.press('ArrowLeft');
    const tenth = 'Jan 10, 2026: 600 requests (387 computed, 210 from the cache, 1 refused, 2 over the limit)';
    await expect.poll(() => reading.textContent()).toBe(tenth);
    expect(await slider.getAttribute('aria-valuetext')).toBe(tenth);
    const { x, y } = (await page.locator('.column').nth(20).boundingBox())!;
    await page.mouse.move(x + 3, y + 3);
    await expect.poll(() => reading.textContent()).toContain('Jan 3, 2026: 750 requests');
    const ways = page.getByRole('region', { name: 'Requests by key and origin' }).getByRole('row');
    const cells = async () => (await ways.allInnerTexts()).slice(1).map((row) => row.split(/\s*\t/));
    expect(await cells()).toEqual([
      ['https://former.example', 'Origin, removed', '1,500', '0', '0', '10'],
      ['Unknown', '–', '3,000', '1,600', '10', '10'],
    ]);
    await page.getByLabel('Period').selectOption('Today');
    await page.getByText('No requests in this period').waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download CSV' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('usage.csv');
    const lines = fs.readFileSync(await download.path(), 'utf8').split('\r\n');
    expect(lines).toHaveLength(32);
    expect(lines.slice(1, 3)).toEqual([
      '2026-01-10,search,origin,https://former.example,former,200,0,0,1',
      '2026-01-10,search,,,,200,200,0,1',
    ]);
  });

  it('shows notices, counts new ones in the navigation, and marks them as read', async () => {
    window = await Window.open(browser);
    const { page, service } = window;
    const { state } = service;
    state.notices = [
      { id: 'b', clientId: 'c', text: 'An operator suspended Wisp: spam', at: 2_000, isRead: false },
      { id: 'a', clientId: '', text: 'Somebody else owns Wisp now.', at: 1_000, isRead: true },
    ];
    await window.signIn(secretKey);
    await page.getByRole('link', { name: 'Notices (1)' }).click();
    const first = page.getByRole('listitem').first();
    await first.getByText('An operator suspended Wisp: spam').waitFor();
    expect(await page.getByText('new', { exact: true }).count()).toBe(1);
    expect(await page.getByRole('link', { name: 'Open the client' }).count()).toBe(1);
    await page.getByRole('link', { name: 'Notices', exact: true }).waitFor();
    await page.reload();
    await first.waitFor();
    expect(await page.getByText('new', { exact: true }).count()).toBe(0);
    const box = page.getByLabel('Also send me new notices');
    expect(await box.count()).toBe(0);
    state.site.messenger = state.account!.npub;
    await page.reload();
    await box.click();
    await page.getByText('You get messages from now on.').waitFor();
    await page.reload();
    await first.waitFor();
    expect([state.account!.messages, await box.isChecked()]).toEqual([true, true]);
  });

  it('lets somebody ask for a client by its domain, and an operator hand it over with a reason', async () => {
    window = await Window.open(browser);
    const { page, service } = window;
    service.state.isOperator = true;
    await window.signIn(secretKey);
    await page.getByText('Has an owner lost their key?').click();
    const origin = page.getByLabel('Origin of the client');
    await origin.fill('https://other.example');
    await origin.press('Enter');
    await page.getByRole('alert').getByText('The domain does not prove the ownership').waitFor();
    await origin.fill('https://proven.example');
    await origin.press('Enter');
    await page.getByText('Your domain was verified. An operator decides.').waitFor();
    await page.getByRole('button', { name: 'Withdraw https://proven.example' }).waitFor();
    await window.go('/review/queue');
    await page.getByRole('link', { name: '1 request to take over a client' }).click();
    const navigation = page.getByRole('navigation', { name: 'Console' });
    await navigation.getByRole('link', { name: 'Clients 1 waiting', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Hand over Wisp' }).click();
    expect(service.state.handovers).toHaveLength(1);
    await page.getByRole('region', { name: 'To hand over' }).getByLabel('Reason').fill('lost key');
    await page.getByRole('button', { name: 'Hand over Wisp' }).click();
    await page.getByText('Wisp was handed over.').waitFor();
    await navigation.getByRole('link', { name: 'Clients', exact: true }).waitFor();
    expect(service.state.handovers).toEqual([]);
  });

  it('lets an owner leave a client after asking, and shows the other clients then', async () => {
    window = await Window.open(browser);
    await window.signIn(secretKey);
    const { page, service } = window;
    const client = newClient(service.state, { name: 'Walker', state: 'approved' });
    client.owners.push({ ...client.owners[0]!, id: 'other', pubkey: 'f'.repeat(64) });
    service.state.clients = [client, newClient(service.state, { name: 'Wisp', state: 'approved' })];
    await window.go(`/clients/${client.id}/people`);
    await page.getByRole('button', { name: 'Leave this client' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave client: this client' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(service.state.clients).toHaveLength(2);
    await page.getByRole('button', { name: 'Leave this client' }).click();
    await dialog.getByRole('button', { name: 'Leave client' }).click();
    await page.getByRole('heading', { name: 'Your clients', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Wisp' }).waitFor();
    expect(await page.getByRole('link', { name: 'Walker' }).count()).toBe(0);
  });

  it('lets an operator set the limit of a client, and go back to the default', async () => {
    window = await Window.open(browser);
    const { page, service } = window;
    const { state } = service;
    state.isOperator = true;
    await window.signIn(secretKey);
    state.clients = [newClient(state, { state: 'approved' })];
    await window.go(`/review/clients/${state.clients[0]!.id}`);
    const [searches, reason] = [page.getByLabel('Searches a minute'), page.getByLabel('Reason for the limit')];
    for (const [typed, limit] of [
      ['120', 120],
      ['', null],
    ] as const) {
      await searches.fill(typed);
      await reason.fill('many users');
      await reason.press('Enter');
      await expect.poll(() => state.clients[0]!.searchesPerMinute, SOON).toBe(limit);
      await page.getByText('The limit was set.').waitFor();
      expect(await searches.inputValue()).toBe(typed);
    }
    state.clients[0]!.searchesPerMinute = 1_200;
    await window.go(`/clients/${state.clients[0]!.id}/usage`);
    await page.getByText('1,200 searches a minute').waitFor();
  });

  it('shows an error beside the form, and keeps the input', async () => {
    window = await Window.open(browser);
    await window.signIn(secretKey);
    const { page, service } = window;
    const { state } = service;
    const origins = [{ id: 'o', origin: 'https://proven.example', createdAt: 0, proof: null }];
    state.clients = [newClient(state, { state: 'approved', origins })];
    await window.go(`/clients/${state.clients[0]!.id}/access`);
    await page.getByLabel('Origin', { exact: true }).fill('https://proven.example');
    await page.getByRole('button', { name: 'Add origin' }).click();
    await page.getByRole('alert').getByText('origin https://proven.example is already registered').waitFor();
    expect(await page.getByLabel('Origin', { exact: true }).inputValue()).toBe('https://proven.example');
  });

  it('shows how it understands a typed origin, and sends only one that can be registered', async () => {
    window = await Window.open(browser);
    await window.signIn(secretKey);
    const { page, service } = window;
    const { state } = service;
    const client = newClient(state, { state: 'approved' });
    state.clients = [client];
    await window.go(`/clients/${client.id}/access`);
    const field = page.getByLabel('Origin', { exact: true });
    const add = page.getByRole('button', { name: 'Add origin' });
    for (const [typed, told] of [
      ['http://localhost:3000', 'Pages on your own machine need no registration'],
      ['http://app.example', 'If yours is also at https://app.example, type that'],
      ['192.168.1.1', 'IP addresses cannot be added'],
      ['capacitor://localhost', 'capacitor:// cannot be added'],
    ]) {
      await field.fill(typed!);
      await page.getByText(told!).waitFor();
      await add.click();
      await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
    }
    expect(await page.getByRole('link', { name: 'Use an API key' }).getAttribute('href')).toBe('#key-name');
    await field.fill('Proven.example/search');
    await page.getByText('Adds https://proven.example.').waitFor();
    await add.click();
    await page.getByText('https://proven.example was added and verified.').waitFor();
    expect(client.origins.map(({ origin }) => origin)).toEqual(['https://proven.example']);
    expect(client.requests).toEqual([]);
    expect(await field.inputValue()).toBe('');
  });

  it('asks before it removes what cannot be restored, also by keyboard', async () => {
    window = await Window.open(browser);
    await window.signIn(secretKey);
    const { page, service } = window;
    const { state } = service;
    const key = { id: 'k', name: 'phone', createdAt: 0, lastUsedAt: null, expiresAt: null };
    const client = newClient(state, { state: 'approved', keys: [key] });
    state.clients = [client];
    await window.go(`/clients/${client.id}/access`);
    const revoke = page.getByRole('button', { name: 'Revoke phone', exact: true });
    await revoke.press('Enter');
    await page.getByRole('dialog').getByText('are refused within a second').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => revoke.evaluate((button) => button === document.activeElement), SOON).toBe(true);
    await revoke.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(client.keys).toEqual([key]);
    state.site.cached = true;
    await page.reload();
    await revoke.press('Enter');
    await page.getByRole('dialog').getByText('are refused within an hour').waitFor();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByText('phone was revoked.').waitFor();
    expect(client.keys).toEqual([]);
    await expect.poll(() => page.evaluate(() => document.activeElement!.textContent), SOON).toBe('phone was revoked.');
  });

  it('asks the user to accept changed terms, without another fee', async () => {
    window = await Window.open(browser);
    await window.signIn(secretKey);
    const { page, service } = window;
    const { state } = service;
    const client = newClient(state, { state: 'approved', terms: { version: 'old', acceptedAt: Date.now() } });
    state.clients = [client];
    await window.go(`/clients/${client.id}`);
    await page.getByText('you do not pay again').waitFor();
    await page.getByRole('link', { name: 'Read the new terms' }).click();
    await page.getByRole('heading', { name: 'The terms have changed' }).waitFor();
    await page.getByRole('button', { name: 'Accept the new terms' }).click();
    await page.getByText('You accepted the new terms.').waitFor();
    expect(client.terms?.version).toBe(state.site.terms.version);
    expect(await page.getByRole('heading', { name: 'The terms have changed' }).count()).toBe(0);
  });
});
