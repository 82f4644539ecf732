import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { MemberUpload, MemberUploads } from '@zoetrope/contract/account';
import { generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newClient } from '../../packages/dashboard/testing/fake-state.ts';
import { parts } from '../support/parts.ts';
import { launchBrowser } from './browser.ts';
import { SOON, Window } from './dashboard.ts';

const DIST = path.join(import.meta.dirname, '../../packages/dashboard/dist');

it('loads less than 120 kB for the first page, and the code for NIP-46 only when needed', () => {
  const index = fs.readFileSync(path.join(DIST, 'index.html'), 'utf8');
  const first = [...index.matchAll(/\/dashboard\/(assets\/[\w.-]+)/g)].map(([, file]) => file!);
  expect(first.length).toBeGreaterThan(1);
  const sizeOf = (file: string) => gzipSync(fs.readFileSync(path.join(DIST, file))).byteLength;
  expect(first.reduce((total, file) => total + sizeOf(file), sizeOf('index.html'))).toBeLessThan(120_000);
  const others = fs.readdirSync(path.join(DIST, 'assets')).filter((file) => !first.includes(`assets/${file}`));
  expect(others.filter((file) => file.startsWith('remote-'))).toHaveLength(1);
});

describe.skipIf(!parts.chromium)('the dashboard', () => {
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

  it('signs in by an extension, with one event, and keeps the session', async () => {
    window = await Window.open(browser);
    await window.signIn(secretKey);
    expect(window.service.logins.map(({ pubkey, kind }) => ({ pubkey, kind }))).toEqual([
      { pubkey: getPublicKey(secretKey), kind: 27_235 },
    ]);
    expect(await window.page.evaluate(() => document.cookie)).toBe('');
    await window.page.reload();
    await window.page.getByText('You have no clients yet').waitFor();
  });

  it('says why an extension did not sign, and sends nothing', async () => {
    window = await Window.open(browser);
    await window.install(secretKey, () => {
      throw new Error('denied by its owner');
    });
    await window.go();
    await window.page.getByRole('button', { name: 'Sign in with extension' }).click();
    await window.page.getByRole('alert').getByText('denied by its owner').waitFor();
    expect(window.service.logins).toEqual([]);
    expect(await window.page.getByRole('button', { name: 'Sign in with extension' }).isEnabled()).toBe(true);
  });

  it('disables signing in with an extension if there is none', async () => {
    window = await Window.open(browser);
    await window.go();
    await window.page.getByText('No extension found').waitFor();
    expect(await window.page.getByRole('button', { name: 'Sign in with extension' }).isEnabled()).toBe(false);
    const hint = await window.page
      .getByRole('button', { name: 'Sign in with extension' })
      .getAttribute('aria-describedby');
    expect(await window.page.locator(`#${hint}`).textContent()).toContain('Install one that supports NIP-07');
    // A link within the page is followed by the browser.
    await window.page.getByRole('link', { name: 'Skip to main content' }).press('Enter');
    await expect.poll(() => window.page.url(), SOON).toMatch(/#main$/);
  });

  it('offers no code if no relay is configured', async () => {
    window = await Window.open(browser);
    await window.go();
    await window.page.getByRole('button', { name: 'Sign in with bunker' }).waitFor();
    expect(await window.page.getByRole('button', { name: 'Show QR code' }).count()).toBe(0);
    expect(await window.page.getByRole('button', { name: 'Sign in with bunker' }).isEnabled()).toBe(true);
  });

  it('can be used with the keyboard alone: sign in, register, pay, origin, key, try, delete, sign out', async () => {
    window = await Window.open(browser);
    const { page, service } = window;
    await window.install(secretKey);
    await window.go();
    const { press, type } = keyboardOf(window);
    await press('Sign in with extension');
    await press('Register a client');
    await expect.poll(() => page.title(), SOON).toBe('Register · GIFs from Example Operator');
    expect(await page.evaluate(() => document.activeElement!.id)).toBe('main');
    await type('Name', 'Walker');
    await page.getByText('How it looks at the top of the picker in Walker').waitFor();
    await type('What is it, and who uses it?', 'For walkers');
    await press('I accept these terms', 'Space');
    await press('Register and continue to payment');
    await page.getByRole('heading', { name: 'Pay the fee' }).waitFor();
    await page.getByText('The fee is not refunded').waitFor();
    await page.getByText('Waiting for the payment').waitFor();
    expect(await page.getByRole('timer').textContent()).toMatch(/^1[45]:\d\d$/);

    const client = service.state.clients[0]!;
    client.state = 'approved';
    service.state.invoices.get(client.id)!.state = 'paid';
    await page.getByText('The payment has arrived. Thank you.').waitFor(SOON);
    await page.getByText('Approved, but nothing can call yet: add an origin or a key.').waitFor();

    await type('Origin', 'https://walker.example');
    await press('Add origin');
    await page.getByText('https://walker.example was added. It waits for a review.').waitFor();
    await press('Create a key');
    await page.getByText('Not approved automatically: its nostr.json has no name _').waitFor();
    await press('Withdraw https://walker.example');
    await page.getByText('https://walker.example was withdrawn').waitFor();
    // The button disappears together with the request, so the focus moves to the message.
    await expect.poll(() => page.evaluate(() => document.activeElement!.textContent), SOON).toContain('was withdrawn');
    await type('Origin', 'https://proven.example');
    await press('Add origin');
    await page.getByText('Ready: 1 origin can call.').waitFor();
    await type('Key name', 'phone');
    await press('Create key');
    const key = await page.getByLabel('Key', { exact: true }).inputValue();
    expect(key).toMatch(/^zoe_/);
    await press('Start', 'Enter', true);
    await page.getByText('// on a page of https://proven.example').waitFor();
    await press('Native app');
    expect(await page.getByLabel('Example: Native app').textContent()).toContain(`Bearer ${key}`);
    await press('Try', 'Enter', true);
    await page.getByText('200: 2 GIFs for “gm”').waitFor();
    await press('Access', 'Enter', true);
    await press('I have saved the key. Hide it');
    expect(await page.content()).not.toContain(key);
    await press('Start', 'Enter', true);
    expect(await page.getByLabel('API key', { exact: true }).inputValue()).toBe('');

    await press('Settings', 'Enter', true);
    await type('Type its name to confirm', 'Walk');
    expect(await page.getByRole('button', { name: 'Delete permanently' }).isEnabled()).toBe(false);
    await type('Type its name to confirm', 'er', 'End');
    await press('Delete permanently');
    await page.getByText('You have no clients yet').waitFor();
    expect(service.state.clients).toEqual([]);
    await press('Sessions');
    await press('End the session of Firefox elsewhere');
    await page.getByText('Session ended').waitFor();
    await press('Sign out');
    await page.getByRole('heading', { name: 'Sign in with Nostr' }).waitFor();
  });

  it('shows the overview while the checks still run, and their findings later', async () => {
    window = await Window.open(browser);
    const { page, service } = window;
    const { state } = service;
    state.isOperator = true;
    const done = { ...state.health, findings: [{ check: 'work', state: 'note', message: 'late', items: [] }] };
    state.health = { ...state.health, checking: true, checkedAt: null, disk: null };
    await window.signIn(secretKey);
    await window.go('/review');
    await page.getByText('GIFs found by searches').waitFor();
    await page.getByText('Checking …').waitFor();
    expect(await page.getByText('No problems.').count()).toBe(0);
    state.health = done as typeof state.health;
    await page.getByText('Note: work').waitFor();
    expect(await page.getByText('Checking …').count()).toBe(0);
  });

  it('offers a new invoice if one has expired, and accepts a late payment', async () => {
    window = await Window.open(browser);
    await window.signIn(secretKey);
    const { state } = window.service;
    state.clients = [newClient(state, { name: 'Late' })];
    const { id } = state.clients[0]!;
    await window.go(`/clients/${id}/pay`);
    await window.page.getByText('Waiting for the payment').waitFor();
    const first = state.invoices.get(id)!;
    Object.assign(first, { state: 'unchecked', expiresAt: first.expiresAt - 900_000 });
    await window.page.getByText('has not confirmed whether you paid it').waitFor(SOON);
    first.state = 'expired';
    await window.page.getByText('This invoice has expired. If you have just paid it').waitFor(SOON);
    await window.page.getByRole('button', { name: 'Get a new invoice' }).click();
    await window.page.getByText('Waiting for the payment').waitFor();
    expect(await window.page.getByLabel('Invoice', { exact: true }).inputValue()).toBe(state.invoices.get(id)!.bolt11);
    expect(state.invoices.get(id)!.bolt11).not.toBe(first.bolt11);
    state.invoices.get(id)!.state = 'paid';
    state.clients[0]!.state = 'approved';
    await window.page.getByText('The payment has arrived').waitFor(SOON);
  });

  it('says what to do if no invoice can be created, if the service is away, and if nothing is left to pay', async () => {
    window = await Window.open(browser);
    await window.signIn(secretKey);
    const { page, service } = window;
    const { state } = service;
    const client = newClient(state, { name: 'Walker' });
    state.clients = [client];
    state.isWalletAway = true;
    await window.go(`/clients/${client.id}/pay`);
    await page.getByRole('alert').getByText('The wallet cannot create an invoice right now; try again soon').waitFor();
    state.isWalletAway = false;
    await page.getByRole('button', { name: 'Get an invoice' }).click();
    await page.getByText('Waiting for the payment').waitFor();
    expect(await page.getByRole('progressbar', { name: 'Time left to pay' }).evaluate(shareOf)).toBeGreaterThan(0.9);
    await window.context.setOffline(true);
    await page.getByText('The service is not responding. Your payment still counts.').waitFor(SOON);
    await window.context.setOffline(false);
    await page.getByText('Waiting for the payment').waitFor(SOON);
    client.state = 'approved';
    await page.reload();
    await page.getByText('Nothing is left to pay for Walker.').waitFor();
    Object.assign(state.site.fee, { sats: 0, provider: 'none' });
    state.invoices.clear();
    client.state = 'unpaid';
    await page.reload();
    await page.getByText('This service charges no fee any more.').waitFor();
  });

  it("measures the time that is left to pay with the service's clock", async () => {
    window = await Window.open(browser);
    const { page, service } = window;
    await window.signIn(secretKey);
    service.state.clients = [newClient(service.state, { name: 'Late' })];
    // The browser's clock is an hour ahead. An invoice is open for less than that.
    await page.clock.setFixedTime(Date.now() + 3_600_000);
    await window.go(`/clients/${service.state.clients[0]!.id}/pay`);
    await page.getByText('Waiting for the payment').waitFor();
    expect(await page.getByRole('timer').textContent()).toMatch(/^1[45]:\d\d$/);
  });

  it('makes the first user the operator, who enters the code from the terminal, and then shows the console', async () => {
    window = await Window.open(browser);
    const { page, service } = window;
    service.state.site = { ...service.state.site, reviewed: false, claimable: true };
    await window.signIn(secretKey);
    const consoleLink = page.getByRole('link', { name: 'Console' });
    expect(await consoleLink.count()).toBe(0);
    const form = page.getByRole('form', { name: 'Operate this service' });
    await form.getByLabel('Code from the terminal').fill('000 000');
    await form.getByRole('button', { name: 'Become the operator' }).click();
    await form.getByRole('alert').getByText('4 tries are left').waitFor();
    await form.getByLabel('Code from the terminal').fill(service.state.operatorCode);
    await page.keyboard.press('Enter');
    await consoleLink.waitFor();
    await page.getByRole('status').getByText('You now operate this service').waitFor();
    expect(await form.count()).toBe(0);
    await expect
      .poll(() => page.evaluate(() => document.activeElement!.textContent), SOON)
      .toContain('You now operate');
  });

  it('tells the payer of an unproven order not to pay again, and the operator to accept or refuse it', async () => {
    window = await Window.open(browser);
    const { page, service } = window;
    service.state.isOperator = true;
    await window.signIn(secretKey);
    const { state } = service;
    const order = { sats: 1000, provider: 'lnbits', expiresAt: Date.now(), paidAt: null, note: '' };
    const unpaid = ['First', 'Second'].map((name) => newClient(state, { name }));
    state.clients = unpaid;
    const [first, second] = unpaid.map(({ id }) => id) as [string, string];
    for (const id of [first, second]) {
      await window.go(`/clients/${id}/pay`);
      await page.getByText('Waiting for the payment').waitFor();
      state.invoices.get(id)!.state = 'unproven';
      await page.getByText('reports your payment, but gave no proof of it').waitFor(SOON);
      await page.getByText('Do not pay again.').waitFor();
      expect(await page.getByRole('button', { name: /invoice/ }).count()).toBe(0);
    }
    state.orders = [
      { ...order, id: 'one', clientId: first, state: 'unproven' },
      { ...order, id: 'two', clientId: second, state: 'disproven' },
    ];
    const other = await window.context.newPage();
    await other.goto(`${service.url}/dashboard/review/clients`);
    await other.getByText('set ZOETROPE_LIGHTNING_PROOF=optional').waitFor();
    await other.getByRole('button', { name: 'Refuse order two' }).click();
    await other.getByText('Order refused.').waitFor();
    await page.getByText('did not find your payment').waitFor(SOON);
    await page.getByRole('button', { name: 'Get a new invoice' }).waitFor();
    await window.go(`/clients/${first}/pay`);
    await page.getByText('Do not pay again.').waitFor();
    await other.getByRole('button', { name: 'Accept order one' }).click();
    await other.getByText('Order accepted.').waitFor();
    await page.getByText('The payment has arrived').waitFor(SOON);
    expect(state.clients.map((client) => client.state)).toEqual(['approved', 'unpaid']);
  });

  it('says on every page that a demonstration costs nothing', async () => {
    window = await Window.open(browser);
    const { page, service } = window;
    service.state.site.fee.provider = 'demo';
    const banner = page.getByRole('complementary', { name: 'Demonstration' }).getByText('Nothing is really paid');
    await window.go();
    await banner.waitFor();
    await window.signIn(secretKey);
    for (const path of ['/', '/register', '/sessions', '/nowhere']) {
      await window.go(path);
      await banner.waitFor();
    }
    service.state.site.fee.provider = 'lnbits';
    await window.go();
    await page.getByText('You have no clients yet').waitFor();
    expect(await banner.count()).toBe(0);
  });

  it('says that the service cannot be reached, and recovers with the network', async () => {
    window = await Window.open(browser);
    await window.signIn(secretKey);
    await window.context.setOffline(true);
    await window.page.getByRole('link', { name: 'Sessions' }).click();
    await window.page.getByRole('alert').getByText('cannot be reached').waitFor();
    await window.context.setOffline(false);
    await window.page.getByText('Signed-in browsers').waitFor();
  });

  it('opens a page in a new tab if the user asks for that, and in the same tab otherwise', async () => {
    window = await Window.open(browser);
    await window.signIn(secretKey);
    const { page, context } = window;
    const link = page.getByRole('link', { name: 'Sessions' });
    const opened = context.waitForEvent('page');
    await link.click({ modifiers: ['ControlOrMeta'] });
    await (await opened).waitForURL('**/dashboard/sessions');
    expect(new URL(page.url()).pathname).not.toContain('sessions');
    await link.click();
    await page.getByText('Signed-in browsers').waitFor();
    expect(context.pages()).toHaveLength(2);
  });

  it('returns to the sign-in page when the session has expired', async () => {
    window = await Window.open(browser);
    await window.signIn(secretKey);
    // The heading appears before the list is loaded.
    await window.page.getByText('You have no clients yet').waitFor();
    window.service.state.account = null;
    await window.page.getByRole('link', { name: 'Sessions' }).click();
    await window.page.getByText('Your session has ended').waitFor();
  });

  it('lets operators approve, reject with a reason, suspend and approve again', async () => {
    window = await Window.open(browser);
    const { page, service } = window;
    service.state.isOperator = true;
    await window.signIn(secretKey);
    const { state } = service;
    const client = newClient(state, { name: 'Walker', state: 'approved' });
    state.clients = [client];
    const asked = { createdAt: Date.now(), proof: null, clientId: client.id, clientName: 'Walker', homePage: '' };
    state.queue = [
      { id: 'one', kind: 'user-agent', value: 'Walker/*', ...asked },
      { id: 'two', kind: 'origin', value: 'https://walker.example', ...asked },
    ];
    const odd = { id: 'odd', clientId: 'gone', sats: 1000, provider: 'nwc', expiresAt: Date.now(), note: '' };
    state.orders = [{ ...odd, state: 'orphan', paidAt: Date.now() }];
    await page.getByRole('link', { name: 'Console' }).click();
    await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Queue 2 waiting' }).click();
    await page.getByRole('button', { name: 'Approve Walker/*' }).click();
    await page.getByText('Walker/* was approved').waitFor();
    await page.getByRole('button', { name: 'Reject https://walker.example' }).click();
    await page.getByText('Choose or write a reason above first').waitFor();
    await page.getByLabel('Reason for your decisions').fill('not yours');
    await page.getByRole('button', { name: 'Reject https://walker.example' }).click();
    await page.getByRole('status').getByText('https://walker.example was rejected').waitFor();
    await page.getByRole('button', { name: 'Reports and requests (0)' }).waitFor();
    await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Clients' }).click();
    await page.getByLabel('Note').fill('gave it back by hand');
    await page.getByRole('button', { name: 'Save note' }).click();
    await page.getByText('Note saved').waitFor();
    expect(state.orders[0]!.note).toBe('gave it back by hand');

    await page.getByLabel('Name, id, npub or origin').fill('Walk');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('link', { name: 'Walker' }).click();
    await page.getByLabel('Reason (shown to the owners)').fill('spam');
    await page.getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('suspended: spam').waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('active', { exact: true }).waitFor();
    await page.goto(`${service.url}/dashboard/clients/${client.id}/access`);
    await page.getByText('https://walker.example was rejected').waitFor();
  });

  it('lets operators search the audit log, page by page', async () => {
    window = await Window.open(browser);
    const { page, service } = window;
    service.state.isOperator = true;
    await window.signIn(secretKey);
    const at = Date.now();
    service.state.audit = Array.from({ length: 60 }, (_, n) => {
      const what =
        n === 59 ? { action: 'client create', clientName: '' } : { action: 'key create', clientName: 'Walker' };
      return { id: 60 - n, at, actor: n === 0 ? 'payment' : 'npub1x', clientId: 'c', subject: `${n}`, ...what };
    });
    await page.getByRole('link', { name: 'Console' }).click();
    await page
      .getByRole('navigation', { name: 'Console' })
      .getByRole('link', { name: /^Activity/ })
      .click();
    await page.getByRole('link', { name: 'Walker' }).first().waitFor();
    const rows = page.getByRole('row');
    expect(await rows.count()).toBe(51);
    await page.getByRole('button', { name: 'Show older' }).click();
    await page.getByText('Showing 10 more').waitFor();
    expect(await rows.count()).toBe(61);
    await page.getByText('(deleted)').waitFor();
    // Older entries are entries of the same search.
    await page.getByLabel('Action', { exact: true }).fill('key create');
    await page.keyboard.press('Enter');
    await expect.poll(() => rows.count(), SOON).toBe(51);
    await page.getByRole('button', { name: 'Show older' }).click();
    await page.getByText('Showing 9 more').waitFor();
    expect(await rows.count()).toBe(60);
    await page.getByLabel('Action', { exact: true }).fill('');
    await page.getByLabel('Actor').fill('payment');
    await page.getByRole('button', { name: 'Search' }).click();
    await expect.poll(() => rows.count(), SOON).toBe(2);
    await page.getByLabel('Action', { exact: true }).fill('client create');
    await page.keyboard.press('Enter');
    await page.getByText('No matching entries').waitFor();
  });

  it('links to the queue and the console only for operators, and to the uploads only for members', async () => {
    const common = ['Notices', 'Sessions'];
    for (const [n, { isOperator, isMember, links }] of [
      { isOperator: true, isMember: true, links: ['Clients', 'Queue', 'Console', 'Uploads', ...common] },
      { isOperator: false, isMember: true, links: ['Clients', 'Uploads', ...common] },
      { isOperator: false, isMember: false, links: ['Clients', ...common] },
    ].entries()) {
      if (n > 0) await window.close();
      window = await Window.open(browser);
      window.service.state.isOperator = isOperator;
      if (isMember) window.service.state.uploads = uploadsOf([]);
      await window.signIn(secretKey);
      const navigation = window.page.getByRole('navigation', { name: 'Dashboard' });
      expect(await navigation.getByRole('link').allInnerTexts()).toEqual(links);
    }
    for (const path of ['/uploads', '/review', '/review/catalogue', '/nowhere']) {
      await window.go(path);
      await window.page.getByRole('heading', { name: 'Page not found' }).waitFor();
      expect(await window.page.title()).toMatch(/^Not found · /);
      expect(await window.page.getByRole('navigation').allInnerTexts()).toHaveLength(1);
    }
  });

  it("lists a member's uploads with what became of them, and follows those that are being read", async () => {
    window = await Window.open(browser);
    const { page, service } = window;
    service.state.uploads = uploadsOf(['processing', 'waiting', 'accepted', 'refused']);
    await window.signIn(secretKey);
    await page.getByRole('link', { name: 'Uploads', exact: true }).click();
    await page.getByText('Used within 24 hours: 4 of 50 files, 4 kB of 200 MB.').waitFor();
    const upload = (n: number) => page.getByRole('listitem').filter({ hasText: String(n).repeat(12) });
    const texts = ['is being read', 'waits for a review', 'accepted', 'refused: too large'];
    for (const [n, text] of texts.entries()) {
      await upload(n).getByText(text).waitFor();
      // A file can be deleted unless it is being read, and has a picture unless it was refused.
      expect(await upload(n).getByRole('button', { name: 'Remove' }).count()).toBe(n === 0 ? 0 : 1);
      expect(await upload(n).locator('img').count()).toBe(n === 1 || n === 2 ? 1 : 0);
    }
    service.state.uploads = uploadsOf(['refused', 'waiting', 'accepted', 'refused']);
    await upload(0).getByText('refused: too large').waitFor();
  });

  it('shows how much of a backup and of a download is done, if that is known', async () => {
    window = await Window.open(browser);
    const { page, service } = window;
    const { state } = service;
    state.isOperator = true;
    await window.signIn(secretKey);
    const task = { startedAt: 0, phase: 'originals', done: 12, total: 1_234 };
    state.backing = { folder: '/backups', running: { subject: '/backups/today', ...task } };
    await window.go('/review/backups');
    const status = page.getByRole('status').filter({ hasText: ', since ' });
    await status.getByText('Copying originals: 12 of 1,234').waitFor();
    expect(await status.getByRole('progressbar').getAttribute('max')).toBe('1234');
    state.backing.running = { subject: '/backups/today', ...task, phase: '', done: 0, total: null };
    await page.reload();
    await status.waitFor();
    expect(await status.innerText()).toMatch(/^\/backups\/today, since [^.]+\.$/);
    expect(await status.getByRole('progressbar').count()).toBe(0);
    state.languages = {
      ...state.languages,
      pulling: { subject: 'a model', ...task, phase: 'model', done: 7, total: null },
    };
    await window.go('/review/languages');
    await status.getByText('Downloading the model, MB: 7').waitFor();
  });

  it('accepts and declines invitations', async () => {
    window = await Window.open(browser);
    await window.signIn(secretKey);
    const { state } = window.service;
    state.invitations = [
      { id: 'a', clientId: 'x', clientName: 'Wanted', createdAt: Date.now() },
      { id: 'b', clientId: 'y', clientName: 'Unwanted', createdAt: Date.now() },
    ];
    await window.page.reload();
    await window.page.getByRole('button', { name: 'Decline Unwanted' }).click();
    await window.page.getByText('Invitation declined.').waitFor();
    await window.page.getByRole('button', { name: 'Accept Wanted' }).click();
    await window.page.getByRole('link', { name: 'Wanted' }).waitFor();
  });
});

function shareOf(bar: Element): number {
  return (bar as HTMLProgressElement).position;
}

/** Returns uploads in these states, whose hashes consist of their numbers. */
function uploadsOf(states: readonly MemberUpload['state'][]): MemberUploads {
  const uploads = states.map((state, n) => ({
    ...{ sha256: String(n).repeat(64), bytes: 1_000, format: 'gif' as const, at: 0, state },
    reason: state === 'refused' ? 'too large' : '',
  }));
  const used = { files: uploads.length, bytes: 1_000 * uploads.length };
  return { uploads, used, quota: { files: 50, bytes: 200_000_000 }, maxFileBytes: 25_000_000 };
}

/** Reaches everything by Tab, like a user without a mouse. */
function keyboardOf({ page }: Window) {
  async function reach(name: string, exact: boolean): Promise<void> {
    const target = page
      .getByRole('button', { name, exact })
      .or(page.getByRole('link', { name, exact }))
      .or(page.getByRole('checkbox', { name, exact }))
      .or(page.getByRole('textbox', { name, exact }));
    await target.first().waitFor();
    for (let presses = 0; presses < 120; presses++) {
      await page.keyboard.press('Tab');
      if (await target.first().evaluate((element) => element === document.activeElement)) return;
    }
    throw new Error(`Tab does not reach ${name}`);
  }
  return {
    async press(name: string, key = 'Enter', exact = false): Promise<void> {
      await reach(name, exact);
      await page.keyboard.press(key);
    },
    async type(name: string, text: string, before?: string): Promise<void> {
      await reach(name, true);
      if (before) await page.keyboard.press(before);
      await page.keyboard.type(text);
    },
  };
}
