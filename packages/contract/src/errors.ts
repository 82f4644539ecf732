/**
 * All error codes with their HTTP status. The specification fixes some codes. The names of the other codes are names
 * that existing clients already understand. `browserReadable: false` marks responses that the server sends before it
 * adds CORS headers.
 */
export const ERRORS = {
  validation: { status: 400, browserReadable: true, summary: 'A parameter is missing or out of range' },
  client_not_registered: {
    status: 403,
    browserReadable: false,
    summary: 'The request does not identify a registered client',
  },
  adult_not_allowed: { status: 403, browserReadable: true, summary: 'safe=0 is refused: adult GIFs are not served' },
  not_found: { status: 404, browserReadable: true, summary: 'No GIF has this id' },
  method_not_allowed: { status: 405, browserReadable: true, summary: 'Only GET and HEAD are served' },
  uri_too_long: { status: 414, browserReadable: true, summary: 'The request URL is too long' },
  headers_too_large: { status: 431, browserReadable: true, summary: 'The request headers are too large' },
  rate_limited: { status: 429, browserReadable: true, summary: 'Too many requests; wait for Retry-After seconds' },
  not_signed_in: { status: 401, browserReadable: true, summary: 'You are not signed in: sign in with Nostr' },
  login_refused: { status: 401, browserReadable: true, summary: 'The signed event does not prove who you are' },
  forbidden: {
    status: 403,
    browserReadable: true,
    summary: 'This account is not allowed to do that, or not from this page',
  },
  conflict: {
    status: 409,
    browserReadable: true,
    summary: 'The value is already taken, or the current state does not allow this',
  },
  limit_reached: { status: 409, browserReadable: true, summary: 'The client already has the maximum number of these' },
  unsupported_media_type: { status: 415, browserReadable: true, summary: 'The request body must be JSON' },
  fee_unavailable: { status: 503, browserReadable: true, summary: 'No invoice can be created right now' },
  internal: {
    status: 500,
    browserReadable: true,
    summary: 'Internal error; the operator can find the cause in the log by the request id',
  },
  registry_unavailable: {
    status: 503,
    browserReadable: false,
    summary: 'The client registry is unavailable right now',
  },
  embedder_unavailable: {
    status: 503,
    browserReadable: true,
    summary: 'Semantic search is unavailable; mode=text still works',
  },
  upstream_unavailable: {
    status: 503,
    browserReadable: true,
    summary: 'A part of the service that this response needs is unavailable',
  },
} as const satisfies Record<string, { status: number; browserReadable: boolean; summary: string }>;

export type ErrorCode = keyof typeof ERRORS;
