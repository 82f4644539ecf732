import { createHash } from 'node:crypto';
import type { Invoice, OrderState } from '@zoetrope/contract/account';
import fc from 'fast-check';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { createClient, findClient } from '../clients/index.ts';
import { listNotices } from '../notices/index.ts';
import type { Database } from '../platform/db/index.ts';
import { ENGINES, type Engine } from '../platform/testing/engines.ts';
import { listAudit, registryMigrations } from '../registry/index.ts';
import { weigh } from './invoice.ts';
import { insertOrder } from './orders.ts';
import { Payments } from './payments.ts';
import { type LightningProvider, readPreimage } from './provider.ts';
import { openLnbits } from './providers/lnbits.ts';
import { openNwc } from './providers/nwc.ts';
import { openPhoenixd } from './providers/phoenixd.ts';
import { paymentMigrations, tables } from './tables.ts';
import { NOT_PAID, type RestWallet, startRestWallet } from './testing/rest-wallet.ts';
import { startWallet, type TestWallet } from './testing/wallet.ts';

const PUBKEY = 'a'.repeat(64);
const LONG = 120_000;
const [WARN, INFO] = [40, 30];
const OPERATOR = { actor: 'an operator', now: 5 };

let rest: RestWallet;
let nwc: TestWallet;
beforeAll(async () => {
  [rest, nwc] = await Promise.all([startRestWallet(), startWallet()]);
});
afterAll(async () => {
  rest.stop();
  await nwc.stop();
});

/** A response about a paid invoice, with the fields of LNbits. */
interface Answer {
  paid?: boolean;
  status?: string;
  preimage?: unknown;
  details?: object;
}

/** Wallets' responses that operators have reported, each with the expected state of the order. */
const ANSWERS: { what: string; of: (preimage: string) => Answer; state: OrderState; ofOthers?: OrderState }[] = [
  { what: 'a null preimage', of: () => ({ paid: true, preimage: null }), state: 'unproven' },
  { what: 'zeros', of: () => ({ paid: true, preimage: '0'.repeat(64) }), state: 'unproven' },
  { what: 'no preimage', of: () => ({ paid: true }), state: 'unproven' },
  { what: 'an empty preimage', of: () => ({ paid: true, preimage: '' }), state: 'unproven' },
  {
    what: 'the preimage in capital letters',
    of: (preimage) => ({ paid: true, preimage: preimage.toUpperCase() }),
    state: 'paid',
  },
  {
    // Only LNbits has this object.
    what: 'the preimage in its details',
    of: (preimage) => ({ paid: true, details: { preimage, status: 'success' } }),
    state: 'paid',
    ofOthers: 'unproven',
  },
  {
    what: 'a status instead of a boolean',
    of: (preimage) => ({ status: 'success', preimage }),
    state: 'paid',
  },
  {
    what: 'the preimage of another invoice',
    of: () => ({ paid: true, preimage: '12'.repeat(32) }),
    state: 'disproven',
  },
];

interface Kind {
  name: string;
  open: () => LightningProvider;
  /** Sets the wallet's response about all invoices. Without an argument, the wallet reports that nobody has paid. */
  answer: (of?: (preimage: string) => Answer) => void;
}

const KINDS: Kind[] = [
  {
    name: 'lnbits',
    open: () => openLnbits({ url: rest.url, key: 'secret' }),
    answer(of) {
      rest.answer = of === undefined ? NOT_PAID : ({ preimage }) => of(preimage);
    },
  },
  {
    name: 'phoenixd',
    open: () => openPhoenixd({ url: rest.url, password: 'secret' }),
    answer(of) {
      rest.answer = of === undefined ? NOT_PAID : ({ preimage }) => ({ isPaid: true, ...withoutState(of(preimage)) });
    },
  },
  {
    name: 'nwc',
    open: () => openNwc({ url: nwc.url, allowSpending: false }),
    answer(of) {
      nwc.mood.answer = ({ preimage }) =>
        of === undefined ? { state: 'pending' } : { state: 'settled', ...withoutState(of(preimage)) };
    },
  },
];
const [LNBITS] = KINDS as [Kind];

