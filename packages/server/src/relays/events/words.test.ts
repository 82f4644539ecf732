import { describe, expect, test } from 'vitest';
import { TITLE_OF_CONTEXT, TITLE_OF_NAME, TITLE_OF_WORDS } from '../../claims/index.ts';
import { cleanAlt, cleanTags, plainWords, titleOf } from './words.ts';

describe('the words of an author', () => {
  test.each([
    ['look at this https://gifs.example/cat.gif wow', 'look at this wow'],
    ['thanks nostr:npub1example for #Cats and C#', 'thanks for Cats and C#'],
    [' one\n\ttwo  three ', 'one two three'],
  ])('%j become one line without URLs and hashtags: %j', (text, plain) => {
    expect(plainWords(text)).toBe(plain);
  });

  test('are cut to 200 characters, with a sign that they go on', () => {
    expect(plainWords('x'.repeat(200))).toBe('x'.repeat(200));
    expect(plainWords('x'.repeat(201))).toBe(`${'x'.repeat(199)}…`);
    expect(plainWords(`${'x'.repeat(198)} yy`)).toBe(`${'x'.repeat(198)}…`);
  });
});

test('a title comes from the description, else from the text around the URL, else from the file name', () => {
  const [context, url] = ['what a day', 'https://gifs.example/a/dancing-cat.gif'];
  const title = (words: string[], around = context) => titleOf({ words, context: around, url });
  expect(title(['', 'a happy cat'])).toEqual({ title: 'a happy cat', titleRank: TITLE_OF_WORDS });
  expect(title(['IMG_1.GIF', url])).toEqual({ title: context, titleRank: TITLE_OF_CONTEXT });
  expect(title([], url)).toEqual({ title: 'dancing cat', titleRank: TITLE_OF_NAME });
  const unreadable = { words: [], context: '', url: 'https://gifs.example/%ff.gif' };
  expect(titleOf(unreadable)).toEqual({ title: '', titleRank: TITLE_OF_NAME });
});

test('tags are short words in lower case, without the hash sign and without duplicates, at most 30', () => {
  expect(cleanTags(['#Cat', 'cat', ' Big  Dog ', '', '#', 'NSFW'])).toEqual(['cat', 'big dog']);
  expect(cleanTags(['x'.repeat(40), 'y'.repeat(41)])).toEqual(['x'.repeat(40)]);
  const many = Array.from({ length: 40 }, (_, n) => `tag ${n}`);
  expect(cleanTags(['tag 0', ...many])).toEqual(many.slice(0, 30));
});

test('an alternative text is one line of at most 1,000 characters', () => {
  expect(cleanAlt(`a cat\n${'x'.repeat(2_000)}`)).toBe(`a cat ${'x'.repeat(994)}`);
});
