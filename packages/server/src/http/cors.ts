/** What a browser lets a page read of an answer, beside the usual. */
const EXPOSED_HEADERS = 'RateLimit, RateLimit-Policy, Retry-After, X-Request-Id';

/** These let any page read an answer. */
export const READABLE = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED_HEADERS,
} as const;
