import { nsecEncode } from 'nostr-tools/nip19';
import { expect, test } from 'vitest';
import { OperatorError } from '../../base/errors.ts';
import { readSecretKey } from './secret-key.ts';

const HEX = '0123456789abcdef'.repeat(4);
const NSEC = nsecEncode(Uint8Array.from(Buffer.from(HEX, 'hex')));

test('an nsec and its hexadecimal digits are the same key', () => {
  expect(Buffer.from(readSecretKey(HEX)).toString('hex')).toBe(HEX);
  expect(Buffer.from(readSecretKey(NSEC)).toString('hex')).toBe(HEX);
});

test('an nsec with a typing error is refused, and the message does not repeat it', () => {
  const wrong = NSEC.replace(/.$/, (last) => (last === 'q' ? 'p' : 'q'));
  expect(() => readSecretKey(wrong)).toThrow(OperatorError);
  expect(() => readSecretKey(wrong)).toThrow(/^ZOETROPE_NOSTR_KEY is not a valid nsec: a character is wrong$/);
});
