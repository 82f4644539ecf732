import { few, pick, type Random, upTo } from './draw.ts';

/** Texts that programs often handle wrongly. */
export const ODD_TEXTS: readonly string[] = [
  '',
  ' ',
  '\0',
  '\u0007',
  '\u001b[31m',
  '\t',
  '\n',
  '\r\n',
  '\u0085',
  '\u2028',
  // Direction marks, zero-width characters, combining marks, and halves of surrogate pairs.
  '\u202e',
  '\u2066',
  '\u200b',
  '\u200d',
  '\ufeff',
  '\ufffd',
  '\ud83d',
  '\ude00',
  `e${'\u0301'.repeat(50)}`,
  '🏳️‍🌈',
  '\ud83c\uddeb',
  '👍🏽',
  // Letters whose case or compatibility forms have a different length.
  'ß',
  'İ',
  'ﬃ',
  'ŉ',
  '猫',
  '哈'.repeat(500),
  'שלום',
  'كلب',
  'ประเทศ',
  '%',
  '%00',
  '%ff',
  '%25',
  '%2e%2e%2f',
  '+',
  '&',
  '=',
  '#',
  '?',
  ';',
  ',',
  '"',
  "'",
  '\\',
  '\\u0000',
  '\\ud800',
  '*',
  '`',
  '&amp;',
  '&#0;',
  '&#x110000;',
  '&NotEqualTilde;',
  '<script>',
  '../',
  '..\\',
  '/etc/passwd',
  'C:\\',
  '__proto__',
  'constructor',
  'null',
  'undefined',
  'NaN',
  '-1',
  '1e999',
  '0x10',
  '9007199254740993',
  'http://',
  'https://a.example/b.gif',
  'https://[::1]/b.gif',
  'https://user:secret@a.example/b.gif',
  'https://a.example:99999/',
  'javascript:alert(1)',
  'data:image/gif;base64,R0lGODlh',
  'xn--a',
  'a'.repeat(300),
  ' a'.repeat(1_000),
  'x'.repeat(20_000),
];

/** Maximum length of a changed text. There must be a limit, because repeated parts of repeated parts grow fast. */
const MAX_LENGTH = 100_000;

type Change = (random: Random, text: string) => string;

const CHANGES: readonly Change[] = [
  (random, text) => splice(text, upTo(random, text.length), 0, pick(random, ODD_TEXTS)),
  (random, text) => splice(text, upTo(random, text.length), few(random, 8), pick(random, ODD_TEXTS)),
  (random, text) => splice(text, upTo(random, text.length), few(random, 8), ''),
  (random, text) => splice(text, upTo(random, text.length), 1, String.fromCodePoint(drawCodePoint(random))),
  (random, text) => {
    const [at, length] = [upTo(random, text.length), few(random, 16)];
    return splice(text, at, 0, text.slice(at, at + length).repeat(few(random, 200)));
  },
  (random, text) => text.slice(0, upTo(random, text.length)),
  (random, text) => text.slice(upTo(random, text.length)),
  (random, text) =>
    pick(random, [text.toUpperCase(), text.toLowerCase(), text.normalize('NFD'), [...text].reverse().join('')]),
  (random) => pick(random, ODD_TEXTS),
];

/** Returns a text that differs in one place. */
export function changeText(random: Random, text: string): string {
  return pick(random, CHANGES)(random, text).slice(0, MAX_LENGTH);
}

function splice(text: string, at: number, removed: number, added: string): string {
  return text.slice(0, at) + added + text.slice(at + removed);
}

function drawCodePoint(random: Random): number {
  return upTo(random, pick(random, [0x7f, 0xff, 0xffff, 0x10ffff]));
}
