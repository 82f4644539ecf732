import { randomInt } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { ServiceError } from '../../base/errors.ts';
import { hashSecret, isSameText } from './secrets.ts';

/** Time for which a code is valid. */
export const CODE_MS = 30 * 60_000;
/**
 * Number of wrong codes after which the code is void. Somebody who uses all tries guesses the six digits in one of
 * 200,000 starts of the service.
 */
const TRIES = 5;

/** Returns six random digits. */
export function newOperatorCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0');
}

/**
 * The code with which somebody who can read the terminal becomes the first operator. The code is kept only in memory.
 */
export class OperatorCode {
  readonly #hash: string;
  readonly #clock: Clock;
  readonly #expiresAt: number;
  #tries = TRIES;

  /** @param code six digits */
  constructor(code: string, clock: Clock) {
    this.#hash = hashSecret(code);
    this.#clock = clock;
    this.#expiresAt = clock.now() + CODE_MS;
  }

  isValid(): boolean {
    return this.#tries > 0 && this.#clock.now() < this.#expiresAt;
  }

  /**
   * Checks a code, and counts codes that are wrong. A text that does not have six digits is refused without being
   * counted.
   * @param given can contain spaces
   * @throws ServiceError `validation` if the code is wrong, or `conflict` if no code is valid any more
   */
  check(given: string): void {
    if (!this.isValid()) throw noCode();
    const digits = given.replaceAll(' ', '');
    if (!/^\d{6}$/.test(digits)) throw new ServiceError('validation', 'The code must have six digits');
    if (isSameText(hashSecret(digits), this.#hash)) return;
    this.#tries--;
    throw new ServiceError('validation', `The code is wrong. ${leftInWords(this.#tries)}`);
  }

  /** Makes the code void. */
  end(): void {
    this.#tries = 0;
  }
}

/** Returns the error for a service that has no code or whose code is void. */
export function noCode(): ServiceError {
  const message = 'No code is valid now: restart the service to get a new code, or run zoetrope operator add NPUB';
  return new ServiceError('conflict', message);
}

function leftInWords(tries: number): string {
  if (tries === 0) return 'That was the last try: restart the service to get a new code';
  return tries === 1 ? '1 try is left' : `${tries} tries are left`;
}
