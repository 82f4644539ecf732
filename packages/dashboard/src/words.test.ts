import { expect, test } from 'vitest';
import { bytesInWords, countdown, spanOf } from './words.ts';

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1_000, '1 kB'],
  [1_540, '1.5 kB'],
  [12_345_678, '12 MB'],
  [3e12, '3 TB'],
  [5e15, '5,000 TB'],
])('%d bytes are %s', (bytes, words) => {
  expect(bytesInWords(bytes)).toBe(words);
});

test.each([
  [-5, '0:00'],
  [1, '0:01'],
  [59_001, '1:00'],
  [725_000, '12:05'],
])('%d ms are left: %s', (milliseconds, shown) => {
  expect(countdown(milliseconds)).toBe(shown);
});

test.each([
  [89, '89 sec'],
  [90, '2 min'],
  [5_399, '90 min'],
  [5_400, '1.5 hr'],
])('%d s are %s', (seconds, words) => {
  expect(spanOf(seconds)).toBe(words);
});
