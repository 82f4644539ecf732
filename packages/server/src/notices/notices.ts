import { newId, ownersOf } from '../identifiers/index.ts';
import type { Database } from '../platform/db/index.ts';
import { type NoticeTable, tables } from '../registry/index.ts';

const DAY_MS = 86_400_000;
/** Time for which notices are kept. */
const KEPT_MS = 90 * DAY_MS;
/** Maximum number of notices that a person sees. */
const SHOWN = 100;
/** Time before a key expires at which its owners get a notice. */
const EXPIRY_MS = 3 * DAY_MS;

/** A notice to write. */
export interface NewNotice {
  clientId: string;
  /** Returns the text of the notice, one or more sentences, for a client with this name. */
  text(name: string): string;
  /** The subject of the notice. If set, each person gets only one notice about this subject. */
  about?: string;
  /** Milliseconds since the Unix epoch. */
  now: number;
}

/** Adds a notice for each owner of a client. Does nothing if the client does not exist. Must run within a change. */
export async function notifyOwners(trx: Database, notice: NewNotice): Promise<void> {
  await notify(trx, await ownersOf(trx, notice.clientId), notice);
}

/** Adds a notice for each of these people, with a link to the client. */
export async function notify(trx: Database, pubkeys: readonly string[], notice: NewNotice): Promise<void> {
  const { clientId, text, about = null, now } = notice;
  const client = await tables(trx).selectFrom('clients').select('name').where('id', '=', clientId).executeTakeFirst();
  await tables(trx)
    .deleteFrom('notices')
    .where('createdAt', '<=', now - KEPT_MS)
    .execute();
  if (client === undefined || pubkeys.length === 0) return;
  const wanting = await tables(trx)
    .selectFrom('noticeMessages')
    .select('pubkey')
    .where('pubkey', 'in', pubkeys)
    .execute();
  const shared = { clientId, text: text(client.name), createdAt: now, readAt: null, about, messageTries: 0 };
  const messageAt = (pubkey: string) => (wanting.some((row) => row.pubkey === pubkey) ? now : null);
  await tables(trx)
    .insertInto('notices')
    .values(pubkeys.map((pubkey) => ({ ...shared, pubkey, id: newId(), messageAt: messageAt(pubkey) })))
    .onConflict((conflict) => conflict.columns(['pubkey', 'about']).doNothing())
    .execute();
}

/** Adds notices about keys that expire within three days. Each owner gets one notice for each key. */
export async function notifyOfExpiry(db: Database, now: number): Promise<void> {
  const keys = await tables(db)
    .selectFrom('keys')
    .select(['id', 'clientId', 'name', 'expiresAt'])
    .where('expiresAt', '>', now)
    .where('expiresAt', '<=', now + EXPIRY_MS)
    .execute();
  for (const { id, clientId, name, expiresAt } of keys) {
    const on = `${new Date(expiresAt!).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
    const text = (client: string) =>
      `The key “${name}” of ${client} expires on ${on}. Apps with this key are refused from then on. You can rotate it.`;
    await notifyOwners(db, { clientId, text, about: `expiry of key ${id} at ${expiresAt}`, now });
  }
}

/** Returns a person's notices, latest first. */
export function listNotices(db: Database, pubkey: string): Promise<NoticeTable[]> {
  return tables(db)
    .selectFrom('notices')
    .selectAll()
    .where('pubkey', '=', pubkey)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(SHOWN)
    .execute();
}

/** Returns the number of notices that a person has not seen. */
export async function countUnread(db: Database, pubkey: string): Promise<number> {
  const unread = tables(db).selectFrom('notices').where('pubkey', '=', pubkey).where('readAt', 'is', null);
  return (await unread.select(({ fn }) => fn.countAll<number>().as('n')).executeTakeFirstOrThrow()).n;
}

/** Records that a person has seen all notices up to and including this time. */
export async function readNotices(
  db: Database,
  { pubkey, until, now }: { pubkey: string; until: number; now: number },
): Promise<void> {
  const unread = tables(db).updateTable('notices').set({ readAt: now }).where('pubkey', '=', pubkey);
  await unread.where('readAt', 'is', null).where('createdAt', '<=', until).execute();
}

/** Returns whether a person wants their notices as direct messages. */
export async function wantsMessages(db: Database, pubkey: string): Promise<boolean> {
  const row = await tables(db)
    .selectFrom('noticeMessages')
    .select('pubkey')
    .where('pubkey', '=', pubkey)
    .executeTakeFirst();
  return row !== undefined;
}

/** Records whether a person wants their notices as direct messages. Messages that have not been sent are dropped. */
export async function chooseMessages(db: Database, pubkey: string, wants: boolean): Promise<void> {
  if (wants) {
    const add = tables(db).insertInto('noticeMessages').values({ pubkey });
    await add.onConflict((conflict) => conflict.doNothing()).execute();
    return;
  }
  await tables(db).deleteFrom('noticeMessages').where('pubkey', '=', pubkey).execute();
  await tables(db).updateTable('notices').set({ messageAt: null }).where('pubkey', '=', pubkey).execute();
}
