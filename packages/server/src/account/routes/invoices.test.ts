import type { Invoice } from '@zoetrope/contract/account';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '../../platform/db/index.ts';
import type { Payments } from '../payments.ts';
import { Browser } from '../testing/browser.ts';
import { PUBLIC_URL, startDashboard } from '../testing/service.ts';

test('only a client that must still pay gets an invoice', async () => {
  const db = openDatabase(':memory:');
  onTestFinished(() => db.destroy());
  const createInvoice = vi.fn<Payments['createInvoice']>(async () => ({ id: 'i' }) as Invoice);
  const payments = { fee: () => ({ sats: 1_000, provider: 'test' }), createInvoice } as unknown as Payments;
  const admins = new Set<string>();
  const service = await startDashboard(db, { payments, admins });
  onTestFinished(() => service.stop());
  const [owner, operator] = [new Browser(service.url, PUBLIC_URL), new Browser(service.url, PUBLIC_URL)];
  for (const person of [owner, operator]) await person.signIn();
  admins.add(operator.pubkey);
  const termsVersion = (await owner.ask('GET /site')).body.terms.version;
  const details = { name: 'Wisp', description: '', homePage: '', contact: '', termsVersion };
  const clientId = (await owner.ask('POST /clients', details)).body.id;
  const pay = () => owner.ask(`POST /clients/${clientId}/invoice`);
  expect(await pay()).toMatchObject({ status: 200, body: { id: 'i' } });
  expect(createInvoice).toHaveBeenCalledExactlyOnceWith({ clientId, pubkey: owner.pubkey });
  for (const decision of ['approve', 'suspend']) {
    const reason = { reason: 'No attribution' };
    const decided = await operator.ask(
      `POST /review/clients/${clientId}/${decision}`,
      decision === 'approve' ? {} : reason,
    );
    expect(decided.status).toBe(200);
    expect(await pay()).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
  }
  expect(createInvoice).toHaveBeenCalledOnce();
});
