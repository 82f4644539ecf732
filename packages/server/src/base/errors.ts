import { ERRORS, type ErrorCode } from '@zoetrope/contract';

/**
 * What a room throws when a caller must hear of it: the code decides the status, the message is
 * shown to the caller and names the field and its bound. `retryAfter` is in seconds.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; retryAfter?: number } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryAfter = options.retryAfter;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** An operator's mistake: the message names the variable, folder or command and says what to do about it. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
