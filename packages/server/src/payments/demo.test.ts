import fc from 'fast-check';
import pino from 'pino';
import { afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { createClient, findClient } from '../clients/index.ts';
import { type Database, migrate, openDatabase } from '../platform/db/index.ts';
import { registryMigrations } from '../registry/index.ts';
import type { PaymentsConfig } from './config.ts';
import { checkInvoice } from './invoice.ts';
import { openPayments } from './open.ts';
import type { Payments } from './payments.ts';
import { openDemo } from './providers/demo.ts';
import { makeDemoInvoice, makeDemoKey } from './providers/demo-invoice.ts';
import { paymentMigrations } from './tables.ts';
import { type LightningPair, startLightningPair } from './testing/lightning-pair.ts';

const HERE = { host: '127.0.0.1', publicUrl: '' };
const CONFIG = { provider: 'demo', feeSats: 21, network: 'mainnet', proof: 'required' } as PaymentsConfig;
const log = pino({ level: 'silent' });

describe('the demo', () => {
  let node: LightningPair;
  beforeAll(async () => {
    node = await startLightningPair();
  });

  test('makes invoices that pass the checks, and that a real node accepts but cannot pay', () => {
    const wanted = fc.record({
      sats: fc.integer({ min: 1, max: 10_000_000 }),
      description: fc.string({ unit: 'grapheme', maxLength: 100 }),
      expirySeconds: fc.integer({ min: 1, max: 100_000 }),
    });
    const now = Math.floor(Date.now() / 1_000);
    fc.assert(
      fc.property(wanted, ({ sats, ...rest }) => {
        const amountMsat = sats * 1_000;
        const made = makeDemoInvoice({ amountMsat, ...rest }, makeDemoKey(), now);
        const { paymentHash } = made;
        const expiresAt = (now + rest.expirySeconds) * 1_000;
        expect(checkInvoice(made, { network: 'regtest', amountMsat })).toEqual({ paymentHash, expiresAt });
        // The node also checks the signature.
        expect(node.read(made.bolt11)).toBe(paymentHash);
      }),
      { numRuns: 50 * inject('cases') },
    );
    const { bolt11 } = makeDemoInvoice({ amountMsat: 1_000, description: '', expirySeconds: 60 }, makeDemoKey(), now);
    expect(node.pay(bolt11)).toBeUndefined();
  });

  test.each(['127.0.0.1', '127.3.2.1', '::1', 'localhost'])('runs on %s', (host) => {
    const bracketed = host.includes(':') ? `[${host}]` : host;
    const clock = { now: () => 0 };
    expect(openDemo(clock, { host, publicUrl: '' }).name).toBe('demo');
    expect(openDemo(clock, { host, publicUrl: `http://${bracketed}:8080` }).name).toBe('demo');
  });

  test.each(['0.0.0.0', '::', '192.168.1.5', '2001:db8::1', 'gifs.example', '128.0.0.1', ''])(
    'refuses to be reached at %j',
    (host) => {
      const clock = { now: () => 0 };
      const message = /^With ZOETROPE_WALLET=demo nothing is paid.* Set ZOETROPE_HOST=127\.0\.0\.1/;
      expect(() => openDemo(clock, { ...HERE, host })).toThrow(message);
      const publicUrl = `https://${host.includes(':') ? `[${host}]` : host || 'a'}`;
      expect(() => openDemo(clock, { ...HERE, publicUrl })).toThrow('Unset ZOETROPE_PUBLIC_URL');
    },
  );

  describe('with orders', () => {
    let db: Database;
    let payments: Payments;
    let now: number;
    beforeEach(async () => {
      now = 1_800_000_000_000;
      db = openDatabase(':memory:');
      await migrate(db, {
        '1': registryMigrations.registry,
        '2': registryMigrations.details,
        '21': registryMigrations.auditOwners,
        '22': registryMigrations.keyExpiry,
        '23': registryMigrations.notices,
        '24': registryMigrations.clientLimits,
        '3': paymentMigrations.orders,
        '4': paymentMigrations.reservations,
      });
      payments = await openPayments({ config: CONFIG, db, clock: { now: () => now }, log, reached: HERE });
    });
    afterEach(async () => {
      await payments.close();
      await db.destroy();
    });

    test('approves a client after five seconds, with a proof', async () => {
      const wanted = { name: 'Wisp', state: 'unpaid' as const, pubkeys: [], origins: [] };
      const { id: clientId } = await createClient(db, { actor: 'a test', now: 1 }, wanted);
      expect(payments.fee()).toEqual({ sats: 21, provider: 'demo' });
      const { bolt11, state } = await payments.createInvoice({ clientId, pubkey: 'a'.repeat(64) });
      expect([bolt11.slice(0, 10), state]).toEqual(['lnbcrt210n', 'open']);
      now += 4_999;
      await payments.look();
      expect((await findClient(db, clientId)).state).toBe('unpaid');
      now += 2_001;
      const approved = async () => {
        await payments.look();
        expect((await findClient(db, clientId)).state).toBe('approved');
      };
      await vi.waitFor(approved, { timeout: 480_000 });
      expect(await payments.latestInvoice(clientId)).toMatchObject({ state: 'paid', bolt11 });
    });
  });
});
