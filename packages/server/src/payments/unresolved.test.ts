import type { OrderState } from '@zoetrope/contract/account';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../platform/db/index.ts';
import { ENGINES, type Engine } from '../platform/testing/engines.ts';
import { insertOrder, latestOrder } from './orders.ts';
import { paymentMigrations } from './tables.ts';
import { findUnresolved } from './unresolved.ts';

const NOW = 1_000_000_000;

describe.each(ENGINES)('orders in $name', ({ start }) => {
  let engine: Engine;
  let db: Database;

  beforeAll(async () => {
    engine = await start();
  }, 60_000);
  afterAll(() => engine.stop());
  beforeEach(async () => {
    db = await engine.open({ '1': paymentMigrations.orders, '2': paymentMigrations.reservations });
  });
  afterEach(() => db.destroy());

  interface Facts {
    at?: number;
    preimage?: string;
    createdAt?: number;
    provider?: string;
  }

  async function order(state: OrderState, note = '', facts: Facts = {}): Promise<void> {
    const id = [state, note].filter((word) => word !== '').join(' ');
    const { at: paidAt = null, preimage = null, createdAt = NOW - 2_000_000, provider = 'lnbits' } = facts;
    const times = { createdAt, expiresAt: NOW - 1_000_000, paidAt };
    const who = { clientId: 'c', pubkey: 'a', sats: 1, provider, bolt11: 'lnbc' };
    await insertOrder(db, { id, ...who, paymentHash: id, state, ...times, preimage, note });
  }

  const find = () => findUnresolved({ provider: 'lnbits' }, db, NOW);
  const unresolved = async () => (await find()).orders.map(({ id }) => id).sort();

  test('are unresolved until a note says what was done, or until they are accepted or refused', async () => {
    for (const state of ['orphan', 'surplus', 'disproven', 'unproven', 'unchecked'] as const) {
      await order(state);
      await order(state, 'refunded');
    }
    for (const state of ['paid', 'expired', 'refused'] as const) await order(state);
    expect(await unresolved()).toEqual([
      ...['disproven', 'orphan', 'surplus', 'unchecked', 'unchecked refunded', 'unproven', 'unproven refunded'],
    ]);
  });

  test('an owner sees the latest order of a client, unless an operator must decide an earlier one', async () => {
    const seen = async () => (await latestOrder(db, 'c'))?.id;
    await order('expired', 'earlier', { createdAt: NOW - 3 });
    await order('open', 'latest', { createdAt: NOW - 1 });
    await order('expired', 'middle', { createdAt: NOW - 2 });
    expect(await seen()).toBe('open latest');
    await order('unproven', 'first', { createdAt: NOW - 4 });
    expect(await seen()).toBe('unproven first');
  });

  test('show whether the wallet proved its latest payment', async () => {
    expect((await find()).proves).toBeUndefined();
    await order('paid', 'first', { at: NOW - 2, preimage: '11' });
    expect((await find()).proves).toBe(true);
    await order('paid', 'second', { at: NOW - 1 });
    expect((await find()).proves).toBe(false);
  });

  test('say nothing about a wallet that was connected before, or about payments that are not settled', async () => {
    await order('paid', 'former wallet', { at: NOW - 3, provider: 'phoenixd' });
    expect((await find()).proves).toBeUndefined();
    await order('surplus', 'this wallet', { at: NOW - 2, preimage: '11' });
    await order('paid', 'former wallet, later', { at: NOW - 1, provider: 'phoenixd' });
    await order('refused', 'not paid', { at: NOW });
    expect((await find()).proves).toBe(true);
  });
});
