import { ERRORS, type ErrorCode } from '@zoetrope/contract/errors';

/**
 * An error for callers. The code determines the HTTP status. Callers see the message, which names the field and its
 * bound. `retryAfter` is in seconds.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; retryAfter?: number | undefined } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryAfter = options.retryAfter;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** A mistake of the operator. The message names the variable, folder or command and says what to do. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

/** The error of a query that could not get a connection to the database. Its message is for operators. */
export class DatabaseAway extends Error {}
