export type DownloadFailure =
  | 'bad_url'
  | 'private_address'
  | 'no_such_host'
  | 'unreachable'
  | 'timed_out'
  | 'gone'
  | 'bad_status'
  | 'too_many_requests'
  | 'too_many_redirects'
  | 'wrong_content_type'
  | 'too_large';

/** Why a download gave no bytes; the message names the bound that was met. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
  readonly reason: DownloadFailure;
  /** Milliseconds that the server wants to be left alone; undefined where it does not say. */
  readonly retryAfterMs: number | undefined;

  constructor(reason: DownloadFailure, message: string, options: { cause?: unknown; retryAfterMs?: number } = {}) {
    super(message, options);
    this.reason = reason;
    this.retryAfterMs = options.retryAfterMs;
  }
}
