import { expect, it } from 'vitest';
import { readTagCounts } from './suggest-sets.ts';

it('tags can contain the separator and colons', () => {
  expect(readTagCounts('cat:12 | a | b:3 | re: cats:1')).toEqual([
    { tag: 'cat', n: 12 },
    { tag: 'a | b', n: 3 },
    { tag: 're: cats', n: 1 },
  ]);
  expect(readTagCounts('')).toEqual([]);
});
