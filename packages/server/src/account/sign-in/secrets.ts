import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Returns 32 random bytes that identify a challenge, in hexadecimal. */
export function newNonce(): string {
  return randomBytes(32).toString('hex');
}

/** Returns 32 random bytes for a cookie. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Returns the stored hash of a secret, in hexadecimal. A fast hash is enough, because nobody can try out 2^256 secrets.
 */
export function hashSecret(secret: string | Uint8Array): string {
  return createHash('sha256').update(secret).digest('hex');
}

/**
 * Returns the CSRF token of a session. The token is derived from the secret in the cookie, which pages cannot read.
 * Therefore the token does not have to be stored.
 */
export function csrfToken(sessionSecret: string): string {
  return createHash('sha256').update(`csrf ${sessionSecret}`).digest('base64url');
}

/** Compares two strings in constant time. */
export function isSameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
