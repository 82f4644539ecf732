import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { canonicalPattern, matchesPattern } from './pattern.ts';

test.each(['', 'short', '*****a*****', 'abcde*', 'x'.repeat(201), 'Wisp/1.0\n*', 'Wïsp/1.0'])(
  '%j is not a valid pattern',
  (text) => {
    expect(() => canonicalPattern(text)).toThrow(expect.objectContaining({ code: 'validation' }));
  },
);

test.each([
  'Wisp/1.2',
  'Wisp/*',
  'Mozilla/5.0 * Wisp/*',
  'okhttp-Wisp/*',
  'Nostur/*',
  'Wisp/* (Android 14)',
  'Wisp/1 CFNetwork/*',
])('%s names one app', (text) => {
  expect(canonicalPattern(text)).toBe(text);
});

test.each([
  'Mozilla/*',
  'mozilla/5.0*',
  'Mozilla/5.0 (*',
  '*Chrome/*',
  '* Safari/*',
  '*iPhone*',
  'okhttp/*',
  'okhttp/3.*',
  'curl/8*',
  'python-requests/*',
  'Dart/*',
  'undici*',
  '*CFNetwork/*',
  '* Darwin/24*',
  '*Android 14*',
  '*(Android 13)',
  '*; iOS 18*',
  '*Alamofire/5*',
])('%s would admit strangers', (text) => {
  expect(() => canonicalPattern(text)).toThrow(/register one that names your app|at least 6/);
});

test.each([
  ['Wisp/*', 'Wisp/1.0 (iOS)', true],
  ['Wisp/*', 'Wisp/', true],
  ['Wisp/*', 'wisp/1.0', false],
  ['Wisp/*', 'Not Wisp/1.0', false],
  ['Wisp/1.0', 'Wisp/1.0', true],
  ['Wisp/1.0', 'Wisp/1.0 ', false],
  ['Wisp/1.0', 'Wisp/1x0', false],
  ['*aba*aba*', 'ababa', false],
  ['*aba*aba*', 'abaaba', true],
  ['aba*aba', 'ababa', false],
  ['Wisp*/1.0*0', 'Wisp/1.0', false],
  ['Wisp*/1.0*0', 'Wisp/1.00', true],
])('%s of %s: %s', (pattern, text, expected) => {
  expect(matchesPattern(pattern, text)).toBe(expected);
});

test('matches the same texts as a regular expression', () => {
  const unit = fc.constantFrom('a', 'b', '*');
  const pattern = fc.string({ unit, maxLength: 12 }).map((text) => text.replace(/\*+/g, '*'));
  const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 20 });
  fc.assert(
    fc.property(pattern, text, (glob, agent) => {
      const expression = new RegExp(`^${glob.replaceAll('*', '.*')}$`);
      expect(matchesPattern(glob, agent)).toBe(expression.test(agent));
    }),
    { numRuns: 2_000 * inject('cases') },
  );
});

test('no pattern takes exponential time', () => {
  const pattern = `${'*a'.repeat(99)}*b`;
  expect(matchesPattern(pattern, 'a'.repeat(100_000))).toBe(false);
});
