import type { Database } from '../../platform/db/index.ts';
import { tables } from '../tables.ts';
import { refuseLogin } from './refuse-login.ts';
import { hashSecret, newChallenge, newSecret } from './secrets.ts';

/** Maximum time between the creation of a challenge and the sign-in that uses it. */
export const CHALLENGE_MS = 300_000;

/** Time for which used events are stored. Events are accepted for a shorter time, so no event can be used twice. */
const SEEN_MS = 180_000;

export interface NewChallenge {
  challenge: string;
  /** Cookie value that binds the challenge to this browser. In another browser, a signed challenge is useless. */
  browser: string;
  /** Milliseconds since the Unix epoch. */
  expiresAt: number;
}

/** Creates a challenge and deletes expired challenges. */
export async function createChallenge(db: Database, now: number): Promise<NewChallenge> {
  const made = { challenge: newChallenge(), browser: newSecret(), expiresAt: now + CHALLENGE_MS };
  await tables(db).deleteFrom('challenges').where('expiresAt', '<', now).execute();
  await tables(db)
    .insertInto('challenges')
    .values({ hash: hashSecret(made.challenge), browser: hashSecret(made.browser), expiresAt: made.expiresAt })
    .execute();
  return made;
}

/**
 * Uses up a challenge. A challenge works only once, and only in the browser that requested it.
 * @throws ServiceError `login_refused`
 */
export async function takeChallenge(
  db: Database,
  { challenge, browser }: Pick<NewChallenge, 'challenge' | 'browser'>,
  now: number,
): Promise<void> {
  const hash = hashSecret(challenge);
  const known = await tables(db).selectFrom('challenges').selectAll().where('hash', '=', hash).executeTakeFirst();
  if (!known || known.expiresAt < now) throw badChallenge();
  if (known.browser !== hashSecret(browser)) {
    throw refuseLogin('wrong_browser', 'the challenge was issued to another browser; sign in again in this one');
  }
  const { numDeletedRows } = await tables(db)
    .deleteFrom('challenges')
    .where('hash', '=', hash)
    .executeTakeFirstOrThrow();
  if (numDeletedRows !== 1n) throw badChallenge();
}

/** Records that an event was used to sign in. @throws ServiceError `login_refused` if it was used before */
export async function noteEvent(db: Database, id: string, now: number): Promise<void> {
  await tables(db).deleteFrom('seenEvents').where('expiresAt', '<', now).execute();
  const row = { id, expiresAt: now + SEEN_MS };
  const added = await tables(db)
    .insertInto('seenEvents')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (added.numInsertedOrUpdatedRows !== 1n) {
    throw refuseLogin('replay', 'this event has already been used to sign in; sign in again');
  }
}

function badChallenge() {
  return refuseLogin('bad_challenge', 'the challenge is unknown, already used or expired; sign in again');
}
