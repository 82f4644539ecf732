import type { ErrorCode } from './contract.ts';

/**
 * What went wrong: a code of the service, or
 * - `unreachable`: there was no answer that a program may read. The service or the network is down; or, in a browser, the
 *   page's origin is not registered, which a browser cannot tell apart.
 * - `unreadable`: what came was not an answer of this API, as from a proxy or a portal in between.
 */
export type GifErrorCode = ErrorCode | 'unreachable' | 'unreadable';

interface Details {
  status?: number | undefined;
  retryAfter?: number | undefined;
  cause?: unknown;
}

/** The one error that calls of a client reject with, besides `AbortError` for a call that was aborted. */
export class GifError extends Error {
  override readonly name = 'GifError';
  readonly code: GifErrorCode;
  /** Of HTTP; undefined where no answer came. */
  readonly status: number | undefined;
  /** Seconds after which another try makes sense, where the service said so. */
  readonly retryAfter: number | undefined;

  constructor(code: GifErrorCode, message: string, { status, retryAfter, cause }: Details = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** Whether the same call may succeed later. */
  get isTemporary(): boolean {
    return this.code === 'rate_limited' || this.code === 'unreachable' || (this.status ?? 0) >= 500;
  }
}
