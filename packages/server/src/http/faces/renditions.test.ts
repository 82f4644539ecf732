import type { Gif } from '@zoetrope/contract';
import { expect, test } from 'vitest';
import { renditionsOf } from './renditions.ts';

function gif(changes: Partial<Gif>): Gif {
  const preview = { width: 240, height: 135, animated: 'https://a.example/p.webp', still: 'https://a.example/p.png' };
  const previews = { small: preview, medium: preview, w240: preview, w480: { ...preview, animated: null } };
  const of = { url: 'https://a.example/m.gif', width: 481, height: 271, bytes: 900, sha256: 'a'.repeat(64) };
  return { ...of, mp4: null, previewMp4: 'https://a.example/v.mp4', previews, ...changes } as Gif;
}

test('a small MP4 is offered only for a file that has been read, because other files can be transparent', () => {
  expect(renditionsOf(gif({})).smallMp4).toMatchObject({ url: 'https://a.example/v.mp4', width: 240, height: 136 });
  expect(renditionsOf(gif({ sha256: null })).smallMp4).toBeNull();
  expect(renditionsOf(gif({ previewMp4: null })).smallMp4).toBeNull();
});

test('the sizes of videos are even, and a preview that does not move is the original', () => {
  const { mp4, w480, w240 } = renditionsOf(gif({ mp4: 'https://a.example/large.mp4' }));
  expect(mp4).toEqual({ url: 'https://a.example/large.mp4', width: 482, height: 272, bytes: null });
  expect(w480).toEqual({ url: 'https://a.example/m.gif', width: 481, height: 271, bytes: 900 });
  expect(w240).toEqual({ url: 'https://a.example/p.webp', width: 240, height: 135, bytes: null });
});
