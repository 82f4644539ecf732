import { expect, test } from 'vitest';
import { CODE_MS, newOperatorCode, OperatorCode } from './operator-code.ts';

const CODE = '482913';
const WRONG = '000000';

/** Returns a code, and the clock with which the code expires. */
function offer(): { code: OperatorCode; time: { ms: number } } {
  const time = { ms: Date.UTC(2026, 0, 1) };
  return { code: new OperatorCode(CODE, { now: () => time.ms }), time };
}

test('accepts the code with and without spaces', () => {
  const { code } = offer();
  for (const given of [CODE, '482 913', ' 482 913 ']) expect(() => code.check(given)).not.toThrow();
});

test('reports how many tries are left, and is void after five wrong codes', () => {
  const { code } = offer();
  for (const left of ['4 tries are left', '3 tries are left', '2 tries are left', '1 try is left', 'the last try']) {
    expect(code.isValid()).toBe(true);
    expect(() => code.check(WRONG)).toThrow(left);
  }
  expect(code.isValid()).toBe(false);
  expect(() => code.check(CODE)).toThrow('No code is valid now');
});

test('does not count a text without six digits', () => {
  const { code } = offer();
  for (let n = 0; n < 10; n++) expect(() => code.check('48291')).toThrow('code must have six digits');
  expect(() => code.check(WRONG)).toThrow('4 tries are left');
});

test('expires after 30 minutes', () => {
  const { code, time } = offer();
  time.ms += CODE_MS - 1;
  expect(() => code.check(CODE)).not.toThrow();
  time.ms += 1;
  expect(code.isValid()).toBe(false);
  expect(() => code.check(CODE)).toThrow('No code is valid now');
});

test('is void after it was ended', () => {
  const { code } = offer();
  code.end();
  expect(code.isValid()).toBe(false);
  expect(() => code.check(CODE)).toThrow('No code is valid now');
});

test('new codes have six digits and differ', () => {
  const codes = Array.from({ length: 100 }, newOperatorCode);
  for (const code of codes) expect(code).toMatch(/^\d{6}$/);
  expect(new Set(codes).size).toBeGreaterThan(90);
});
