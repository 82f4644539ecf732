import { ACCOUNT_BASE, ACCOUNT_ROUTES, type AccountRoute } from '@zoetrope/contract/account';
import { generateSecretKey } from 'nostr-tools/pure';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parts } from '../support/parts.ts';
import { launchBrowser } from './browser.ts';
import { Window } from './dashboard.ts';
import { fill } from './full-dashboard.ts';

const OPERATORS = 'queue clients jobs jobs/1 catalogue sources builds backups languages audit gifs/long.gif';

/** The changes that no button and no check box of these pages sends. */
const ELSEWHERE: readonly AccountRoute[] = [
  ...(['challenge', 'login', 'readNotices', 'createInvoice'] as const),
  ...(['uploadOwn', 'uploadFile', 'uploadAddress', 'undoMany'] as const),
];

describe.skipIf(!parts.chromium)('the dashboard', () => {
  let browser: Browser;
  let window: Window;

  beforeAll(async () => {
    browser = await launchBrowser();
    window = await Window.open(browser);
  });

  afterAll(async () => {
    await window?.close();
    await browser?.close();
  });

  it('shows why the service has refused a change, for each change that a user can make', async () => {
    const { page } = window;
    const paths = await fillPages(window);
    const refused = await refuseChanges(page);
    for (const path of paths) {
      await window.go(path);
      await page.waitForLoadState('networkidle');
      for (let before = refused.length; await pressNext(page); before = refused.length) {
        if (refused.length > before) await page.locator('[role=alert]', { hasText: refused.at(-1)! }).waitFor();
      }
    }
    const changes = Object.entries(ACCOUNT_ROUTES).filter(([, template]) => !template.startsWith('GET '));
    const missed = changes.filter(([, template]) => {
      const pattern = new RegExp(`: ${template.replace(/:\w+/g, '[^/]+')}$`);
      return !refused.some((refusal) => pattern.test(refusal));
    });
    expect(missed.map(([route]) => route).toSorted()).toEqual(ELSEWHERE.toSorted());
  });
});

/** Refuses every change. @returns the messages, each with a number, the method and the path, in order */
async function refuseChanges(page: Page): Promise<readonly string[]> {
  const refused: string[] = [];
  await page.route(`**${ACCOUNT_BASE}/**`, (route) => {
    const request = route.request();
    if (request.method() === 'GET') return route.continue();
    const { pathname } = new URL(request.url());
    const message = `Refusal ${refused.length + 1}: ${request.method()} ${pathname.slice(ACCOUNT_BASE.length)}`;
    refused.push(message);
    return route.fulfill({ status: 400, json: { error: { code: 'validation', message } } });
  });
  await watchRequests(page);
  return refused;
}

/** Fills the pages so that they have all controls. @returns the paths of the pages */
async function fillPages(window: Window): Promise<string[]> {
  const { state } = window.service;
  const at = Date.now();
  state.isOperator = true;
  const file = { sha256: '0'.repeat(64), bytes: 1_000, format: 'gif' as const, at };
  state.uploads = {
    uploads: [{ ...file, state: 'accepted', reason: '' }],
    ...{ used: { files: 1, bytes: 1_000 }, quota: { files: 50, bytes: 1e9 }, maxFileBytes: 1e6 },
  };
  await window.signIn(generateSecretKey());
  const walker = fill(window);
  const { npub } = state.account!;
  walker.name = 'Walker';
  walker.terms = { version: 'old', acceptedAt: at };
  walker.keys = [{ id: 'k', name: 'phone', createdAt: at, lastUsedAt: null, expiresAt: null }];
  walker.owners = [...walker.owners, { id: 'second', pubkey: 'f'.repeat(64), npub: 'npub1second', createdAt: at }];
  state.site = { ...state.site, claimable: true, messenger: npub };
  const asked = { clientId: walker.id, clientName: walker.name, origin: 'https://own.example' };
  state.handovers = [{ id: 'h', ...asked, npub, owners: [npub], createdAt: at }];
  const [running] = state.imports;
  state.imports = [{ ...running!, id: 3, sources: ['/srv/others'], paused: true }, ...state.imports];
  state.backing = { ...state.backing, running: null };
  const [first] = state.languages.models;
  const unused = { ...first!, name: 'unused', inUse: false };
  state.languages = { ...state.languages, models: [...state.languages.models, unused] };
  const former = { ...state.builds.builds[1]!, build: 'b23456789abcd' };
  state.builds = { ...state.builds, builds: [...state.builds.builds, former] };
  const suspended = state.clients.find(({ state }) => state === 'suspended')!;
  return [
    ...['/', '/register', '/uploads', '/notices', '/sessions'],
    ...['/access', '/people', '/settings'].map((tab) => `/clients/${walker.id}${tab}`),
    ...['/review', ...OPERATORS.split(' ').map((name) => `/review/${name}`)],
    ...[walker, suspended].map(({ id }) => `/review/clients/${id}`),
  ];
}

interface Watched {
  /** Number of requests that have no response yet. */
  open: number;
  /** Names of the controls that were pressed. */
  pressed: Set<string>;
}

/** Lets `pressNext` know when all requests of a page have ended. */
async function watchRequests(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const watched: Watched = { open: 0, pressed: new Set() };
    const { fetch } = window;
    Object.assign(window, {
      watched,
      fetch: (...request: Parameters<typeof fetch>) => {
        watched.open += 1;
        return fetch(...request).finally(() => (watched.open -= 1));
      },
    });
  });
}

/**
 * Fills in all empty fields, and presses a button or a checkbox that was not pressed before. Waits for the responses.
 * @returns false if there is none
 */
function pressNext(page: Page): Promise<boolean> {
  return page.evaluate(async () => {
    const { watched } = window as unknown as { watched: Watched };
    const pause = () => new Promise((resolve) => setTimeout(resolve));
    for (const details of document.querySelectorAll('main details')) details.setAttribute('open', '');
    for (const field of document.querySelectorAll<HTMLInputElement>('main input')) {
      if (field.value !== '' || field.readOnly || field.type === 'file') continue;
      if (field.type === 'number') field.value = '7';
      else field.value = field.type === 'url' || field.name === 'origin' ? 'https://new.example' : 'Walker';
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }
    await pause();
    const nameOf = (control: HTMLElement) =>
      control.ariaLabel ??
      (control.textContent!.trim() || (control as HTMLInputElement).labels?.[0]?.textContent) ??
      '';
    // Tabs and the check boxes of single GIFs are left alone, because they would take other controls away.
    const [buttons, boxes] = ['button:enabled:not([aria-pressed])', 'input[type=checkbox]:not([data-id])'];
    const controls = document.querySelectorAll<HTMLElement>(`main ${buttons}, main ${boxes}`);
    const control = [...controls].find((one) => !watched.pressed.has(nameOf(one)));
    if (control === undefined) return false;
    watched.pressed.add(nameOf(control));
    control.click();
    do await pause();
    while (watched.open > 0);
    return true;
  });
}
