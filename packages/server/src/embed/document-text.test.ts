import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DescribedGif, documentText } from './document-text.ts';

const NOTHING: DescribedGif = { title: '', alt: '', tags: [], characters: [], series: [], text: '' };

test('contains sentences first, then names, then the text in the picture', () => {
  const gif = {
    title: 'Homer backs  away',
    alt: 'A man vanishes into a hedge',
    tags: ['awkward', 'bye'],
    characters: ['Homer Simpson'],
    series: ['The Simpsons'],
    text: 'see you',
  };
  expect(documentText(gif)).toBe(
    'Homer backs away. A man vanishes into a hedge. Homer Simpson The Simpsons awkward bye. see you',
  );
});

test('repeats no words', () => {
  const gif = {
    ...NOTHING,
    title: 'Happy Dance',
    alt: 'happy dance',
    tags: ['dance', 'happy', 'party'],
    text: 'PARTY!',
  };
  expect(documentText(gif)).toBe('Happy Dance. party');
});

test('is empty without metadata', () => {
  expect(documentText(NOTHING)).toBe('');
  expect(documentText({ ...NOTHING, title: ' ', tags: ['?', ''], text: '!!!' })).toBe('');
});

test('is short, well formed and deterministic for any metadata', () => {
  const text = fc.string({ unit: 'binary', maxLength: 400 });
  const texts = fc.array(text, { maxLength: 20 });
  const gif = fc.record({ title: text, alt: text, tags: texts, characters: texts, series: texts, text });
  fc.assert(
    fc.property(gif, (told) => {
      const said = documentText(told);
      expect(said.length).toBeLessThanOrEqual(300);
      expect(said.isWellFormed()).toBe(true);
      expect(documentText(told)).toBe(said);
    }),
  );
});
