import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 32 random bytes: a challenge, in the form that is signed. */
export function newChallenge(): string {
  return randomBytes(32).toString('hex');
}

/** 32 random bytes: what a cookie holds. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What is kept of a secret, in hexadecimal. A fast hash is enough: nobody tries out 256 bits. */
export function hashSecret(secret: string | Uint8Array): string {
  return createHash('sha256').update(secret).digest('hex');
}

/**
 * The token that a page must show beside its session's cookie. It follows from the secret that pages cannot read, so that
 * nothing has to be kept of it.
 */
export function csrfToken(sessionSecret: string): string {
  return createHash('sha256').update(`csrf ${sessionSecret}`).digest('base64url');
}

/** Compares texts of which one is secret in a time that does not tell where they differ. */
export function isSameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