function withoutState({ paid, status, ...rest }: Answer): object {
  return rest;
}

const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
const hex = (from: Uint8Array) => Buffer.from(from).toString('hex');
/** Values for the field of the preimage that differ from the right preimage. */
const forged = fc.oneof(
  bytes.map(hex),
  bytes.map((from) => hex(from).toUpperCase()),
  fc.constantFrom('', '0', '0'.repeat(64), 'f'.repeat(64)),
);

test('only the preimage of the payment hash proves a payment', () => {
  const field = fc.oneof(forged, fc.string({ unit: 'binary' }), fc.jsonValue());
  fc.assert(
    fc.property(bytes, field, fc.nat(255), (right, other, bit) => {
      const hash = createHash('sha256').update(right).digest('hex');
      const is = (preimage: unknown) => weigh({ isSettled: true, preimage: readPreimage(preimage) }, hash).is;
      const flipped = right.with(bit >> 3, right[bit >> 3]! ^ (1 << (bit & 7)));
      // Some JSON values, such as {"toString": 0}, cannot be converted to a string.
      const isRight = typeof other === 'string' && other.toLowerCase() === hex(right);
      fc.pre(!isRight && right.some((byte) => byte !== 0));
      expect([is(hex(right)), is(hex(right).toUpperCase())]).toEqual(['proven', 'proven']);
      for (const wrong of [other, hex(flipped), hash, `0x${hex(right)}`, hex(right).slice(1), [hex(right)]]) {
        expect(['unproven', 'disproven']).toContain(is(wrong));
      }
      expect(weigh({ isSettled: false, preimage: hex(right) }, hash).is).toBe('unsettled');
    }),
  );
});

