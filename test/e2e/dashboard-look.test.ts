import { generateSecretKey } from 'nostr-tools/pure';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parts } from '../support/parts.ts';
import { violations } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { Window } from './dashboard.ts';
import { fill } from './full-dashboard.ts';

const WIDTHS = [320, 1280];
const SCHEMES = ['light', 'dark'] as const;

describe.skipIf(!parts.chromium)('the dashboard', () => {
  let browser: Browser;
  let window: Window;
  const hosts = new Set<string>();

  beforeAll(async () => {
    browser = await launchBrowser();
    window = await Window.open(browser, { relays: ['wss://relay.example/'] });
    window.page.on('request', (request) => hosts.add(new URL(request.url()).host));
    await window.page.routeWebSocket('wss://relay.example/', () => {});
    window.service.state.isOperator = true;
    window.service.state.site.fee.provider = 'demo';
    await window.go();
  });

  afterAll(async () => {
    await window?.close();
    await browser?.close();
  });

  it('has an accessible sign-in page, with a QR code', async () => {
    await window.page.getByRole('button', { name: 'Show QR code' }).click();
    await window.page.getByRole('img', { name: 'QR code for your signer' }).waitFor();
    await window.page.getByText('No extension found').waitFor();
    await expectGood(window.page);
  });

  it('has accessible pages, empty and full', async () => {
    await window.signIn(generateSecretKey());
    const { page, service } = window;
    const { state } = service;
    await expectGood(page);
    const walker = fill(window);
    const unpaid = state.clients[1]!;

    await window.go();
    await page.getByRole('link', { name: 'Walker' }).waitFor();
    await expectGood(page);
    await window.go('/register');
    await page.getByLabel('Name', { exact: true }).fill('W'.repeat(100));
    await expectGood(page);
    await window.go(`/clients/${unpaid.id}/pay`);
    await page.getByText('Waiting for the payment').waitFor();
    await expectGood(page);
    state.invoices.get(unpaid.id)!.state = 'unproven';
    await page.getByText('gave no proof of it').waitFor();
    await expectGood(page);
    await window.go(`/clients/${walker.id}`);
    await page.getByText('in the last 30 days, the latest').waitFor();
    await expectGood(page);
    await window.go(`/clients/${unpaid.id}`);
    await page.getByRole('link', { name: 'Pay the fee' }).waitFor();
    await expectGood(page);
    await window.go(`/clients/${walker.id}/people`);
    await page.getByText('invited').first().waitFor();
    await expectGood(page);
    await window.go(`/clients/${walker.id}/settings`);
    await page.getByLabel('Type its name').waitFor();
    await expectGood(page);
    await window.go(`/clients/${walker.id}/access`);
    await page.getByLabel('Key name').fill('phone');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('the only time').waitFor();
    await page.getByLabel('Origin', { exact: true }).fill('capacitor://localhost');
    await expectGood(page);
    await page.getByRole('button', { name: 'Rotate phone' }).click();
    await expectGood(page);
    await page.getByRole('button', { name: 'Revoke phone' }).click();
    await expectGood(page);
    await window.go(`/clients/${walker.id}/usage`);
    // All requests are older than the shown days.
    await page.getByRole('img', { name: 'Requests per day' }).waitFor();
    await page.getByText('Show as a table').click();
    await expectGood(page);
    await window.go('/review');
    await page.getByText('Needs attention').waitFor();
    await page.getByText('1 check passed').click();
    await page.getByText('Show as a table').click();
    await page.getByText('99th percentile 250 ms').first().waitFor();
    await expectGood(page);
    await window.go('/review/catalogue');
    await page.getByText('Add GIFs', { exact: true }).click();
    await page.locator('.tile input').first().check();
    await page.getByText('1 selected').waitFor();
    await expectGood(page);
    await window.go('/review/jobs');
    await page.getByText('running, 12 left').waitFor();
    await expectGood(page);
    await page.getByRole('button', { name: 'Pause gifs' }).click();
    await page.getByText('paused, 12 left').waitFor();
    await page.getByRole('button', { name: 'Continue gifs' }).click();
    await page.getByText('running, 12 left').waitFor();
    await window.go('/review/jobs/2');
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('paused, 12 left').waitFor();
    await expectGood(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('running, 12 left').waitFor();
    await window.go('/review/jobs/1');
    await page.getByRole('heading', { name: 'Refused' }).waitFor();
    await expectGood(page);
    await window.go('/review/sources');
    await page.getByText('900 of 1,000 taken, 100 were known already').first().waitFor();
    await page.getByText('It has 1,234 GIFs').waitFor();
    await page.getByRole('region', { name: 'Members' }).getByText('1,234').waitFor();
    await page.getByRole('button', { name: 'Stop following wss://' }).click();
    await page.getByRole('dialog').getByText('Its GIFs are kept').waitFor();
    await expectGood(page);
    await page.keyboard.press('Escape');
    await expectGood(page);
    await window.go('/review/builds');
    await page.getByText('part of the current build').waitFor();
    await expectGood(page);
    await window.go('/review/backups');
    await page.getByText('failed: ').waitFor();
    await expectGood(page);
    await window.go('/review/languages');
    await page.getByRole('button', { name: 'Remove deu-eng' }).waitFor();
    await expectGood(page);
    await window.go('/review/settings');
    await page.getByText('ZOETROPE_DATA').waitFor();
    await expectGood(page);
    await window.go('/review/clients');
    await page.getByText('No longer verified').waitFor();
    await expectGood(page);
    await window.go(`/review/clients/${walker.id}`);
    await page.getByText('client approve').waitFor();
    await expectGood(page);
    await window.go('/review/audit');
    await page.getByText('client approve').first().waitFor();
    await expectGood(page);
    await window.go('/review/queue');
    await page.getByRole('button', { name: 'Reject Walker/*' }).waitFor();
    await page.getByRole('button', { name: 'Edit …' }).click();
    await page.getByText('History (1)').click();
    await expectGood(page);
    await page.getByRole('button', { name: 'Keys' }).click();
    await expectGood(page);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Approve Walker/*' }).click();
    await page.locator('.settled').waitFor();
    await expectGood(page);
    await window.go('/review/gifs/long.gif');
    await page.getByRole('article').waitFor();
    await expectGood(page);
    await window.go('/sessions');
    await page.getByText('Signed-in browsers').waitFor();
    await expectGood(page);
    await window.go('/nowhere');
    await page.getByText('Page not found').waitFor();
    await expectGood(page);
    await window.go('/clients/unknown');
    await page.getByRole('alert').getByText('There is no such client').waitFor();
    await expectGood(page);
  });

  it('sends no requests to another host', () => {
    expect([...hosts]).toEqual([new URL(window.service.url).host]);
  });
});

/** Expects no axe violations and no horizontal overflow, in light and dark, narrow and wide. */
async function expectGood(page: Page): Promise<void> {
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      const where = `${new URL(page.url()).pathname} ${colorScheme} ${width}`;
      expect(await violations(page), where).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), where).toBeLessThanOrEqual(width);
    }
  }
}
