import { expect, test } from 'vitest';
import { analyse } from './analyse.ts';
import { withEmoji } from './emoticons.ts';
import { normaliseQuery } from './normalise.ts';

const read = (query: string) => analyse(withEmoji(normaliseQuery(query)));

test.each([
  [':)', '🙂'],
  ['=)', '🙂'],
  [':-(', '☹'],
  [':D', '😆'],
  [':P', '😛'],
  [':-O', '😮'],
  [':*', '😘'],
  [';)', '😉'],
  [":'(", '😢'],
  ['T_T', '😢'],
  ['t.t', '😢'],
  ['^_^', '😊'],
  ['-_-', '😒'],
  ['>_<', '😣'],
  ['O_o', '😳'],
  ['ಠ_ಠ', '😒'],
  ['( ͡° ͜ʖ ͡°)'.replaceAll(' ', ''), '😏'],
  ['¯\\_(ツ)_/¯', '🤷'],
  ['\\o/', '🙌'],
  ['<3', '❤'],
  ['<3333', '❤'],
  ['</3', '💔'],
  ['>:(', '😠'],
  ['>:)', '😈'],
  [':3', '😺'],
  ['ʕ•ᴥ•ʔ', '🐻'],
])('%s is read as %s', (emoticon, emoji) => {
  expect(read(emoticon)).toEqual([emoji]);
  expect(read(`so ${emoticon} café ${emoticon}`)).toEqual(['so', emoji, 'cafe', emoji]);
});

test.each([
  ['https://example.com', ['https', 'example', 'com']],
  ['(see 1:3)', ['see', '1', '3']],
  ['Star Wars: part 2', ['star', 'wars', 'part', '2']],
  ['a=b c:d', ['a', 'b', 'c', 'd']],
  ['hi:)', ['hi']],
  ['24/7', ['24', '7']],
])('%s has no emoticon', (text, terms) => {
  expect(read(text)).toEqual(terms);
});
