import { createHmac } from 'node:crypto';
import type { Database } from '../../platform/db/index.ts';
import { tables } from '../tables.ts';
import { refuseLogin } from './refuse-login.ts';
import { isSameText, newNonce, newSecret } from './secrets.ts';

/** Maximum time between the creation of a challenge and the sign-in that uses it. */
export const CHALLENGE_MS = 300_000;

/** Time for which used events are stored. An event is accepted for a shorter time, so no event can be used twice. */
const SEEN_MS = 180_000;

export interface NewChallenge {
  challenge: string;
  /** Cookie value that binds the challenge to this browser. In another browser, a signed challenge is useless. */
  browser: string;
  /** Milliseconds since the Unix epoch. */
  expiresAt: number;
}

/**
 * Creates a challenge. Nothing is stored, so nobody can fill the disk with challenges. Instead, the challenge has two
 * authentication codes (HMAC-SHA-256): one for the challenge itself, and one for the challenge and the browser's
 * cookie.
 */
export async function createChallenge(db: Database, now: number): Promise<NewChallenge> {
  const key = await challengeKey(db);
  const [browser, expiresAt] = [newSecret(), now + CHALLENGE_MS];
  const named = `${newNonce()}.${expiresAt}`;
  const challenge = [named, codeOf(key, named), codeOf(key, `${named} ${browser}`)].join('.');
  return { challenge, browser, expiresAt };
}

/**
 * Marks a challenge as used. A challenge works only once, and only in the browser that requested it.
 * @throws ServiceError `login_refused`
 */
export async function takeChallenge(
  db: Database,
  { challenge, browser }: Pick<NewChallenge, 'challenge' | 'browser'>,
  now: number,
): Promise<void> {
  const key = await challengeKey(db);
  const [nonce = '', expiry = '', own = '', bound = ''] = challenge.split('.');
  const named = `${nonce}.${expiry}`;
  if (!isSameText(own, codeOf(key, named)) || !(Number(expiry) >= now)) throw badChallenge();
  if (!isSameText(bound, codeOf(key, `${named} ${browser}`))) {
    throw refuseLogin('wrong_browser', 'the challenge was issued to another browser; sign in again in this one');
  }
  if (!(await isFirst(db, { id: `challenge ${nonce}`, expiresAt: Number(expiry) }))) throw badChallenge();
}

/** Records that an event was used to sign in. @throws ServiceError `login_refused` if it was used before */
export async function noteEvent(db: Database, id: string, now: number): Promise<void> {
  await tables(db).deleteFrom('seenEvents').where('expiresAt', '<', now).execute();
  if (!(await isFirst(db, { id, expiresAt: now + SEEN_MS }))) {
    throw refuseLogin('replay', 'this event has already been used to sign in; sign in again');
  }
}

/** Records a use of an event or a challenge. @returns whether it is the first use */
async function isFirst(db: Database, use: { id: string; expiresAt: number }): Promise<boolean> {
  const added = await tables(db)
    .insertInto('seenEvents')
    .values(use)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return added.numInsertedOrUpdatedRows === 1n;
}

/** Returns the key with which all processes of this database authenticate challenges. */
async function challengeKey(db: Database): Promise<string> {
  return (await tables(db).selectFrom('challengeKeys').select('key').executeTakeFirstOrThrow()).key;
}

function codeOf(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

function badChallenge() {
  return refuseLogin('bad_challenge', 'the challenge is unknown, already used or expired; sign in again');
}
