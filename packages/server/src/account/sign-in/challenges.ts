import type { Database } from '../../platform/db/index.ts';
import { refuseLogin } from './refuse-login.ts';
import { hashSecret, newChallenge, newSecret } from './secrets.ts';

/** How long somebody may take to sign. */
export const CHALLENGE_MS = 300_000;

/** Longer than an event is fresh on either side of now, so that none is forgotten while it would be taken. */
const SEEN_MS = 180_000;

export interface NewChallenge {
  challenge: string;
  /** For a cookie of the browser that asks; what others sign with this challenge is of no use without it. */
  browser: string;
  /** Milliseconds since the Unix epoch. */
  expiresAt: number;
}

/** Makes a challenge; those nobody took in time go. */
export async function createChallenge(db: Database, now: number): Promise<NewChallenge> {
  const made = { challenge: newChallenge(), browser: newSecret(), expiresAt: now + CHALLENGE_MS };
  await db.deleteFrom('challenges').where('expiresAt', '<', now).execute();
  await db
    .insertInto('challenges')
    .values({ hash: hashSecret(made.challenge), browser: hashSecret(made.browser), expiresAt: made.expiresAt })
    .execute();
  return made;
}

/**
 * Uses a challenge up, once whoever asks at the same time, and only in the browser that it was made for.
 * @throws ServiceError `login_refused`
 */
export async function takeChallenge(
  db: Database,
  { challenge, browser }: Pick<NewChallenge, 'challenge' | 'browser'>,
  now: number,
): Promise<void> {
  const hash = hashSecret(challenge);
  const known = await db.selectFrom('challenges').selectAll().where('hash', '=', hash).executeTakeFirst();
  if (!known || known.expiresAt < now) throw badChallenge();
  if (known.browser !== hashSecret(browser)) {
    throw refuseLogin('wrong_browser', 'the challenge was given to another browser; sign in again in this one');
  }
  const { numDeletedRows } = await db.deleteFrom('challenges').where('hash', '=', hash).executeTakeFirstOrThrow();
  if (numDeletedRows !== 1n) throw badChallenge();
}

/** Notes that an event has signed somebody in. @throws ServiceError `login_refused` when it did so before */
export async function noteEvent(db: Database, id: string, now: number): Promise<void> {
  await db.deleteFrom('seenEvents').where('expiresAt', '<', now).execute();
  const row = { id, expiresAt: now + SEEN_MS };
  const added = await db
    .insertInto('seenEvents')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (added.numInsertedOrUpdatedRows !== 1n) {
    throw refuseLogin('replay', 'this event has signed somebody in already; sign in again');
  }
}

function badChallenge() {
  return refuseLogin('bad_challenge', 'the challenge is unknown, used or too old; sign in again');
}
