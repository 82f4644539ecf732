/**
 * Every error code a caller can meet, with its status. The specification names some codes and
 * leaves others open; the open ones carry the names that existing clients already understand.
 * `browserReadable: false` marks the answers that leave before any CORS header is added.
 */
export const ERRORS = {
  validation: { status: 400, browserReadable: true, summary: 'A parameter is missing or out of its bounds' },
  client_not_registered: {
    status: 403,
    browserReadable: false,
    summary: 'The request does not identify a registered client',
  },
  adult_not_allowed: { status: 403, browserReadable: true, summary: 'safe=0 was asked for; adult GIFs are not served' },
  not_found: { status: 404, browserReadable: true, summary: 'No GIF has this id' },
  method_not_allowed: { status: 405, browserReadable: true, summary: 'Only GET and HEAD are served' },
  uri_too_long: { status: 414, browserReadable: true, summary: 'The request address is too long' },
  headers_too_large: { status: 431, browserReadable: true, summary: 'The request headers are too large' },
  rate_limited: { status: 429, browserReadable: true, summary: 'Too many requests; wait for Retry-After seconds' },
  not_signed_in: { status: 401, browserReadable: true, summary: 'The dashboard wants a session: sign in with Nostr' },
  login_refused: { status: 401, browserReadable: true, summary: 'The signed event does not prove who signs in' },
  forbidden: { status: 403, browserReadable: true, summary: 'This account may not do that, or not from that page' },
  conflict: {
    status: 409,
    browserReadable: true,
    summary: 'Somebody has it already, or it is not in a state for that',
  },
  limit_reached: { status: 409, browserReadable: true, summary: 'There are as many of these as a client may have' },
  unsupported_media_type: { status: 415, browserReadable: true, summary: 'A body must be JSON' },
  fee_unavailable: { status: 503, browserReadable: true, summary: 'No invoice can be made right now' },
  internal: {
    status: 500,
    browserReadable: true,
    summary: 'The service failed; the request id finds the cause in its log',
  },
  registry_unavailable: {
    status: 503,
    browserReadable: false,
    summary: 'The client registry cannot be asked right now',
  },
  embedder_unavailable: {
    status: 503,
    browserReadable: true,
    summary: 'Search by meaning is down; mode=text still works',
  },
  upstream_unavailable: { status: 503, browserReadable: true, summary: 'A part this answer needs is not available' },
} as const satisfies Record<string, { status: number; browserReadable: boolean; summary: string }>;

export type ErrorCode = keyof typeof ERRORS;
