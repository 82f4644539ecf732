import type { NostrConnectProvider } from 'applesauce-signers';
import { finalizeEvent, generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { qrModules } from '../../packages/dashboard/testing/qr-modules.ts';
import { parts } from '../support/parts.ts';
import { freePort, temporaryFolder } from '../support/server.ts';
import { launchBrowser } from './browser.ts';
import { SOON, Window } from './dashboard.ts';
import { Meeting, RELAY_HOST } from './signers.ts';

describe.skipIf(!(parts.chromium && parts.openssl))('signing in with a remote signer', () => {
  const folder = temporaryFolder();
  const userKey = generateSecretKey();
  const bunkers: NostrConnectProvider[] = [];
  let browser: Browser;
  let meeting: Meeting;
  let window: Window;

  beforeAll(async () => {
    [browser, meeting] = await Promise.all([launchBrowser(RELAY_HOST), Meeting.start(folder.path)]);
  });

  afterEach(async () => {
    for (const bunker of bunkers.splice(0)) await bunker.stop();
    await window.close();
  });

  afterAll(async () => {
    await browser?.close();
    await meeting?.stop();
    folder[Symbol.dispose]();
  });

  async function open(): Promise<void> {
    window = await Window.open(browser, { relays: [meeting.url], ignoreHTTPSErrors: true });
    await window.go();
  }

  /** Starts a bunker that runs another project's code. Also returns its URL. */
  async function startBunker(
    ...[options]: Parameters<Meeting['bunker']> extends [unknown, ...infer Rest] ? Rest : never
  ) {
    const bunker = meeting.bunker(userKey, { bunkerSecret: 'once', ...options });
    bunkers.push(bunker);
    await bunker.start();
    const pubkey = await bunker.signer.getPublicKey();
    return `bunker://${pubkey}?relay=${encodeURIComponent(meeting.url)}&secret=once`;
  }

  async function enter(address: string): Promise<void> {
    await window.page.getByLabel('From your signer').fill(address);
    await window.page.getByRole('button', { name: 'Sign in with bunker' }).click();
  }

  const isIn = () => window.page.getByRole('heading', { name: 'Your clients', exact: true }).waitFor(SOON);
  const alert = (text: string) => window.page.getByRole('alert').getByText(text).waitFor(SOON);
  const status = (text: string) => window.page.getByRole('status').getByText(text).waitFor(SOON);

  it('works with a bunker URL, as the user and not as the bunker', async () => {
    const asked: number[] = [];
    const left: string[] = [];
    const address = await startBunker({
      onSignEvent: ({ kind }) => asked.push(kind) > 0,
      onLogout: (client) => void left.push(client),
    });
    await open();
    await enter(address);
    await isIn();
    expect(window.service.logins.map(({ pubkey }) => pubkey)).toEqual([getPublicKey(userKey)]);
    expect(asked).toEqual([27_235]);
    await vi.waitUntil(() => left.length === 1, SOON);
  });

  it('works with a QR code, and requests one permission', async () => {
    const permissions: string[][] = [];
    await open();
    await window.page.getByRole('button', { name: 'Show QR code' }).click();
    await window.page.getByRole('img', { name: 'QR code for your signer' }).waitFor();
    const uri = await window.page.getByRole('link', { name: 'Open in a signer' }).getAttribute('href');
    expect(uri).toMatch(/^nostrconnect:\/\/[0-9a-f]{64}\?/);

    // Somebody who reads the relay's events, but has not seen the QR code, does not know the secret.
    const client = new URL(uri!).host;
    // Messages that are sent before the page listens are lost. Nobody scans a code that fast.
    await vi.waitUntil(() => meeting.relay.awaited.has(client), SOON);
    await meeting.say(generateSecretKey(), client, { id: 'x', result: 'a wrong secret' });
    expect(await window.page.getByRole('img', { name: 'QR code for your signer' }).isVisible()).toBe(true);

    const bunker = meeting.bunker(userKey, { onConnect: (_, asked) => permissions.push(asked) > 0 });
    bunkers.push(bunker);
    await bunker.start(uri!);
    await isIn();
    expect(permissions).toEqual([['sign_event:27235']]);
    expect(window.service.logins.map(({ pubkey }) => pubkey)).toEqual([getPublicKey(userKey)]);
  });

  it.each(['light', 'dark'] as const)(
    'shows a QR code of the link that cameras can read, on a %s page',
    async (scheme) => {
      await open();
      const { page } = window;
      await page.emulateMedia({ colorScheme: scheme });
      await page.getByRole('button', { name: 'Show QR code' }).click();
      const picture = await page.getByRole('img', { name: 'QR code for your signer' }).screenshot();
      const uri = await page.getByRole('link', { name: 'Open in a signer' }).getAttribute('href');
      const modules = qrModules(uri!);
      // The corners of the picture are round, so its outermost modules do not count.
      const inner = (rows: boolean[][]) => rows.slice(1, -1).map((row) => row.slice(1, -1));
      expect(inner(await darkModules(picture, modules.length))).toEqual(inner(modules));
    },
  );

  it('shows why a bunker refused, and clears the field, because a secret works only once', async () => {
    const address = await startBunker();
    await open();
    await enter(address.replace('secret=once', 'secret=guessed'));
    await alert('Invalid connection secret');
    // The error is shown only beside the sign-in method that failed.
    expect(await window.page.getByRole('alert').count()).toBe(1);
    expect(await window.page.getByLabel('From your signer').inputValue()).toBe('');
    await enter(await startBunker({ onSignEvent: () => false }));
    await alert('Sign event denied');
    expect(window.service.logins).toEqual([]);
  });

  it('rejects a URL without a relay that pages can reach', async () => {
    await open();
    for (const address of [
      'npub1x',
      `bunker://${'a'.repeat(64)}`,
      `bunker://${'a'.repeat(64)}?relay=ws://relay.example`,
      `bunker://${'f'.repeat(64)}?relay=wss://relay.example`,
    ]) {
      await enter(address);
      await alert('This is not a bunker URL');
    }
  });

  it('shows an error if relays cannot be reached', async () => {
    const nowhere = `wss://${RELAY_HOST}:${await freePort()}/`;
    window = await Window.open(browser, { relays: [nowhere] });
    await window.go();
    await window.page.getByRole('button', { name: 'Show QR code' }).click();
    await alert('The relays used to reach your signer are unavailable');
    await enter(`bunker://${getPublicKey(userKey)}?relay=${encodeURIComponent(nowhere)}`);
    await alert('its relays cannot be reached');
  });

  it('sends nothing if a bunker signed something else', async () => {
    await open();
    await enter(
      await startBunker({
        upstream: {
          getPublicKey: async () => '',
          signEvent: async (template) => finalizeEvent({ ...template, kind: 1 }, userKey),
        },
      }),
    );
    await alert('signed something other than');
    await enter(
      await startBunker({
        upstream: {
          getPublicKey: async () => '',
          signEvent: async (template) =>
            finalizeEvent({ ...template, tags: [['u', 'https://evil.example/']] }, userKey),
        },
      }),
    );
    await alert('signed something other than');
    expect(window.service.logins).toEqual([]);
  });

  it('gives up on a silent bunker after a minute, or when the user cancels', async () => {
    window = await Window.open(browser, { relays: [meeting.url], ignoreHTTPSErrors: true });
    await window.page.clock.install({ time: Date.now() });
    await window.go();
    // The bunker's response only shows that the page's request was delivered.
    const silent = meeting.hostileBunker(() => ({ result: 'auth_url', error: 'https://auth.example/' }));
    const delivered = () => window.page.getByRole('link', { name: 'asks you to open' }).waitFor(SOON);
    await enter(silent);
    await delivered();
    // The clock also runs on by itself, so a little more time can pass than the test adds.
    await window.page.clock.fastForward(30_000);
    expect(await window.page.getByRole('alert').count()).toBe(0);
    await window.page.clock.fastForward(30_000);
    await alert('did not answer within 60 s');
    await enter(silent);
    await delivered();
    await window.page.getByRole('button', { name: 'Cancel' }).click();
    await window.page.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached' });
    expect(await window.page.getByRole('button', { name: 'Sign in with bunker' }).isEnabled()).toBe(true);
    expect(await window.page.getByRole('alert').count()).toBe(0);
  });

  it('shows a link that the signer sends, but only if it is https', async () => {
    await open();
    for (const address of ['javascript:alert(1)', 'http://auth.example/', 'data:text/html,x']) {
      let told = 0;
      await enter(
        meeting.hostileBunker(() => {
          told++;
          return { result: 'auth_url', error: address };
        }),
      );
      await vi.waitUntil(() => told === 1, SOON);
      await status('Waiting for your signer');
      expect(await window.page.getByRole('link', { name: 'asks you to open' }).count()).toBe(0);
      await window.page.getByRole('button', { name: 'Cancel' }).click();
      await window.page.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached' });
    }
    await enter(meeting.hostileBunker(() => ({ result: 'auth_url', error: 'https://auth.example/allow' })));
    const link = window.page.getByRole('link', { name: 'asks you to open auth.example' });
    await link.waitFor(SOON);
    expect(await link.getAttribute('href')).toBe('https://auth.example/allow');
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
  });
});

/** Reads the middle of each module of a QR code with `size` rows. @returns the rows. Dark modules are true */
async function darkModules(picture: Buffer, size: number): Promise<boolean[][]> {
  const { data, info } = await sharp(picture).greyscale().raw().toBuffer({ resolveWithObject: true });
  const at = (n: number, length: number) => Math.floor(((n + 0.5) * length) / size);
  const rows = Array.from({ length: size }, (_, n) => n);
  return rows.map((y) =>
    rows.map((x) => data[(at(y, info.height) * info.width + at(x, info.width)) * info.channels]! < 64),
  );
}
