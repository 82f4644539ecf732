import { expect, test } from 'vitest';
import { gifIdIn } from './gif-id.ts';

const SHA256 = '0123456789abcdef'.repeat(4);
const OWN = `${SHA256}.gif`;

test.each([
  [OWN, OWN],
  ['dog.gif', 'dog.gif'],
  [`https://gifs.example/m/${OWN}`, OWN],
  [`https://gifs.example/m/${SHA256}.webp`, OWN],
  [`https://gifs.example/p/r1/w240/${SHA256}.png`, OWN],
  [`https://gifs.example/base/m/${SHA256}.mp4?from=note#t=1`, OWN],
  ['HTTP://gifs.example/p/r1/w240/dog.gif?x=/cat.gif', 'dog.gif'],
  ['https://gifs.example/p/r1/w240/dog.gif#/cat.gif', 'dog.gif'],
  [`https://gifs.example/g/${SHA256}#more-like-this`, OWN],
  [`https://gifs.example/base/g/${OWN}`, OWN],
  ['https://gifs.example/g/cat.webp~', 'cat.webp'],
])('%s names %s', (text, id) => {
  expect(gifIdIn(text)).toBe(id);
});
