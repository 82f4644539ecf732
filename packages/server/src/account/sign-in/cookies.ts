/** Of a browser that signs in: binds the challenge to it. */
export const BROWSER_COOKIE = '__Host-pre';
/** Of a browser that is signed in. */
export const SESSION_COOKIE = '__Host-sid';

/** The value of a cookie; empty when there is none. */
export function readCookie(header: string | undefined, name: string): string {
  for (const pair of (header ?? '').split(';')) {
    const [key, ...value] = pair.trim().split('=');
    if (key === name) return value.join('=');
  }
  return '';
}

/**
 * A Set-Cookie for this host alone, over TLS or on this machine, which no script reads.
 * @param maxAge in seconds; 0 forgets it
 */
export function setCookie(name: string, value: string, sameSite: 'Strict' | 'Lax', maxAge: number): string {
  return `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=${sameSite}; Max-Age=${maxAge}`;
}
