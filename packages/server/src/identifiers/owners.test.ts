import { expect, test } from 'vitest';
import { ServiceError } from '../base/errors.ts';
import { canonicalPubkey } from './owners.ts';

const KEY = 'ab'.repeat(32);

test('a public key is accepted in upper case and with spaces around it', () => {
  expect(canonicalPubkey(` ${KEY.toUpperCase()}\n`)).toBe(KEY);
});

test.each([KEY.slice(1), `${KEY}a`, `${KEY.slice(1)}g`, ''])('%j is not a public key', (text) => {
  expect(() => canonicalPubkey(text)).toThrow(`pubkey must be 64 hexadecimal digits, not ${text}`);
});

test('the refusal of a very long public key repeats only its beginning', () => {
  const refusal = `pubkey must be 64 hexadecimal digits, not ${'x'.repeat(100)}`;
  expect(() => canonicalPubkey('x'.repeat(100_000))).toThrow(new ServiceError('validation', refusal));
});