describe.each(ENGINES)('in $name', ({ start }) => {
  let engine: Engine;
  let db: Database;
  let clientId: string;
  /** Milliseconds by which the clock for orders is ahead of the system's clock. */
  let ahead: number;
  let open: Payments[] = [];
  let lines: { level: number; msg: string; order?: string; wallet?: string }[];
  const clock = { now: () => Date.now() + ahead };
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) });

  beforeAll(async () => {
    engine = await start();
  });
  afterAll(() => engine.stop());
  beforeEach(async () => {
    ahead = 0;
    lines = [];
    for (const { answer } of KINDS) answer();
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
    const wanted = { name: 'Wisp', state: 'unpaid' as const, pubkeys: [PUBKEY], origins: [] };
    clientId = (await createClient(db, { actor: 'a test', now: 1 }, wanted)).id;
  });
  afterEach(async () => {
    await Promise.all(open.map((payments) => payments.close()));
    open = [];
    nwc.mood.answer = undefined;
    await db.destroy();
  });

  function openPayments(
    provider: LightningProvider | undefined,
    proof: 'required' | 'optional' = 'required',
  ): Payments {
    const config = { feeSats: 1_000, network: 'regtest', proof } as const;
    const payments = new Payments({ config, provider, db, clock, log });
    open.push(payments);
    return payments;
  }

  const invoiceOf = (payments: Payments) => payments.createInvoice({ clientId, pubkey: PUBKEY });
  const clientState = async () => (await findClient(db, clientId)).state;
  const linesOf = ({ id }: Invoice) => lines.filter(({ order }) => order === id);
  const odd = async (payments: Payments) => (await payments.oddOrders()).orders.map(({ id, state }) => ({ id, state }));

  /** Looks up orders until the owners of the client see this state. */
  async function becomes(payments: Payments, state: OrderState): Promise<void> {
    const seen = async () => {
      ahead += 3_000;
      await payments.look();
      expect((await payments.latestInvoice(clientId))?.state).toBe(state);
    };
    await vi.waitFor(seen, { timeout: LONG });
  }

  async function lookAgain(payments: Payments): Promise<void> {
    for (let n = 0; n < 3; n++) {
      ahead += 5_000;
      await payments.look();
    }
  }

  describe.each(KINDS)('an order that $name reports as settled', ({ name, open: openWallet, answer }) => {
    test.each(ANSWERS)('with $what is always reported in the log', async ({ of, state, ofOthers = state }) => {
      const end = name === 'lnbits' ? state : ofOthers;
      const payments = openPayments(openWallet());
      const invoice = await invoiceOf(payments);
      answer(of);
      await becomes(payments, end);
      await lookAgain(payments);
      expect(await clientState()).toBe(end === 'paid' ? 'approved' : 'unpaid');
      expect(await odd(payments)).toEqual(end === 'paid' ? [] : [{ id: invoice.id, state: end }]);
      const said = { paid: 'an order was paid', unproven: 'ZOETROPE_LIGHTNING_PROOF=optional' };
      const message = { ...said, disproven: 'does not match the invoice' }[end as 'paid' | 'unproven' | 'disproven'];
      const level = end === 'paid' ? { level: INFO } : { level: WARN, wallet: name };
      expect(linesOf(invoice)).toEqual([expect.objectContaining({ ...level, msg: expect.stringContaining(message) })]);
    });
  });

  const unproven = () => ({ paid: true, preimage: null });

  test('a proof that comes later settles an unproven order as usual', async () => {
    const payments = openPayments(LNBITS.open());
    await invoiceOf(payments);
    LNBITS.answer(unproven);
    await becomes(payments, 'unproven');
    const paidAt = async () =>
      (await tables(db).selectFrom('orders').select('paidAt').executeTakeFirstOrThrow()).paidAt;
    const reportedAt = await paidAt();
    LNBITS.answer((preimage) => ({ paid: true, preimage }));
    await becomes(payments, 'paid');
    expect([reportedAt, await paidAt()]).toEqual([expect.any(Number), reportedAt]);
    expect([await clientState(), await odd(payments)]).toEqual(['approved', []]);
  });

  test('an operator accepts an unproven order only once, and the audit log shows who did it', async () => {
    const payments = openPayments(LNBITS.open());
    const { id } = await invoiceOf(payments);
    await expect(payments.acceptOrder(id, OPERATOR)).rejects.toMatchObject({ code: 'conflict' });
    LNBITS.answer(unproven);
    await becomes(payments, 'unproven');
    await expect(invoiceOf(payments)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('Do not pay again'),
    });
    const twice = await Promise.allSettled([payments.acceptOrder(id, OPERATOR), payments.acceptOrder(id, OPERATOR)]);
    expect(twice.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(payments.acceptOrder(id, OPERATOR)).rejects.toThrow(
      'state must be unproven or unchecked to accept an order; it is paid',
    );
    expect([await clientState(), await odd(payments)]).toEqual(['approved', []]);
    LNBITS.answer((preimage) => ({ paid: true, preimage }));
    await lookAgain(payments);
    expect((await listAudit(db, clientId)).filter(({ action }) => action.startsWith('order'))).toMatchObject([
      { action: 'order accept', actor: OPERATOR.actor, subject: `${id}: unpaid to approved, without proof` },
    ]);
    await expect(payments.acceptOrder('nobody', OPERATOR)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('an operator refuses an order, and the client gets another invoice; a proof still counts', async () => {
    const payments = openPayments(LNBITS.open());
    const { id } = await invoiceOf(payments);
    LNBITS.answer(unproven);
    await becomes(payments, 'unproven');
    await payments.refuseOrder(id, OPERATOR);
    await lookAgain(payments);
    expect((await payments.latestInvoice(clientId))?.state).toBe('refused');
    expect([await odd(payments), await clientState()]).toEqual([[], 'unpaid']);
    expect((await listAudit(db, clientId)).at(-1)).toMatchObject({ action: 'order refuse', subject: id });
    LNBITS.answer();
    const next = await invoiceOf(payments);
    expect(next.id).not.toBe(id);
    await expect(payments.refuseOrder(next.id, OPERATOR)).rejects.toMatchObject({ code: 'conflict' });
    await expect(payments.refuseOrder('nobody', OPERATOR)).rejects.toMatchObject({ code: 'not_found' });
    LNBITS.answer((preimage) => ({ paid: true, preimage }));
    const bothPaid = async () => {
      ahead += 3_000;
      await payments.look();
      expect(await odd(payments)).toMatchObject([{ state: 'surplus' }]);
    };
    await vi.waitFor(bothPaid, { timeout: LONG });
    expect(await clientState()).toBe('approved');
  });

  test('with an optional proof, a settled order registers its client immediately', async () => {
    const payments = openPayments(LNBITS.open(), 'optional');
    const { id } = await invoiceOf(payments);
    LNBITS.answer(unproven);
    await becomes(payments, 'paid');
    await lookAgain(payments);
    expect([await clientState(), await odd(payments)]).toEqual(['approved', []]);
    expect((await listAudit(db, clientId)).filter(({ action }) => action.startsWith('order'))).toMatchObject([
      { action: 'order paid', actor: 'payment', subject: `${id}: unpaid to approved, without proof` },
    ]);
  });

  test('an unproven order counts when the setting is changed', async () => {
    const before = openPayments(LNBITS.open());
    await invoiceOf(before);
    LNBITS.answer(unproven);
    await becomes(before, 'unproven');
    await before.close();
    await becomes(openPayments(LNBITS.open(), 'optional'), 'paid');
    expect(await clientState()).toBe('approved');
  });

  test.each(['required', 'optional'] as const)('a forged preimage settles no order if a proof is %s', async (proof) => {
    const payments = openPayments(LNBITS.open(), proof);
    const invoice = await invoiceOf(payments);
    // If the proof is optional, a missing preimage is accepted, but a wrong preimage is not.
    const wrong = proof === 'required' ? forged : bytes.map(hex).filter((preimage) => /[^0]/.test(preimage));
    const cases = fc.asyncProperty(wrong, async (preimage) => {
      LNBITS.answer(() => ({ paid: true, preimage, details: { preimage } }));
      ahead += 5_000;
      await payments.look();
      expect(await clientState()).toBe('unpaid');
    });
    await fc.assert(cases, { numRuns: 50 * inject('cases') });
    await becomes(payments, 'disproven');
    await expect(payments.acceptOrder(invoice.id, OPERATOR)).rejects.toMatchObject({ code: 'conflict' });
    expect(linesOf(invoice).filter(({ msg }) => msg.includes('does not match the invoice'))).toHaveLength(1);
    LNBITS.answer((preimage) => ({ paid: true, preimage }));
    await becomes(payments, 'paid');
  });

  describe('an order that expires', () => {
    const EXPIRED_MS = 901_000;
    const LATE_MS = 660_000;

    test('is reported again when the wallet fails again', async () => {
      const payments = openPayments(LNBITS.open());
      const invoice = await invoiceOf(payments);
      const warnings = () => linesOf(invoice).map(({ msg }) => msg);
      const UNREACHABLE = 'could not look up an order; trying again';
      for (const expected of [[UNREACHABLE], [UNREACHABLE, UNREACHABLE]]) {
        rest.answer = () => 503;
        await lookAgain(payments);
        await lookAgain(payments);
        expect(warnings()).toEqual(expected);
        LNBITS.answer();
        await lookAgain(payments);
      }
    });

    test('while the wallet is down is shown until the wallet is back', async () => {
      const payments = openPayments(LNBITS.open());
      const invoice = await invoiceOf(payments);
      rest.answer = () => 503;
      await lookAgain(payments);
      ahead = EXPIRED_MS;
      await payments.look();
      expect([(await payments.latestInvoice(clientId))?.state, await odd(payments)]).toEqual(['expired', []]);
      ahead += LATE_MS;
      await becomes(payments, 'unchecked');
      expect(await odd(payments)).toEqual([{ id: invoice.id, state: 'unchecked' }]);
      expect(linesOf(invoice)).toEqual([
        expect.objectContaining({ level: WARN, wallet: 'lnbits', msg: 'could not look up an order; trying again' }),
      ]);
      LNBITS.answer();
      ahead += 3_600_000;
      await becomes(payments, 'expired');
      expect(await odd(payments)).toEqual([]);
      expect(linesOf(invoice).at(-1)).toMatchObject({ level: INFO, msg: 'an order expired' });
      LNBITS.answer((preimage) => ({ paid: true, preimage }));
      ahead += 3_600_000;
      await becomes(payments, 'paid');
    });

    test('can be accepted before it is looked up', async () => {
      const payments = openPayments(LNBITS.open());
      const { id } = await invoiceOf(payments);
      ahead = EXPIRED_MS;
      await payments.acceptOrder(id, OPERATOR);
      expect(await clientState()).toBe('approved');
    });

    test('and that the wallet does not know can be accepted', async () => {
      const payments = openPayments(LNBITS.open());
      const invoice = await invoiceOf(payments);
      rest.answer = () => 404;
      await lookAgain(payments);
      expect(linesOf(invoice)).toEqual([]);
      ahead = EXPIRED_MS + LATE_MS;
      await becomes(payments, 'unchecked');
      ahead += 3_600_000;
      await payments.look();
      expect(linesOf(invoice)).toMatchObject([{ level: WARN, msg: expect.stringContaining('does not know') }]);
      await payments.acceptOrder(invoice.id, OPERATOR);
      expect([await clientState(), await odd(payments)]).toEqual(['approved', []]);
    });

    test('and was reported unpaid is not doubted when the wallet deletes its invoice', async () => {
      const payments = openPayments(LNBITS.open());
      const invoice = await invoiceOf(payments);
      ahead = EXPIRED_MS;
      const reported = async () => {
        ahead += 60_000;
        await payments.look();
        expect(linesOf(invoice)).toMatchObject([{ level: INFO, msg: 'an order expired' }]);
      };
      await vi.waitFor(reported, { timeout: LONG });
      rest.answer = () => 404;
      ahead += 3_600_000;
      await payments.look();
      expect(linesOf(invoice)).toHaveLength(1);
      expect([(await payments.latestInvoice(clientId))?.state, await odd(payments)]).toEqual(['expired', []]);
    });

    const order = () => {
      const made = {
        id: 'old',
        clientId,
        pubkey: PUBKEY,
        sats: 1_000,
        provider: 'lnbits',
        paymentHash: 'ab'.repeat(32),
      };
      const times = { createdAt: 1, expiresAt: clock.now() - 3 * 86_400_000, paidAt: null };
      return { ...made, ...times, bolt11: 'lnbcrt1', state: 'open' as const, preimage: null, note: '' };
    };

    test('while no service ran is shown and logged at the next start', async () => {
      await insertOrder(db, order());
      const payments = openPayments(LNBITS.open());
      await becomes(payments, 'unchecked');
      expect(await odd(payments)).toEqual([{ id: 'old', state: 'unchecked' }]);
      expect(lines).toMatchObject([
        { order: 'old', level: WARN, msg: expect.stringContaining('no service checked it') },
      ]);
    });

    test('after the wallet was removed from the settings is shown, and can be refused', async () => {
      await insertOrder(db, order());
      const payments = openPayments(undefined);
      expect(await odd(payments)).toEqual([{ id: 'old', state: 'unchecked' }]);
      await payments.refuseOrder('old', OPERATOR);
      expect(await odd(payments)).toEqual([]);
      expect(await listNotices(db, PUBKEY)).toMatchObject([
        { clientId, text: 'An operator checked your invoice for Wisp, and did not find the payment.' },
      ]);
    });
  });

  test('the log says whether a wallet shows preimages, and a wallet that cannot look up gets no orders', async () => {
    const payments = openPayments(LNBITS.open());
    await payments.check();
    expect(lines).toMatchObject([
      { level: INFO, wallet: 'lnbits', msg: expect.stringContaining('no preimage before') },
    ]);
    rest.answer = ({ preimage }) => ({ paid: false, preimage });
    await openPayments(LNBITS.open()).check();
    expect(lines.at(-1)?.msg).toContain('returns preimages');
    rest.answer = () => 401;
    await expect(invoiceOf(openPayments(LNBITS.open()))).rejects.toMatchObject({ code: 'fee_unavailable' });
  });
});
