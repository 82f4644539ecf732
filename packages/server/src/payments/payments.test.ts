import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createClient, deleteClient, findClient } from '../clients/index.ts';
import { listNotices } from '../notices/index.ts';
import type { Database } from '../platform/db/index.ts';
import { ENGINES, type Engine } from '../platform/testing/engines.ts';
import { listAudit, registryMigrations } from '../registry/index.ts';
import { checkInvoice } from './invoice.ts';
import { checkProvider, Payments } from './payments.ts';
import type { LightningProvider } from './provider.ts';
import { openNwc } from './providers/nwc.ts';
import { paymentMigrations, tables } from './tables.ts';
import { startWallet, type TestWallet } from './testing/wallet.ts';

const CONFIG = { feeSats: 1_000, network: 'regtest', proof: 'required' } as const;
const PUBKEY = 'a'.repeat(64);
const LONG = 120_000;
const log = pino({ level: 'silent' });

let wallet: TestWallet;
beforeAll(async () => {
  wallet = await startWallet();
});
afterAll(() => wallet.stop());

describe.each(ENGINES)('orders in $name', ({ start }) => {
  describe('over a wallet with a real node', () => {
    let engine: Engine;
    let db: Database;
    let clientId: string;
    /** Milliseconds by which the clock for orders is ahead of the system's clock. */
    let ahead: number;
    let open: Payments[] = [];
    const clock = { now: () => Date.now() + ahead };

    beforeAll(async () => {
      engine = await start();
    });
    afterAll(() => engine.stop());
    beforeEach(async () => {
      ahead = 0;
      Object.assign(wallet.mood, {
        lies: false,
        timesOnly: false,
        unsettledAt: null,
        silent: false,
        busy: false,
        notifies: true,
        factor: 1,
      });
      db = await engine.open({
        '1': registryMigrations.registry,
        '2': registryMigrations.details,
        '21': registryMigrations.auditOwners,
        '22': registryMigrations.keyExpiry,
        '23': registryMigrations.notices,
        '24': registryMigrations.clientLimits,
        '3': paymentMigrations.orders,
        '4': paymentMigrations.reservations,
      });
      clientId = await register([PUBKEY]);
    });
    afterEach(async () => {
      await Promise.all(open.map((payments) => payments.close()));
      open = [];
      await db.destroy();
    });

    async function register(pubkeys: string[] = []): Promise<string> {
      const wanted = { name: 'Wisp', state: 'unpaid' as const, pubkeys, origins: [] };
      return (await createClient(db, { actor: 'a test', now: 1 }, wanted)).id;
    }

    const notices = async () => (await listNotices(db, PUBKEY)).map(({ text }) => text);

    function openPayments(change = (provider: LightningProvider) => provider): Payments {
      const provider = change(openNwc({ url: wallet.url, allowSpending: false }));
      const payments = new Payments({ config: CONFIG, provider, db, clock, log });
      open.push(payments);
      return payments;
    }

    const invoiceOf = (payments: Payments) => payments.createInvoice({ clientId, pubkey: PUBKEY });
    const stateOf = async (id = clientId) => (await findClient(db, id)).state;
    const becomes = (state: string) => vi.waitFor(async () => expect(await stateOf()).toBe(state), { timeout: LONG });
    /** Returns the number of times that a payment has approved the client. */
    const activations = async () =>
      (await listAudit(db, clientId)).filter(
        ({ action, subject }) => action === 'order paid' && subject.endsWith(': unpaid to approved'),
      ).length;

    test('are paid once, despite a notification and several look-ups', async () => {
      const payments = openPayments();
      const { bolt11, qr, state, sats } = await invoiceOf(payments);
      expect({ state, sats }).toEqual({ state: 'open', sats: 1_000 });
      expect(bolt11).toMatch(/^lnbcrt/);
      expect(qr).toMatch(/^<svg/);
      expect(await stateOf()).toBe('unpaid');
      expect(wallet.pay(bolt11)).toBe(true);
      await Promise.all([payments.look(), payments.look(), becomes('approved')]);
      ahead = 3_000;
      await payments.look();
      expect(await activations()).toBe(1);
      expect((await payments.latestInvoice(clientId))?.state).toBe('paid');
    });

    test('are paid when the wallet notifies the service, even if no look-up is due', async () => {
      // The clock stands still, so no order is due again after its first look-up.
      const still = vi.spyOn(clock, 'now').mockReturnValue(Date.now());
      onTestFinished(() => still.mockRestore());
      const payments = openPayments();
      const { bolt11 } = await invoiceOf(payments);
      await payments.look();
      expect(wallet.pay(bolt11)).toBe(true);
      await becomes('approved');
    });

    test('are not settled only because a wallet claims it', async () => {
      const payments = openPayments();
      await invoiceOf(payments);
      wallet.mood.lies = true;
      const { lookup_invoice: before = 0 } = wallet.calls;
      ahead = 3_000;
      await payments.look();
      await vi.waitUntil(() => (wallet.calls['lookup_invoice'] ?? 0) > before, { timeout: LONG });
      expect(await stateOf()).toBe('unpaid');
    });

    test('are not paid while the wallet reports them as pending, even if it knows the preimage', async () => {
      const payments = openPayments();
      await invoiceOf(payments);
      const { paymentHash } = await tables(db).selectFrom('orders').selectAll().executeTakeFirstOrThrow();
      const provider = openNwc({ url: wallet.url, allowSpending: false });
      const looked = await provider.lookUp(paymentHash).finally(() => provider.close());
      expect(looked).toEqual({ isSettled: false, preimage: expect.stringMatching(/^[0-9a-f]{64}$/) });
      ahead = 3_000;
      await payments.look();
      expect(await stateOf()).toBe('unpaid');
    });

    test('are paid when the wallet reports a settlement time instead of a state', async () => {
      Object.assign(wallet.mood, { timesOnly: true, notifies: false });
      const payments = openPayments();
      const { bolt11 } = await invoiceOf(payments);
      for (const unsettledAt of [null, 0] as const) {
        Object.assign(wallet.mood, { unsettledAt });
        ahead += 3_000;
        await payments.look();
        expect(await stateOf()).toBe('unpaid');
      }
      expect(wallet.pay(bolt11)).toBe(true);
      ahead += 3_000;
      // If a look-up that began before the payment is still running, only the next look-up finds the payment.
      await Promise.all([payments.look(), becomes('approved')]);
    });

    test('are not settled by a notification from somebody else, or about another payment', async () => {
      const payments = openPayments();
      await invoiceOf(payments);
      const { paymentHash } = await tables(db).selectFrom('orders').selectAll().executeTakeFirstOrThrow();
      await wallet.forge(paymentHash, '11'.repeat(32));
      await wallet.flood(50);
      await payments.look();
      expect(await stateOf()).toBe('unpaid');
    });

    test('that were paid while the service was stopped are settled at the next start', async () => {
      const before = openPayments();
      const { bolt11 } = await invoiceOf(before);
      await before.close();
      expect(wallet.pay(bolt11)).toBe(true);
      openPayments();
      await becomes('approved');
      expect(await activations()).toBe(1);
    });

    test('that are paid after they expired still count', async () => {
      wallet.mood.notifies = false;
      const payments = openPayments();
      const { bolt11 } = await invoiceOf(payments);
      ahead = 1_000_000;
      const told = 'The invoice for Wisp expired, and no payment arrived. You can get a new one.';
      // Another look-up can be running. In that case, the order is looked up again only when it is due again.
      const expired = async () => {
        ahead += 60_000;
        await payments.look();
        expect(await notices()).toEqual([told]);
      };
      await vi.waitFor(expired, { timeout: LONG });
      expect((await payments.latestInvoice(clientId))?.state).toBe('expired');
      expect(wallet.pay(bolt11)).toBe(true);
      // The test repeats this, because the node may still be processing the payment.
      const approved = async () => {
        ahead += 3_700_000;
        await payments.look();
        expect(await stateOf()).toBe('approved');
      };
      await vi.waitFor(approved, { timeout: LONG });
    });

    test('are reused while they are valid for two more minutes, and then replaced', async () => {
      const payments = openPayments();
      const first = await invoiceOf(payments);
      expect((await invoiceOf(payments)).id).toBe(first.id);
      ahead = 800_000;
      expect((await invoiceOf(payments)).id).not.toBe(first.id);
    });

    test('that a client pays twice are shown to operators as a surplus', async () => {
      wallet.mood.notifies = false;
      const payments = openPayments();
      const first = await invoiceOf(payments);
      ahead = 800_000;
      const second = await invoiceOf(payments);
      for (const { bolt11 } of [first, second]) expect(wallet.pay(bolt11)).toBe(true);
      // The test repeats this, because the node may still be processing one of the payments.
      const surplus = async () => {
        ahead += 10_000;
        await payments.look();
        const { orders } = await payments.oddOrders();
        expect(orders).toMatchObject([{ clientId, state: 'surplus', sats: 1_000, provider: 'nwc', note: '' }]);
        return orders;
      };
      const orders = await vi.waitFor(surplus, { timeout: LONG });
      expect(await stateOf()).toBe('approved');
      // If the node is slow, the first invoice expires in the meantime, and the owner gets a notice about this, too.
      const arrived = (await notices()).filter((text) => text.includes('has arrived'));
      expect(arrived.toSorted()).toEqual([
        expect.stringContaining('A second payment for Wisp has arrived'),
        'The payment for Wisp has arrived. Its requests are accepted.',
      ]);
      await payments.noteOrder(orders[0]!.id, 'sent back');
      expect((await payments.oddOrders()).orders[0]?.note).toBe('sent back');
      await expect(payments.noteOrder('nobody', '')).rejects.toMatchObject({ code: 'not_found' });
    });

    test('of a deleted client are shown to operators as orphans', async () => {
      const payments = openPayments();
      const { bolt11 } = await invoiceOf(payments);
      await deleteClient(db, { actor: 'a test', now: 2 }, clientId);
      expect(wallet.pay(bolt11)).toBe(true);
      const orphaned = async () => expect((await payments.oddOrders()).orders).toMatchObject([{ state: 'orphan' }]);
      await vi.waitFor(orphaned, { timeout: LONG });
    });

    test('are refused while the wallet does not respond or returns a wrong amount, and created afterwards', async () => {
      const payments = openPayments();
      wallet.mood.factor = 0.5;
      await expect(invoiceOf(payments)).rejects.toMatchObject({ code: 'fee_unavailable', retryAfter: 30 });
      wallet.mood.factor = 1;
      wallet.mood.silent = true;
      await expect(invoiceOf(payments)).rejects.toMatchObject({ code: 'fee_unavailable' });
      expect(await stateOf()).toBe('unpaid');
      wallet.mood.silent = false;
      await expect(invoiceOf(payments)).resolves.toMatchObject({ state: 'open' });
    });

    test('are limited to five per hour and person', async () => {
      const payments = openPayments();
      for (let n = 0; n < 5; n++) {
        await payments.createInvoice({ clientId: await register(), pubkey: PUBKEY });
      }
      const sixth = payments.createInvoice({ clientId: await register(), pubkey: PUBKEY });
      await expect(sixth).rejects.toMatchObject({ code: 'rate_limited' });
      await expect(payments.createInvoice({ clientId, pubkey: 'b'.repeat(64) })).resolves.toHaveProperty('bolt11');
    });

    test('are limited to five per hour and person, even for concurrent requests', async () => {
      const payments = openPayments();
      // The test sends only twelve requests. With more requests, some would wait so long for one of the four
      // connections that the database would count as down.
      const clients = await Promise.all(Array.from({ length: 12 }, register));
      const before = wallet.calls['make_invoice'] ?? 0;
      const asked = await Promise.allSettled(
        clients.map((client) => payments.createInvoice({ clientId: client, pubkey: PUBKEY })),
      );
      const made = asked.filter(({ status }) => status === 'fulfilled');
      const refused = asked.filter((one) => one.status === 'rejected' && one.reason.code === 'rate_limited');
      expect([made.length, refused.length]).toEqual([5, 7]);
      // The check of the wallet can create one more invoice.
      expect(wallet.calls['make_invoice']! - before).toBeLessThanOrEqual(6);
    });

    test('are limited to five per hour and person, even across processes', async () => {
      const processes = [openPayments(), openPayments()];
      const clients = await Promise.all(Array.from({ length: 10 }, register));
      const asked = await Promise.allSettled(
        clients.map((client, n) => processes[n % 2]!.createInvoice({ clientId: client, pubkey: PUBKEY })),
      );
      expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    });

    test('are created once for concurrent requests for one client', async () => {
      const payments = openPayments();
      const made = await Promise.all(Array.from({ length: 20 }, () => invoiceOf(payments)));
      expect(new Set(made.map(({ id }) => id)).size).toBe(1);
      expect(await tables(db).selectFrom('orders').selectAll().execute()).toHaveLength(1);
    });

    test('do not count towards the limit if the wallet did not create them', async () => {
      const payments = openPayments();
      await payments.check();
      wallet.mood.factor = 0.5;
      for (let n = 0; n < 6; n++) {
        await expect(invoiceOf(payments)).rejects.toMatchObject({ code: 'fee_unavailable' });
      }
      wallet.mood.factor = 1;
      await expect(invoiceOf(payments)).resolves.toMatchObject({ state: 'open' });
    });

    test('that have been paid are looked up in parallel', async () => {
      // Notifications are off, because a look-up after a notification would not show whether the other look-ups run in
      // parallel.
      wallet.mood.notifies = false;
      const before = openPayments();
      const bills: string[] = [];
      for (let n = 0; n < 5; n++) {
        bills.push((await before.createInvoice({ clientId: await register(), pubkey: PUBKEY })).bolt11);
      }
      await before.close();
      for (const bolt11 of bills) expect(wallet.pay(bolt11)).toBe(true);
      const asked = new Set<string>();
      const arrived = Promise.withResolvers<void>();
      openPayments((provider) => ({
        ...provider,
        async lookUp(paymentHash) {
          asked.add(paymentHash);
          await arrived.promise;
          return provider.lookUp(paymentHash);
        },
      }));
      // No look-up has received its response yet. If look-ups were sequential, only one would have begun.
      await vi.waitFor(() => expect(asked.size).toBe(bills.length), { timeout: LONG }).finally(arrived.resolve);
      const states = async () =>
        (await tables(db).selectFrom('orders').select('state').execute()).map(({ state }) => state);
      await vi.waitFor(async () => expect(await states()).toEqual(Array(5).fill('paid')), { timeout: LONG });
    });

    test('are refused if the wallet has spending rights after an outage', async () => {
      wallet.mood.busy = true;
      const payments = openPayments();
      await expect(payments.check()).resolves.toBeUndefined();
      wallet.mood.busy = false;
      wallet.mood.methods = [...wallet.mood.methods, 'pay_invoice'];
      const before = wallet.calls['make_invoice'] ?? 0;
      await expect(invoiceOf(payments)).rejects.toMatchObject({ code: 'fee_unavailable' });
      expect(wallet.calls['make_invoice'] ?? 0).toBe(before);
      wallet.mood.methods = wallet.mood.methods.filter((method) => method !== 'pay_invoice');
      await expect(invoiceOf(payments)).resolves.toMatchObject({ state: 'open' });
    });

    test('are watched again when the relay is back', async () => {
      const payments = openPayments();
      const { bolt11 } = await invoiceOf(payments);
      await wallet.relay.down();
      expect(wallet.pay(bolt11)).toBe(true);
      await payments.look();
      expect(await stateOf()).toBe('unpaid');
      await wallet.relay.up();
      const settled = async () => {
        ahead += 3_000;
        await payments.look();
        expect(await stateOf()).toBe('approved');
      };
      await vi.waitFor(settled, { timeout: 480_000, interval: 500 });
    });
  });
});

