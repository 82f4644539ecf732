/** What a browser lets a page read of an answer, beside the usual. */
export const EXPOSED_HEADERS = 'RateLimit, RateLimit-Policy, Retry-After, X-Request-Id';
