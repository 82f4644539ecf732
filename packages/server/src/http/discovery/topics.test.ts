import { expect, test } from 'vitest';
import { decodeStored, encodeStored } from '../../builds/index.ts';
import type { Search } from '../../index/index.ts';
import type { GifRecord } from '../../records/index.ts';
import type { HttpContext } from '../context.ts';
import { findCategories, findTerms, readTopics } from './topics.ts';

const gifs = (...names: string[]) => names.map((name) => gif(name));

const gif = (name: string, tags: string[] = []) =>
  decodeStored(
    encodeStored({
      ...{ id: `${name}.gif`, format: 'gif', width: 20, height: 10, frames: 2, durationMs: 200, bytes: 100 },
      ...{ title: name, tags, lqip: null, url: `https://gifs.example/${name}.gif`, sha256: null },
      ...{ verified: 'file', transparent: false, blankStill: false },
    } as unknown as GifRecord),
  );

/** What each topic finds. */
const FOUND: Record<string, ReturnType<typeof gifs>> = {
  gm: gifs('sun', 'coffee', 'cat', 'dog'),
  coffee: gifs('sun', 'coffee', 'cat'),
  'good night': gifs('moon', 'cat', 'dog'),
  rare: gifs('moon', 'cat'),
  cat: gifs('sun', 'coffee', 'moon'),
};

test('an operator can name topics, each once; otherwise, the built-in topics are used', () => {
  expect(readTopics(' good night, cat,, cat ,GM')).toEqual(['good night', 'cat', 'GM']);
  expect(readTopics(' ')).toEqual(readTopics(''));
  expect(readTopics('')).toEqual(expect.arrayContaining(['gm', 'thumbs up']));
});

test('topics that find enough GIFs have covers, each a different one if possible', async () => {
  const begin = async (q: string) => {
    const found = FOUND[q]!;
    const ranked = { count: found.length, gifs: (start: number, end: number) => found.slice(start, end) };
    return { isEnough: true, endWithWords: async () => ranked };
  };
  const index = { begin, correct: () => undefined } as unknown as Search;
  const url = 'https://gifs.example';
  const context = { publicUrl: url, mediaUrl: url, hasVideo: false, hasOwnUrls: false, topics: Object.keys(FOUND) };
  const categories = await findCategories(index, context as unknown as HttpContext);
  expect(categories.map(({ name, term, cover }) => [name, term, cover.title])).toEqual([
    ['GM', 'gm', 'sun'],
    ['Coffee', 'coffee', 'coffee'],
    ['Good night', 'good night', 'moon'],
    ['Cat', 'cat', 'sun'],
  ]);
});

test('popular terms are the most frequent tags of the popular GIFs, or the topics if these have no tags', async () => {
  const shown = [gif('a', ['Cat', 'party', 'gif']), gif('b', ['party', 'mp4']), gif('c', ['cat', 'party', 'zebra'])];
  const indexOf = (all: typeof shown) =>
    ({ popular: async () => ({ gifs: (start: number, end: number) => all.slice(start, end) }) }) as unknown as Search;
  const context = { topics: ['gm', 'coffee', 'love'] } as unknown as HttpContext;
  expect(await findTerms(indexOf(shown), 10, context)).toEqual(['party', 'cat', 'zebra']);
  expect(await findTerms(indexOf(shown), 2, context)).toEqual(['party', 'cat']);
  expect(await findTerms(indexOf([gif('d', ['gif'])]), 2, context)).toEqual(['gm', 'coffee']);
});
