import { describe, expect, test } from 'vitest';
import { isNotModified, readRange } from './conditional.ts';

const ETAG = '"abc"';

describe('readRange of 10 bytes', () => {
  test.each([
    ['bytes=0-1', { start: 0, end: 1 }],
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=3-', { start: 3, end: 9 }],
    ['bytes=9-', { start: 9, end: 9 }],
    ['bytes=0-9', { start: 0, end: 9 }],
    ['bytes=5-99', { start: 5, end: 9 }],
    ['bytes=-4', { start: 6, end: 9 }],
    ['bytes=-99', { start: 0, end: 9 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=99-100', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-4', null],
    ['bytes=-', null],
    ['bytes=0-1,3-4', null],
    ['bytes=a-b', null],
    ['bytes=1e3-', null],
    ['bytes= 0-1', null],
    ['items=0-1', null],
    [`bytes=${'9'.repeat(400)}-`, null],
    ['', null],
    [undefined, null],
  ])('%s', (range, expected) => {
    expect(readRange({ range }, ETAG, 10)).toEqual(expected);
  });

  test('a matching If-Range keeps the range; any other value, even a date, drops it', () => {
    const range = 'bytes=0-1';
    expect(readRange({ range, 'if-range': ETAG }, ETAG, 10)).toEqual({ start: 0, end: 1 });
    expect(readRange({ range, 'if-range': '"other"' }, ETAG, 10)).toBeNull();
    expect(readRange({ range, 'if-range': `W/${ETAG}` }, ETAG, 10)).toBeNull();
    expect(readRange({ range, 'if-range': 'Wed, 21 Oct 2015 07:28:00 GMT' }, ETAG, 10)).toBeNull();
  });
});

test.each([
  [undefined, false],
  ['"abc"', true],
  ['W/"abc"', true],
  ['"x", "abc"', true],
  ['*', true],
  ['"x", *', true],
  ['"x"', false],
  ['abc', false],
])('isNotModified with If-None-Match %s', (header, expected) => {
  expect(isNotModified(header, ETAG)).toBe(expected);
});
