/** Name of the cookie that binds a challenge to a browser. */
export const BROWSER_COOKIE = '__Host-pre';
/** Name of the cookie that contains the secret of a browser's session. */
export const SESSION_COOKIE = '__Host-sid';

/** Returns the value of a cookie, or an empty string if the header does not contain that cookie. */
export function readCookie(header: string | undefined, name: string): string {
  for (const pair of (header ?? '').split(';')) {
    const [key, ...value] = pair.trim().split('=');
    if (key === name) return value.join('=');
  }
  return '';
}

/**
 * Returns a Set-Cookie header for this host only, Secure and HttpOnly.
 * @param maxAge maximum age in seconds; 0 deletes the cookie
 */
export function setCookie(name: string, value: string, sameSite: 'Strict' | 'Lax', maxAge: number): string {
  return `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=${sameSite}; Max-Age=${maxAge}`;
}
