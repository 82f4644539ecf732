import { expect, test } from 'vitest';
import { type EmojiGif, toEmojiPack } from './emoji-pack.ts';

function gif(title: string, animated: string | null = `https://gifs.example/p/${title.length}.webp`): EmojiGif {
  const small = { width: 96, height: 96, animated, still: 'https://gifs.example/p/still.png' };
  return { url: 'https://gifs.example/m/original.gif', title, previews: { small } };
}

const NAMED = { identifier: 'dances', title: 'Dances', now: () => 1_790_000_000_999 };

test('makes an emoji pack that can be signed, with small previews and shortcodes from titles', () => {
  const gifs = [gif('Happy Dance!'), gif('Café'), gif('happy, dance?'), gif('踊る猫'), gif('huge', null)];
  expect(toEmojiPack(gifs, NAMED)).toEqual({
    kind: 30_030,
    created_at: 1_790_000_000,
    content: '',
    tags: [
      ['d', 'dances'],
      ['title', 'Dances'],
      ['emoji', 'happy_dance', 'https://gifs.example/p/12.webp'],
      ['emoji', 'cafe', 'https://gifs.example/p/4.webp'],
      ['emoji', 'happy_dance_2', 'https://gifs.example/p/13.webp'],
      ['emoji', 'gif', 'https://gifs.example/p/3.webp'],
      ['emoji', 'huge', 'https://gifs.example/m/original.gif'],
    ],
  });
});

test('has up to 300 GIFs', () => {
  expect(
    toEmojiPack(
      Array.from({ length: 300 }, () => gif('a')),
      NAMED,
    ).tags,
  ).toHaveLength(2 + 300);
});

test('keeps shortcodes short, and cuts them only between words', () => {
  const [, , emoji] = toEmojiPack([gif('a very long title about a cat that dances')], NAMED).tags;
  expect(emoji![1]).toBe('a_very_long_title_about_a_cat');
  const longest = [15, 16].map((length) => gif(`${'a'.repeat(16)} ${'b'.repeat(length)}`));
  const { tags } = toEmojiPack(longest, NAMED);
  expect(tags.slice(2).map(([, code]) => code)).toEqual([`${'a'.repeat(16)}_${'b'.repeat(15)}`, 'a'.repeat(16)]);
});

test('uses the shortcodes and URLs that the app chooses', () => {
  const { tags } = toEmojiPack([gif('a')], { ...NAMED, shortcode: () => 'Mine-1', url: ({ url }) => url });
  expect(tags[2]).toEqual(['emoji', 'Mine-1', 'https://gifs.example/m/original.gif']);
});

test.each([
  ['gifs: a pack has 1 to 300 GIFs, not 0', [], NAMED],
  ['not 301', Array.from({ length: 301 }, () => gif('a')), NAMED],
  ['identifier and title', [gif('a')], { ...NAMED, identifier: '' }],
  ['identifier and title', [gif('a')], { ...NAMED, title: '' }],
  ['shortcode: "a b" has characters', [gif('a')], { ...NAMED, shortcode: () => 'a b' }],
])('refuses a pack that clients or relays would not accept: %s', (message, gifs, options) => {
  expect(() => toEmojiPack(gifs, options)).toThrow(message);
});