describe('a wallet', () => {
  let provider: LightningProvider;
  beforeEach(() => {
    Object.assign(wallet.mood, { lies: false, silent: false, factor: 1 });
    provider = openNwc({ url: wallet.url, allowSpending: false });
  });
  afterEach(() => provider.close());

  test('of the right network that can only receive is accepted', async () => {
    // This wallet returns preimages before anybody pays.
    await expect(checkProvider(provider, CONFIG)).resolves.toBe(true);
  });

  test('of another network is rejected, naming the setting', async () => {
    const checked = checkProvider(provider, { ...CONFIG, network: 'mainnet' });
    await expect(checked).rejects.toThrow('the invoice is not for mainnet. Connect a wallet on mainnet');
  });

  test('with spending rights is rejected, unless a setting allows it', async () => {
    wallet.mood.methods = [...wallet.mood.methods, 'pay_invoice'];
    await expect(checkProvider(provider, CONFIG)).rejects.toThrow('ZOETROPE_NWC_ALLOW_SPENDING');
    await provider.close();
    provider = openNwc({ url: wallet.url, allowSpending: true });
    await expect(checkProvider(provider, CONFIG)).resolves.toBe(true);
    wallet.mood.methods = wallet.mood.methods.filter((method) => method !== 'pay_invoice');
  });

  test('that returns null, or no list of its methods, is rejected with the reason', async () => {
    const { methods } = wallet.mood;
    wallet.mood.methods = 'get_info' as never;
    await expect(provider.check()).rejects.toThrow('the wallet did not return a list of its methods');
    Object.assign(wallet.mood, { methods, blank: true });
    await expect(provider.lookUp('a'.repeat(64))).rejects.toThrow('the wallet returned an empty response');
    wallet.mood.blank = false;
  });

  test('that refuses a request is reported with its error code and its message', async () => {
    wallet.mood.busy = true;
    await expect(provider.check()).rejects.toThrow('the wallet returned INTERNAL: try again');
    wallet.mood.busy = false;
  });

  test.each(['', 'nostr+walletconnect://abc', 'nostr+walletconnect://x?relay=ws://a&secret=b'])(
    'with the URL %j is rejected without repeating the URL',
    (url) => {
      expect(() => openNwc({ url, allowSpending: false })).toThrow(/^ZOETROPE_WALLET must be/);
    },
  );
});

describe('an invoice', () => {
  const wanted = { network: 'regtest', amountMsat: 1_000_000 } as const;
  const check = (bolt11: string) => () => checkInvoice({ bolt11, paymentHash: 'a'.repeat(64) }, wanted);

  test('without room in a QR code is refused', () => {
    expect(check(`lnbcrt10u1${'q'.repeat(3_000)}`)).toThrow('the invoice has more than 3000 characters');
  });

  test('that expires in 10^30 seconds is refused', () => {
    const [head, hash, expiry] = ['lnbcrt10u1p4tzwuqpp5', '42'.repeat(25), `qxq5${'l'.repeat(20)}`];
    expect(check(`${head}${hash}4${expiry}${'q'.repeat(104)}faaxl3`)).toThrow('expires at an impossible time');
  });
});

test('without a wallet, registration is free', async () => {
  const payments = new Payments({
    ...{ config: CONFIG, provider: undefined, db: undefined as never, log },
    clock: { now: () => 0 },
  });
  expect(payments.fee()).toEqual({ sats: 0, provider: 'none' });
  await payments.close();
});
