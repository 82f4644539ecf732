import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stem } from './stem.ts';

/** A form of a word, and its base form. */
const FORMS = `
  cats cat  boxes box  kisses kiss  watches watch  parties party  movies movie  heroes hero  shoes shoe  pies pie
  leaves leave  faces face  glasses glass  lies lie
  dancing dance  danced dance  running run  hugging hug  hugged hug  smiling smile  smiled smile  eating eat
  waving wave  waved wave  crying cry  cried cry  making make  typing type  hoping hope  hopping hop  juggling juggle
  opening open  surprised surprise  celebrating celebrate  excited excite  kissing kiss  falling fall  rolling roll
  jumping jump  changing change  hanging hang  singing sing  confused confuse  arguing argue  seeing see
  visiting visit  tornadoes tornado  focused focus  dying die  purring purr  nodding nod  shrugged shrug  clapping clap  flying fly
  skating skate  riding ride  driving drive  loading load  tied tie  boring bore  missed miss  charged charge
  القمر قمر  والقمر قمر  بالقلب قلب  فالقلب قلب  كالقمر قمر`;

test.each(
  FORMS.trim()
    .split(/\s{2,}/)
    .map((pair) => pair.split(' ')),
)('%s comes from %s', (form, base) => {
  expect(stem(form!)).toBe(base);
});

const WHOLE = `cat bus gas kiss tennis this his red bed king ring thing spring need speed seed agreed freed danger singer
  happily news morning wedding evening christmas series being going skiing café cafés дома 猫 42s الله
  قمر`;

test.each(WHOLE.split(/\s+/))('%s stays as it is', (word) => {
  expect(stem(word)).toBe(word);
});

test('any string has a base form, which is never longer', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a-z]{1,8}(s|es|ies|ed|ied|ing)$/)), (word) => {
      const form = stem(word);
      expect(form.length).toBeLessThanOrEqual(word.length);
      if (word !== '') expect(form).not.toBe('');
    }),
  );
});
