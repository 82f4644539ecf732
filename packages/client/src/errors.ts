import type { ErrorCode } from './contract.ts';

/**
 * The cause of the error: one of the service's error codes, or one of the two codes below. A browser hides from a page
 * why the service refused the page's request. Therefore the client itself finds out whether the code is
 * `client_not_registered`. Its message names the origin, and the URL for registering it.
 * - `unreachable`: there was no readable response, because the service or the network is down.
 * - `unreadable`: the response did not come from this API, but for example from a proxy or a captive portal.
 */
export type GifErrorCode = ErrorCode | 'unreachable' | 'unreadable';

interface Details {
  status?: number | undefined;
  retryAfter?: number | undefined;
  cause?: unknown;
}

/** The error of all failed client calls. (A call that was aborted rejects with the reason of its signal.) */
export class GifError extends Error {
  override readonly name = 'GifError';
  readonly code: GifErrorCode;
  /** HTTP status, or undefined if there was no response. */
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
