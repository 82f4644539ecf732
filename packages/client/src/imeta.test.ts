import { describe, expect, test } from 'vitest';
import { fromImeta, noteTags, toImeta, withGif } from './imeta.ts';
import { gif } from './testing/answers.ts';

describe('toImeta', () => {
  test('has the fields of NIP-92 and NIP-94', () => {
    const { url, previews } = gif(1);
    expect(toImeta(gif(1))).toEqual([
      'imeta',
      `url ${url}`,
      'm image/gif',
      'dim 480x240',
      'size 100000',
      `x ${'0'.repeat(63)}1`,
      'alt GIF 1',
      `image ${previews.w480.still}`,
    ]);
  });

  test('omits unknown fields, and keeps a title on one line', () => {
    const tag = toImeta({ ...gif(1), sha256: null, bytes: null, title: ' a\n b ', format: 'webp' });
    expect(tag).toContain('m image/webp');
    expect(tag).toContain('alt a b');
    expect(tag.filter((field) => /^(x|size) /.test(field))).toEqual([]);
    expect(toImeta({ ...gif(1), title: ' ' }).some((field) => field.startsWith('alt'))).toBe(false);
  });
});

describe('toImeta of an unverified GIF', () => {
  test('contains neither its type nor its size, and never uses its id as a hash', () => {
    const { url, previews } = gif(1);
    const tag = toImeta({ ...gif(1), sha256: null, verified: false });
    expect(tag).toEqual(['imeta', `url ${url}`, 'alt GIF 1', `image ${previews.w480.still}`]);
  });
});

describe('fromImeta', () => {
  test('reads an alt text of several lines', () => {
    const tag = ['imeta', 'url https://gifs.example/a.gif', 'alt a cat\nand a dog', 'm image/gif'];
    expect(fromImeta(tag)).toMatchObject({ alt: 'a cat\nand a dog', m: 'image/gif' });
  });

  test('has no field that the tag does not have', () => {
    const url = 'https://gifs.example/a.gif';
    expect(fromImeta(['imeta', `url ${url}`])).toEqual({ url, fallback: [] });
  });

  test('reads what toImeta writes', () => {
    const { url, width, height, previews } = gif(7);
    expect(fromImeta(toImeta(gif(7)))).toEqual({
      ...{ url, width, height, m: 'image/gif', x: gif(7).id.slice(0, 64), size: 100_000, alt: 'GIF 7' },
      ...{ image: previews.w480.still, fallback: [] },
    });
  });

  test('reads tags of other clients: any order, several fallbacks, values with spaces and signs', () => {
    const tag = [
      'imeta',
      'blurhash eVF$^OI:${M{',
      'fallback https://a.example/1',
      'alt two  words = 2',
      'url https://b.example/x',
    ];
    expect(fromImeta([...tag, 'fallback https://c.example/1', 'dim 10x', 'size many'])).toEqual({
      url: 'https://b.example/x',
      alt: 'two  words = 2',
      fallback: ['https://a.example/1', 'https://c.example/1'],
    });
  });

  test.each([[[]], [['p', 'url https://a.example']], [['imeta']], [['imeta', 'url']], [['imeta', 'm image/gif']]])(
    'is null for %j',
    (tag) => {
      expect(fromImeta(tag)).toBeNull();
    },
  );
});

test('a note has one tag per URL, and each URL on a separate line', () => {
  expect(noteTags(gif(1), gif(2), gif(1))).toEqual([toImeta(gif(1)), toImeta(gif(2))]);
  expect(withGif('monday again \n', gif(1))).toBe(`monday again\n${gif(1).url}`);
  expect(withGif('', gif(1))).toBe(gif(1).url);
});
