import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fold } from '../analysis/fold.ts';
import { LANGUAGES } from './format.ts';
import { stemIn, withoutBeginnings } from './stems.ts';

function stemOf(code: string, word: string): string {
  return stemIn(LANGUAGES.indexOf(code), fold(word));
}

describe('the forms of a word have one stem', () => {
  test.each([
    ['es', 'llorar lloro llora llorando llorado lloraba lloraron llorarán'],
    ['pt', 'chorar choro chora chorando chorou choravam'],
    ['fr', 'pleurer pleure pleurent pleurant pleuré pleurait'],
    ['it', 'piangere piange piangono piangendo piangeva'],
    ['de', 'weinen weine weint weinend weinendes weinender geweint'],
    ['nl', 'lopen loop loopt lopend lopende gelopen'],
    ['sv', 'gråta gråter gråtande'],
    ['da', 'danse danser dansende dansede'],
    ['fi', 'talo talossa talosta taloon talojen'],
    ['hu', 'ház házban házak házakban házat'],
    ['tr', 'ağlamak ağlıyor ağladı ağlayan ağlıyorum ağlarken'],
    ['pl', 'uciekać ucieka uciekam uciekający uciekł'],
    ['cs', 'plakat plakal plakala plakali'],
    ['ru', 'танцевать танцевал танцевала танцевали'],
    ['uk', 'плакати плакав плакала'],
    ['el', 'γελάω γελάει γελάνε'],
    ['ro', 'plânge plânge'],
    ['hi', 'रोना रोता रोती रोते'],
    ['ar', 'يبكي تبكي'],
    ['ko', '숨다 숨는 숨어 숨었어 숨고'],
    ['ko', '졸리다 졸려 졸려요'],
    ['ja', '泣く 泣いている 泣いてる 泣いた 泣いて 泣きます'],
    ['ja', '食べる 食べて 食べている 食べた 食べない'],
  ])('%s: %s', (code, forms) => {
    const stems = forms.split(' ').map((form) => stemOf(code, form));
    expect(new Set(stems).size, stems.join(' ')).toBe(1);
  });
});

test('prefixes are removed one after the other, as long as enough letters remain', () => {
  const restsOf = (code: string, word: string) => withoutBeginnings(LANGUAGES.indexOf(code), word);
  expect(restsOf('ar', 'وبالبقر')).toEqual(['بالبقر', 'بقر']);
  expect(restsOf('ar', 'وفراشه')).toEqual(['فراشه', 'راشه']);
  expect(restsOf('ar', 'وقطه')).toEqual([]);
  expect(restsOf('ar', 'الفم')).toEqual(['فم']);
  expect(restsOf('ar', 'وفم')).toEqual([]);
  expect(restsOf('he', 'והכלב')).toEqual(['כלב']);
  expect(restsOf('de', 'geweint')).toEqual([]);
  expect(restsOf('zh', '牛')).toEqual([]);
});

test('languages that do not inflect, and English, are left alone', () => {
  for (const code of ['zh', 'vi', 'th', 'en', 'emoji']) expect(stemOf(code, 'ngủ')).toBe('ngu');
});

test('a stem is never empty, and short words stay', () => {
  const word = fc.stringMatching(/^\p{L}{1,12}$/u);
  fc.assert(
    fc.property(fc.nat(LANGUAGES.length - 1), word, (language, text) => {
      expect(stemIn(language, fold(text)).length).toBeGreaterThan(0);
    }),
  );
  expect(stemOf('es', 'sí')).toBe('si');
});
