import { unwrapEvent } from 'nostr-tools/nip17';
import { SimplePool, useWebSocketImplementation } from 'nostr-tools/pool';
import { type Event, generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createClient } from '../clients/index.ts';
import { chooseMessages, listNotices, notifyOwners } from '../notices/index.ts';
import { startRelay, type TestRelay } from '../payments/testing/relay.ts';
import type { Database } from '../platform/db/index.ts';
import { ENGINES, type Engine } from '../platform/testing/engines.ts';
import { registryMigrations, tables } from '../registry/index.ts';
import { type Messenger, senderOf, sendMessages } from './messages.ts';

useWebSocketImplementation(WebSocket);
const GIFT_WRAP = 1059;
const LINK = 'https://gifs.example/dashboard/notices';
const now = Date.UTC(2026, 0, 1);

describe.each(ENGINES)('notices as direct messages, with $name', ({ start }) => {
  const [service, owner, silent] = [generateSecretKey(), generateSecretKey(), generateSecretKey()];
  const pool = new SimplePool();
  let engine: Engine;
  let db: Database;
  let relay: TestRelay;
  let clientId: string;
  let at: number;
  let asked = 0;

  beforeAll(async () => {
    engine = await start();
  });
  afterAll(() => engine.stop());

  beforeEach(async () => {
    relay = await startRelay();
    at = now;
    const { registry, details, auditOwners, keyExpiry, notices } = registryMigrations;
    db = await engine.open({ '1': registry, '2': details, '3': auditOwners, '4': keyExpiry, '5': notices });
    const pubkeys = [owner, silent].map(getPublicKey);
    const wanted = { name: 'Wisp', state: 'approved' as const, pubkeys, origins: [] };
    clientId = (await createClient(db, { actor: 'a test', now }, wanted)).id;
    await chooseMessages(db, getPublicKey(owner), true);
  });

  afterEach(async () => {
    pool.close([relay.url]);
    await relay.stop();
    await db.destroy();
  });

  const write = (text: string) => notifyOwners(db, { clientId, text: (name) => `${name}: ${text}`, now: at });

  function send(relays = [relay.url]): Promise<void> {
    const log = pino({ level: 'silent' });
    const messenger: Messenger = {
      registry: async () => db,
      key: service,
      relays,
      link: LINK,
      clock: { now: () => at },
      log,
    };
    return sendMessages(messenger, new AbortController().signal);
  }

  /** Returns all messages on the relay. Each request is different, because the relay caches responses for a second. */
  const wraps = (): Promise<Event[]> => pool.querySync([relay.url], { kinds: [GIFT_WRAP], limit: 100 + asked++ });
  const tries = async () =>
    (await tables(db).selectFrom('notices').select('messageTries').where('messageTries', '>', 0).execute())[0]
      ?.messageTries;

  test('go only to owners who want them, once, with nothing but the notice and the link', async () => {
    await write('suspended');
    await send();
    await send();
    const [wrap, ...others] = await wraps();
    expect(others).toEqual([]);
    expect(wrap!.pubkey).not.toBe(senderOf(Buffer.from(service).toString('hex')));
    expect(JSON.stringify(wrap)).not.toContain('Wisp');
    expect(wrap!.tags).toEqual([['p', getPublicKey(owner)]]);
    expect(unwrapEvent(wrap!, owner)).toMatchObject({
      kind: 14,
      pubkey: getPublicKey(service),
      content: `Wisp: suspended\n\n${LINK}`,
    });
    expect(await listNotices(db, getPublicKey(silent))).toHaveLength(1);
  });

  test('are sent once by two machines that look at the same moment', async () => {
    await write('suspended');
    await Promise.all([send(), send()]);
    expect(await wraps()).toHaveLength(1);
  });

  test('are sent again while no relay accepts them, five times at most', async () => {
    await relay.down();
    await write('suspended');
    for (let n = 0; n < 8; n++) {
      await send();
      await send();
      at += 24 * 3_600_000;
    }
    expect(await tries()).toBe(5);
    await relay.up();
    await send();
    expect(await wraps()).toEqual([]);
  });

  test('are sent when a relay is back, or by another relay', async () => {
    await relay.down();
    await write('suspended');
    await send();
    await relay.up();
    await send();
    expect(await wraps()).toEqual([]);
    at += 60_000;
    await send(['ws://127.0.0.1:9', relay.url]);
    expect(await wraps()).toHaveLength(1);
    expect(await tries()).toBe(2);
  });

  test('are dropped when the owner no longer wants them', async () => {
    await write('suspended');
    await chooseMessages(db, getPublicKey(owner), false);
    await send();
    expect(await wraps()).toEqual([]);
  });
});
