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

/** The error if a download failed. The message names the limit that was exceeded. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
  readonly reason: DownloadFailure;
  /** Number of milliseconds that the server asks clients to wait. Undefined if the server does not send it. */
  readonly retryAfterMs: number | undefined;

  constructor(reason: DownloadFailure, message: string, options: { cause?: unknown; retryAfterMs?: number } = {}) {
    super(message, options);
    this.reason = reason;
    this.retryAfterMs = options.retryAfterMs;
  }
}
