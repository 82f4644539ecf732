import { decode } from 'nostr-tools/nip19';
import { OperatorError } from '../../base/errors.ts';

/**
 * Returns the secret key that an nsec or 64 hexadecimal digits stand for. Throws OperatorError without the key, because
 * messages are logged.
 * @param text the value of ZOETROPE_NOSTR_KEY
 */
export function readSecretKey(text: string): Uint8Array {
  if (!text.startsWith('nsec1')) return Uint8Array.from(Buffer.from(text, 'hex'));
  try {
    return decode(text as `nsec1${string}`).data;
  } catch {
    throw new OperatorError('ZOETROPE_NOSTR_KEY is not a valid nsec: a character is wrong');
  }
}
