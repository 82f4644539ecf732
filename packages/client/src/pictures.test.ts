import { expect, test } from 'vitest';
import type { Gif } from './contract.ts';
import { previewVideoOf, stillOf, videoOf } from './pictures.ts';
import { gif } from './testing/answers.ts';

const { mp4, previewMp4, lqip, previews } = gif(1);

test('a transparent GIF has no usable MP4', () => {
  expect(videoOf(gif(1))).toBe(mp4);
  expect(videoOf({ ...gif(1), transparent: true })).toBeNull();
  expect(videoOf({ ...gif(1), mp4: null })).toBeNull();
});

test('only previews in the size of the small MP4 have a video, unless the GIF is transparent', () => {
  expect(previewVideoOf(gif(1), previews.w240)).toBe(previewMp4);
  expect(previewVideoOf(gif(1), previews.w480)).toBeNull();
  expect(previewVideoOf({ ...gif(1), transparent: true }, previews.w240)).toBeNull();
  expect(previewVideoOf({ ...gif(1), previewMp4: null }, previews.w240)).toBeNull();
});

test('the placeholder replaces a still that shows nothing', () => {
  const blank = { ...gif(1), blankStill: true };
  expect(stillOf(gif(1), previews.w240)).toBe(previews.w240.still);
  expect(stillOf(blank, previews.w240)).toBe(lqip);
  expect(stillOf({ ...blank, lqip: null }, previews.w240)).toBe(previews.w240.still);
});

test('without the newer fields of the service, a GIF has the MP4 and the stills that the service lists', () => {
  const { transparent: _, blankStill: __, previewMp4: ___, ...earlier } = gif(1);
  expect(previewVideoOf(earlier as Gif, previews.w240)).toBeNull();
  expect(videoOf(earlier as Gif)).toBe(mp4);
  expect(stillOf(earlier as Gif, previews.w480)).toBe(previews.w480.still);
});
