import type { ErrorCode } from './contract.ts';

/**
 * What went wrong: one of the service's error codes, or one of the two below. A page cannot read why it was refused, so in a
 * browser the client finds out itself that the code is `client_not_registered`. The message names the origin, and where to
 * register it.
 * - `unreachable`: no readable response, because the service or the network is down.
 * - `unreadable`: the response was not from this API, but for example from a proxy or a captive portal.
 */
export type GifErrorCode = ErrorCode | 'unreachable' | 'unreadable';

interface Details {
  status?: number | undefined;
  retryAfter?: number | undefined;
  cause?: unknown;
}

/** The only error that client calls reject with, besides `AbortError` when aborted. */
export class GifError extends Error {
  override readonly name = 'GifError';
  readonly code: GifErrorCode;
  /** HTTP status, or undefined without a response. */
  readonly status: number | undefined;
  /** Number of seconds to wait before trying again, if the service sent it. */
  readonly retryAfter: number | undefined;

  constructor(code: GifErrorCode, message: string, { status, retryAfter, cause }: Details = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** Returns whether the same call could succeed later. */
  get isTemporary(): boolean {
    return this.code === 'rate_limited' || this.code === 'unreachable' || (this.status ?? 0) >= 500;
  }
}
