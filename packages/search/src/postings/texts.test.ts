import { expect, test } from 'vitest';
import { wholeTag } from '../analysis/joined.ts';
import { OffensiveWords } from '../analysis/offensive.ts';
import { isOffensive, readTexts, type Texts } from './texts.ts';

const NOTHING: Texts = { title: '', tags: [], characters: [], series: [], text: '' };
const tagsOf = (texts: Partial<Texts>) => readTexts({ ...NOTHING, ...texts }, new OffensiveWords([])).fields.tags;

test('a series counts like a tag', () => {
  expect(tagsOf({ tags: ['kick'], series: ['Pandora Hearts'] })).toEqual(['kick', 'pandora', 'hearts']);
  expect(tagsOf({ title: 'a kick', series: ['Naruto'] })).toEqual(['naruto']);
});

test('a series of several words does not count again if the title has all of them in a row', () => {
  const series = ['Pandora Hearts'];
  for (const title of ['Pandora Hearts', 'Pandora Hearts kick', 'kick in pandora-hearts']) {
    expect(tagsOf({ title, series }), title).toEqual([]);
  }
  for (const title of ['Hearts of Pandora', 'pandora', 'hearts', '']) {
    expect(tagsOf({ title, series }), title).toEqual(['pandora', 'hearts']);
  }
});

test('a series of one word counts again if the title has this word', () => {
  expect(tagsOf({ title: 'Naruto kick', series: ['Naruto'] })).toEqual(['naruto']);
});

test('each tag and each series of few words is also a single term', () => {
  const { wholeTags } = readTexts(
    { ...NOTHING, tags: ['high five'], series: ['Pandora Hearts'] },
    new OffensiveWords([]),
  );
  expect(wholeTags).toEqual([...wholeTag('high five'), ...wholeTag('Pandora Hearts')]);
  expect(wholeTags).toHaveLength(2);
});

test('an offensive word in any text makes a document offensive', () => {
  const words = new OffensiveWords(['voldemort']);
  const name = 'Lord Voldemort';
  const each: Partial<Texts>[] = [
    { title: name },
    { tags: [name] },
    { characters: [name] },
    { series: [name] },
    { text: name },
  ];
  for (const texts of each) expect(isOffensive({ ...NOTHING, ...texts }, words), JSON.stringify(texts)).toBe(true);
  expect(isOffensive({ ...NOTHING, title: 'Lord' }, words)).toBe(false);
});
