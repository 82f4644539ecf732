/** Binds a challenge to a browser. */
export const BROWSER_COOKIE = '__Host-pre';
/** The session of a browser. */
export const SESSION_COOKIE = '__Host-sid';

/** The value of a cookie; empty if there is none. */
export function readCookie(header: string | undefined, name: string): string {
  for (const pair of (header ?? '').split(';')) {
    const [key, ...value] = pair.trim().split('=');
    if (key === name) return value.join('=');
  }
  return '';
}

/**
 * A Set-Cookie header for this host only, Secure and HttpOnly.
 * @param maxAge in seconds; 0 deletes the cookie
 */
export function setCookie(name: string, value: string, sameSite: 'Strict' | 'Lax', maxAge: number): string {
  return `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=${sameSite}; Max-Age=${maxAge}`;
}
