import { expect, test } from 'vitest';
import { gifIdIn } from './gif-id.ts';

const HASH = 'a1'.repeat(32);

test.each([
  ['cat.gif', 'cat.gif'],
  [`https://gifs.example/m/${HASH}.webp?x=1`, `${HASH}.gif`],
  [`https://gifs.example/p/r1/small/${HASH}.png`, `${HASH}.gif`],
  [`https://gifs.example/g/${HASH}#more-like-this`, `${HASH}.gif`],
  [`https://gifs.example/base/g/${HASH}.gif`, `${HASH}.gif`],
  ['https://gifs.example/g/cat.webp~', 'cat.webp'],
  ['https://gifs.example/elsewhere/cat.gif', 'cat.gif'],
])('the id in %s is %s', (text, id) => {
  expect(gifIdIn(text)).toBe(id);
});
