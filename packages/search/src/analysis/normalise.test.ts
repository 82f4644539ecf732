import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { normalise, normaliseQuery } from './normalise.ts';

const anyString = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
);

test.each([
  ['  Happy\t\n DANCE ', 'happy dance'],
  ['ＦＵＬＬ　ｗｉｄｔｈ', 'full width'],
  ['ΟΔΟΣ', 'οδος'],
  ['İst', 'ist'],
  ['i\u0307\u0307\u0301', 'í'],
  ['ışık', 'ışık'],
  ['a\0b\u202ec', 'a bc'],
  ['\ud83d!', '\ufffd!'],
  ['‼️ 🈁', '‼️ 🈁'],
])('%j becomes %j', (query, normal) => {
  expect(normaliseQuery(query)).toBe(normal);
});

test('only the first 100 characters are kept', () => {
  expect(normaliseQuery('x'.repeat(101))).toBe('x'.repeat(100));
  expect(normaliseQuery('😀'.repeat(101))).toBe('😀'.repeat(100));
  expect(normaliseQuery(`${'x'.repeat(99)} y`)).toBe('x'.repeat(99));
});

test('the cut never splits a grapheme', () => {
  const family = '👨‍👩‍👧‍👦';
  expect(normaliseQuery(`${'x'.repeat(97)}${family}`)).toBe('x'.repeat(97));
  expect(normaliseQuery(`${'x'.repeat(99)}🇩🇪`)).toBe('x'.repeat(99));
  expect([...normaliseQuery(`q${'\u0489'.repeat(500)}`)]).toHaveLength(100);
});

test('any string has an idempotent normal form of at most 100 characters', () => {
  const long = fc.array(anyString, { minLength: 1, maxLength: 30 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.oneof(anyString, long), (query) => {
      const normal = normaliseQuery(query);
      expect([...normal].length).toBeLessThanOrEqual(100);
      expect(normal.isWellFormed()).toBe(true);
      expect(normaliseQuery(normal)).toBe(normal);
    }),
    { numRuns: 2_000 * inject('cases') },
  );
});

test('every character has an idempotent normal form', () => {
  for (let code = 0; code <= 0x10ffff; code++) {
    const normal = normalise(`x${String.fromCodePoint(code)}`);
    if (normalise(normal) !== normal) expect.fail(`U+${code.toString(16)}`);
  }
});
