import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { counted, cutTo, oneLine, problemOfText, withoutControls } from './plain-text.ts';

/** Texts full of characters that control terminals or reorder text. */
const hostile = fc
  .array(
    fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\u001b[2J', '\u202e', '\u2066', '\n', '\r', '\u0085')),
  )
  .map((parts) => parts.join(''));

test.each([
  ['a\u001b[2Jb', 'a [2Jb'],
  ['fig\u202e.exe', 'fig .exe'],
  ['one\r\n two\u2028three', 'one two three'],
  [' \u05d0\u200f! \u200e', '\u05d0\u200f! \u200e'],
  ['\u{1f468}\u200d\u{1f469}\u200d\u{1f467}', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'],
])('%j becomes %j on one line', (text, line) => {
  expect(oneLine(text)).toBe(line);
});

test('cleaned texts contain nothing that would be refused', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(problemOfText(oneLine(text), 'line')).toBeUndefined();
      expect(problemOfText(withoutControls(text), 'lines')).toBeUndefined();
      expect(withoutControls(text).split('\n')).toHaveLength(text.split('\n').length);
    }),
    { numRuns: 500 * inject('cases') },
  );
});

describe('a typed text', () => {
  test.each(['Wisp', 'Zwei\tWörter', '\u05d0\u200f!', '\u{1f3f4}\u{e0067}\u{e007f}'])('%j is accepted', (text) => {
    expect(problemOfText(text, 'line')).toBeUndefined();
  });

  test.each([
    ['\u001b]0;owned\u0007', 'such as U+001B'],
    ['a\u202eb', 'such as U+202E'],
    ['a\u2067b', 'such as U+2067'],
    ['a\u0000', 'such as U+0000'],
  ])('%j is refused', (text, why) => {
    for (const form of ['line', 'lines'] as const) expect(problemOfText(text, form)).toContain(why);
  });

  test('can have several lines only if the field allows several', () => {
    expect(problemOfText('a\r\nb', 'lines')).toBeUndefined();
    for (const text of ['a\nb', 'a\rb', 'a\u2028b']) expect(problemOfText(text, 'line')).toBe('must be on one line');
  });
});

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc'],
  ['ab😂', 3, 'ab'],
  ['ab😂', 4, 'ab😂'],
])('%j is cut to %d characters, without half an emoji', (text, length, cut) => {
  expect(cutTo(text, length)).toBe(cut);
});

test('only one thing is counted in the singular', () => {
  const files = [0, 1, 2, 1_000].map((n) => counted(n, 'file'));
  expect(files).toEqual(['0 files', '1 file', '2 files', '1000 files']);
  expect([1, 2].map((n) => counted(n, 'GIF waits', 'GIFs wait'))).toEqual(['1 GIF waits', '2 GIFs wait']);
});
