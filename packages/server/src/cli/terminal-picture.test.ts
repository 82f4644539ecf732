import { expect, test } from 'vitest';
import { encodePicture, showsPictures } from './terminal-picture.ts';

const KITTY = { TERM: 'xterm-kitty' };
const ITERM = { TERM: 'xterm-256color', TERM_PROGRAM: 'iTerm.app' };

test.each([
  [true, KITTY, true],
  [true, ITERM, true],
  [true, { TERM: 'xterm-256color' }, false],
  [false, KITTY, false],
])('pictures are shown only on a terminal that supports them', (isTTY, env, expected) => {
  expect(showsPictures({ isTTY }, env)).toBe(expected);
});

test('kitty gets a picture in small chunks, and the last one is marked', () => {
  const png = Buffer.alloc(9_000, 7);
  const pieces = encodePicture(png, KITTY).split('\x1b\\').filter(Boolean);
  expect(pieces.every((piece) => piece.startsWith('\x1b_G') && piece.length < 4_200)).toBe(true);
  expect(pieces.map((piece) => /m=(\d)/.exec(piece)![1])).toEqual(['1', '1', '0']);
  expect(pieces.map((piece) => piece.startsWith('\x1b_Gf=100,a=T,'))).toEqual([true, false, false]);
  expect(Buffer.from(pieces.map((piece) => piece.split(';')[1]).join(''), 'base64')).toEqual(png);
});

test('iTerm2 gets a picture in one piece', () => {
  expect(encodePicture(Buffer.from('png'), ITERM)).toBe('\x1b]1337;File=inline=1;size=3:cG5n\x07');
});
