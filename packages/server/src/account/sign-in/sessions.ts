import { ServiceError } from '../../base/errors.ts';
import type { Database } from '../../platform/db/index.ts';
import { tables } from '../tables.ts';
import { hashSecret, newSecret } from './secrets.ts';

/** A session ends after SESSION_MS even if it is used, and after IDLE_MS without use. */
export const SESSION_MS = 7 * 86_400_000;
const IDLE_MS = 86_400_000;

/** Minimum time between two updates of the stored time of last use. */
const SEEN_STEP_MS = 300_000;

const USER_AGENT_LENGTH = 200;

export interface Session {
  id: string;
  pubkey: string;
}

/** Creates a session. Only the hash of the secret is stored. The secret itself is in the browser's cookie. */
export async function createSession(
  db: Database,
  { pubkey, userAgent }: { pubkey: string; userAgent: string },
  now: number,
): Promise<{ session: Session; secret: string }> {
  await tables(db)
    .deleteFrom('sessions')
    .where((is) => is.or([is('expiresAt', '<=', now), is('lastSeenAt', '<=', now - IDLE_MS)]))
    .execute();
  const session = { id: crypto.randomUUID(), pubkey };
  const secret = newSecret();
  const times = { createdAt: now, lastSeenAt: now, expiresAt: now + SESSION_MS };
  await tables(db)
    .insertInto('sessions')
    .values({ ...session, ...times, hash: hashSecret(secret), userAgent: userAgent.slice(0, USER_AGENT_LENGTH) })
    .execute();
  return { session, secret };
}

/** Returns the session that has this secret, or null if no session has it or the session has expired. */
export async function findSession(db: Database, secret: string, now: number): Promise<Session | null> {
  if (secret === '') return null;
  const row = await running(db, now).where('hash', '=', hashSecret(secret)).executeTakeFirst();
  if (!row) return null;
  if (row.lastSeenAt <= now - SEEN_STEP_MS) {
    const seen = tables(db).updateTable('sessions').set({ lastSeenAt: now }).where('id', '=', row.id);
    // If the update fails, for example on a full disk, the session still works, so that an operator can hide a GIF. The
    // next request repeats the update.
    await seen.execute().catch(() => {});
  }
  return { id: row.id, pubkey: row.pubkey };
}

/** Returns all sessions of a user, latest first. */
export function listSessions(db: Database, pubkey: string, now: number) {
  return running(db, now).where('pubkey', '=', pubkey).orderBy('createdAt', 'desc').execute();
}

/** Ends a user's session. @throws ServiceError `not_found` */
export async function endSession(db: Database, { id, pubkey }: Session): Promise<void> {
  const ended = await tables(db)
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('pubkey', '=', pubkey)
    .executeTakeFirst();
  if (ended.numDeletedRows !== 1n) throw new ServiceError('not_found', 'No session has this id');
}

function running(db: Database, now: number) {
  return tables(db)
    .selectFrom('sessions')
    .select(['id', 'pubkey', 'userAgent', 'createdAt', 'lastSeenAt'])
    .where('expiresAt', '>', now)
    .where('lastSeenAt', '>', now - IDLE_MS);
}
