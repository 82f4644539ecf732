import { expect, test } from 'vitest';
import { joinWords } from './joined-words.ts';

test.each([
  ['face', 'palm', 'facepalm'],
  ['hot', 'dog', 'hotdog'],
  ['area', '51', 'area51'],
  ['catch', '22', 'catch22'],
  ['생일', '축하', '생일축하'],
])('"%s %s" is also found as "%s"', (first, second, joined) => {
  expect(joinWords(first, second)).toBe(joined);
});

test.each([
  ['a', 'live'],
  ['no', 'body'],
  ['face', 'it'],
  ['hand', 'the'],
  ['face', 'without'],
  ['생', '일축'],
  ['생일', '축'],
])('"%s %s" stays two words', (first, second) => {
  expect(joinWords(first, second)).toBeUndefined();
});
