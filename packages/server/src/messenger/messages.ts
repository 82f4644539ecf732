import { verifyEvent } from 'nostr-tools';
import { AbstractSimplePool } from 'nostr-tools/abstract-pool';
import { wrapEvent } from 'nostr-tools/nip17';
import { getPublicKey } from 'nostr-tools/pure';
import { WebSocket } from 'ws';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { keepDoing, type Stoppable } from '../base/repeat.ts';
import type { Database } from '../platform/db/index.ts';
import { readSecretKey } from '../platform/relay/index.ts';
import { type NoticeTable, tables } from '../registry/index.ts';

const PASS_MS = 15_000;
const CONNECT_MS = 5_000;
/** Delays before the next attempts to send a message. After the last attempt, only the dashboard has the notice. */
const RETRY_MS = [60_000, 600_000, 3_600_000, 6 * 3_600_000];
/** Maximum size of a relay's response, in bytes. */
const MAX_ANSWER = 64 * 1024;

export interface Messenger {
  registry(): Promise<Database>;
  /** The secret key that signs the messages. */
  key: Uint8Array;
  relays: readonly string[];
  /** URL of the dashboard's notices. */
  link: string;
  clock: Clock;
  log: Log;
}

/** Returns the public key of the sender of messages, in hexadecimal. @param text an nsec or 64 hexadecimal digits */
export function senderOf(text: string): string {
  return getPublicKey(readSecretKey(text));
}

/** Sends notices as direct messages while the service runs. */
export function keepSendingMessages(messenger: Messenger): Stoppable {
  const pass = (signal: AbortSignal) => sendMessages(messenger, signal);
  return keepDoing(PASS_MS, pass, (error) => {
    messenger.log.warn({ err: error }, 'could not send notices; trying again in 15 seconds');
  });
}

/**
 * Sends the notices that are due as gift-wrapped direct messages (NIP-17) to all relays. A message counts as sent if
 * one relay accepts it. The message contains only the notice and the link to the dashboard.
 */
export async function sendMessages(messenger: Messenger, signal: AbortSignal): Promise<void> {
  const db = await messenger.registry();
  const pool = new AbstractSimplePool({
    verifyEvent,
    websocketImplementation: BoundedSocket as never,
    maxWaitForConnection: CONNECT_MS,
  });
  try {
    while (!signal.aborted) {
      const due = await takeDue(db, messenger.clock.now());
      if (due === undefined) return;
      await send(db, pool, due, messenger);
    }
  } finally {
    pool.destroy();
  }
}

class BoundedSocket extends WebSocket {
  constructor(url: string) {
    super(url, { maxPayload: MAX_ANSWER, handshakeTimeout: CONNECT_MS });
    this.on('error', () => {}); // without a listener, a late error would be thrown; the failed publishing already reports the problem
  }
}

/** Claims a message, so that no other process sends the message, and schedules the next attempt. */
async function takeDue(db: Database, now: number): Promise<NoticeTable | undefined> {
  for (;;) {
    const waiting = tables(db).selectFrom('notices').selectAll().where('messageAt', '<=', now);
    const due = await waiting.orderBy('messageAt').orderBy('id').limit(1).executeTakeFirst();
    if (due === undefined) return undefined;
    const delay = RETRY_MS[due.messageTries];
    const next = { messageTries: due.messageTries + 1, messageAt: delay === undefined ? null : now + delay };
    const take = tables(db).updateTable('notices').set(next).where('id', '=', due.id);
    const { numUpdatedRows } = await take.where('messageTries', '=', due.messageTries).executeTakeFirstOrThrow();
    if (numUpdatedRows === 1n) return due;
  }
}

async function send(
  db: Database,
  pool: AbstractSimplePool,
  { id, pubkey, text, messageTries }: NoticeTable,
  { key, relays, link, log }: Messenger,
): Promise<void> {
  const message = wrapEvent(key, { publicKey: pubkey }, `${text}\n\n${link}`);
  try {
    await Promise.any(pool.publish([...relays], message));
    await tables(db).updateTable('notices').set({ messageAt: null }).where('id', '=', id).execute();
  } catch {
    const isLast = RETRY_MS[messageTries] === undefined;
    log.warn({ notice: id }, `no relay accepted a notice${isLast ? '; it stays in the dashboard' : ''}`);
  }
}
