import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { analyse, analyseDocument } from './analyse.ts';
import { normalise, normaliseQuery } from './normalise.ts';

const anyString = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: fc.constantFrom(..."aZ9'’_ -+*(éßİΣあ猫ｶﾞสั한👍🏽❤️👩‍💻🇩🇪1️⃣\u200d\u0301"), maxLength: 60 }),
);

describe('words', () => {
  test.each([
    ['Happy DANCE', ['happy', 'dance']],
    ['"quoted" -minus +plus title:x (a OR b)* NOT', ['quoted', 'minus', 'plus', 'title', 'x', 'a', 'or', 'b', 'not']],
    ['creepy_gif #tag @me', ['creepy', 'gif', 'tag', 'me']],
    ["don't DON’T rock 'n' roll", ['dont', 'dont', 'rock', 'n', 'roll']],
    ['Pokémon™ CAFÉ naïve', ['pokemon', '™', 'cafe', 'naive']],
    ['Straße Ærø Łódź İstanbul ısı', ['strasse', 'aero', 'lodz', 'istanbul', 'isi']],
    ['Sœur Đà Guðrún Þór', ['soeur', 'da', 'gudrun', 'thor']],
    ['happi\u00ADness می\u200Cخواهم', ['happiness', 'ميخواهم']],
    ['کتاب كتاب ہے ۲۰۲۴ ٢٠٢٤', ['كتاب', 'كتاب', 'هي', '2024', '2024']],
    ['ΟΔΟΣ οδός', ['οδοσ', 'οδοσ']],
    ['Ёлка', ['елка']],
    ['ｆｕｌｌ ①②', ['full', '12']],
    ['مُحَمَّد שָׁלוֹם', ['محمد', 'שלום']],
    ['हिन्दी ශ්‍රී', ['हिंदी', 'ශ්රී']],
    ['مرحـــبا \uA723\uFE71\uFB50', ['مرحبا', '\uA723ا']],
    ['C++ and C# in f#', ['cplusplus', 'and', 'csharp', 'in', 'fsharp']],
    ['한국어 검색', ['한국어', '검색']],
    ['\0\u202e!?… ', []],
  ])('%j', (text, terms) => {
    expect(analyse(text)).toEqual(terms);
  });
});

describe('scripts without spaces become pairs of letters', () => {
  test.each([
    ['日本語テスト', ['日本', '本语', '语て', 'てす', 'すと']],
    ['猫', ['猫']],
    ['gif日本gif', ['gif', '日本', 'gif']],
    ['ｶﾞｷﾞ が', ['がぎ', 'が']],
    ['สวัสดี', ['สวั', 'วัส', 'สดี']],
    ['3月', ['3', '月']],
  ])('%j', (text, terms) => {
    expect(analyse(text)).toEqual(terms);
  });

  test('documents also have the single letters as terms', () => {
    expect(analyseDocument('猫猫 日本語')).toEqual(['猫', '猫', '猫猫', '日', '本', '语', '日本', '本语']);
  });
});

describe('an emoji is one term', () => {
  test.each([
    ['👍🏽👍', ['👍', '👍']],
    ['❤️❤', ['❤', '❤']],
    ['👨‍👩‍👧‍👦🏳️‍🌈', ['👨‍👩‍👧‍👦', '🏳‍🌈']],
    ['👩🏽‍💻', ['👩‍💻']],
    ['🇩🇪🇫🇷', ['🇩🇪', '🇫🇷']],
    ['🏴󠁧󠁢󠁥󠁮󠁧󠁿', ['🏴󠁧󠁢󠁥󠁮󠁧󠁿']],
    ['1️⃣2️⃣#️⃣', ['1⃣', '2⃣', '#⃣']],
    ['lol😂😂', ['lol', '😂', '😂']],
    ['‼️ ℹ️ 🈁', ['‼', 'ℹ', '🈁']],
  ])('%j', (text, terms) => {
    expect(analyse(text)).toEqual(terms);
  });
});

test('a million letters without a space can be analysed', () => {
  expect(analyse('あ'.repeat(1_000_000))).toHaveLength(999_999);
});

test('a character that is simplified in two steps is simplified to the end', () => {
  expect(analyse('戱')).toEqual(analyse('戏'));
});

test('analysing a term returns that term', () => {
  fc.assert(
    fc.property(anyString, (text) => {
      for (const term of analyse(text)) expect(analyse(term)).toEqual([term]);
    }),
    { numRuns: 3_000 * inject('cases') },
  );
});

test('a query copied from a text has the same terms as the text', () => {
  fc.assert(
    fc.property(anyString, (text) => {
      expect(analyse(normalise(text))).toEqual(analyse(text));
      const document = new Set(analyseDocument(text));
      expect(analyse(text).filter((term) => !document.has(term))).toEqual([]);
    }),
    { numRuns: 3_000 * inject('cases') },
  );
});

test('a query has at most 100 terms', () => {
  fc.assert(
    fc.property(fc.array(anyString, { maxLength: 20 }), (parts) => {
      expect(analyse(normaliseQuery(parts.join(''))).length).toBeLessThanOrEqual(100);
    }),
  );
});

test('ASCII text has the same terms within non-ASCII text', () => {
  const ascii = fc.string({ unit: 'binary-ascii', maxLength: 60 });
  fc.assert(
    fc.property(ascii, (text) => {
      expect(analyse(`${text} é`)).toEqual([...analyse(text), 'e']);
    }),
    { numRuns: 3_000 * inject('cases') },
  );
});
