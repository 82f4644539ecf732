import { expect, test } from 'vitest';
import type { StoredClaim } from './claims.ts';
import { isMarked } from './marks.ts';

const NOBODY_COUNTS = { needed: 0, counts: () => false };

function claim(seq: number, author: string, { adult = false, withdrawn = false } = {}): StoredClaim {
  return { seq, author, adult, withdrawn } as StoredClaim;
}

test('a mark counts immediately if its author was the first to claim the GIF, or the first whose claim still exists', () => {
  const [poster, later] = [claim(1, 'poster'), claim(2, 'later', { adult: true })];
  expect(isMarked([poster, later], NOBODY_COUNTS)).toBe(false);
  expect(isMarked([later, poster], NOBODY_COUNTS)).toBe(false);
  const deleted = claim(1, 'poster', { withdrawn: true });
  expect(isMarked([deleted, later], NOBODY_COUNTS)).toBe(true);
  expect(isMarked([deleted, claim(2, 'second'), claim(3, 'third', { adult: true })], NOBODY_COUNTS)).toBe(false);
  expect(isMarked([claim(1, 'poster', { adult: true, withdrawn: true })], NOBODY_COUNTS)).toBe(true);
});

test('marks of other authors count when enough trusted authors agree', () => {
  const claims = [
    claim(1, 'poster'),
    ...['a', 'b', 'b', 'x'].map((author, n) => claim(n + 2, author, { adult: true })),
  ];
  const counts = (author: string) => author !== 'x';
  expect(isMarked(claims, { needed: 2, counts })).toBe(true);
  expect(isMarked(claims, { needed: 3, counts })).toBe(false);
  expect(isMarked(claims, { needed: 0, counts })).toBe(false);
});
