import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashKey, isKey, makeKey } from './api-key.ts';

test('keys differ, have the same form, and are checked without the registry', () => {
  const keys = new Set(Array.from({ length: 1_000 }, makeKey));
  expect(keys.size).toBe(1_000);
  expect(new Set([...keys].map(hashKey)).size).toBe(1_000);
  for (const key of keys) {
    expect(key).toMatch(/^zoe_[\dA-Za-z]{38}$/);
    expect(isKey(key)).toBe(true);
  }
});

test('a key with one changed character is invalid', () => {
  const key = makeKey();
  const change = fc.record({ at: fc.nat(key.length - 1), by: fc.stringMatching(/^[\dA-Za-z_]$/) });
  fc.assert(
    fc.property(change, ({ at, by }) => {
      fc.pre(key[at] !== by);
      expect(isKey(key.slice(0, at) + by + key.slice(at + 1))).toBe(false);
    }),
  );
});

test.each(['', 'zoe_', 'zoe_short', `foo_${makeKey().slice(4)}`, ` ${makeKey()}`, `${makeKey()}x`])(
  '%j is not a key',
  (text) => {
    expect(isKey(text)).toBe(false);
  },
);
