import { normaliseQuery } from '@zoetrope/search';
import { expect, test } from 'vitest';
import { emojiNames } from './suggest-emoji.ts';

const namesOf = (query: string) => emojiNames(normaliseQuery(query));

test.each([
  ['🔥', ['fire']],
  ['👍🏿', ['thumbs up']],
  ['🇧🇷', ['flag brazil']],
  ['1️⃣', ['keycap 1']],
  ['🔥🐱🔥', ['fire', 'cat face']],
])('%s is completed by %j first', (emoji, names) => {
  expect(namesOf(emoji)[0]).toEqual(names);
});

test('the words that only few names have come next, and then the synonyms', () => {
  const [, words, synonyms] = namesOf('🐱');
  expect(words).toEqual(['cat']);
  expect(synonyms).toContain('kitten');
  expect(namesOf('🇧🇷')[1]).toEqual(['brazil']);
  expect(namesOf('👨')[1]).toEqual(['man']);
});

test('a joined emoji without a name is completed like its first known part', () => {
  expect(namesOf('🐱\u200D🔥')).toEqual(namesOf('🐱'));
});

test.each(['', 'cat', '1', '🔥 cat', '🇦🇦'])('%j has no names', (query) => {
  expect(namesOf(query)).toEqual([]);
});
