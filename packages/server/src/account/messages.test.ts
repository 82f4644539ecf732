import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../platform/db/index.ts';
import { Browser } from './testing/browser.ts';
import { PUBLIC_URL, startDashboard } from './testing/service.ts';

/** Starts the dashboard with a key for messages, or without one, and signs in. */
async function signedIn(nostrKey: string): Promise<Browser> {
  const db = openDatabase(':memory:');
  const service = await startDashboard(db, { nostrKey });
  onTestFinished(async () => {
    await service.stop();
    await db.destroy();
  });
  const browser = new Browser(service.url, PUBLIC_URL);
  expect((await browser.signIn()).status).toBe(200);
  return browser;
}

test('owners turn messages on and off, and see who sends them', async () => {
  const owner = await signedIn('1'.repeat(64));
  expect((await owner.ask('GET /site')).body.messenger).toMatch(/^npub1/);
  expect((await owner.ask('GET /account')).body.messages).toBe(false);
  for (const messages of [true, true, false]) {
    expect((await owner.ask('PATCH /account', { messages })).body).toMatchObject({ messages, pubkey: owner.pubkey });
    expect((await owner.ask('GET /account')).body.messages).toBe(messages);
  }
});

test('messages cannot be turned on in a service without a key', async () => {
  const owner = await signedIn('');
  expect((await owner.ask('GET /site')).body.messenger).toBe('');
  expect(await owner.ask('PATCH /account', { messages: true })).toMatchObject({ status: 409 });
  expect(await owner.ask('PATCH /account', { messages: false })).toMatchObject({ status: 200 });
});
