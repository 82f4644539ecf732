import { expect, test } from 'vitest';
import { Selection } from './selection.ts';

const LIST = ['a', 'b', 'c', 'd', 'e'];

test('a range goes from the GIF that was changed last to the given one, in both directions', () => {
  const selection = new Selection();
  selection.set('d', true);
  selection.extend('b', LIST);
  expect(selection.ids.toSorted()).toEqual(['b', 'c', 'd']);
  selection.extend('e', LIST);
  expect(selection.ids.toSorted()).toEqual(['b', 'c', 'd', 'e']);
});

test('a range without a start, or whose start is gone, contains only the given GIF', () => {
  const selection = new Selection();
  selection.extend('c', LIST);
  expect(selection.ids).toEqual(['c']);
  selection.set('x', false);
  selection.extend('e', LIST);
  expect(selection.ids).toEqual(['c', 'e']);
});

test('GIFs can be cleared one by one or together', () => {
  const selection = new Selection();
  selection.addAll(LIST);
  selection.set('a', false);
  expect([selection.has('a'), selection.ids.length]).toEqual([false, 4]);
  selection.clear();
  expect(selection.ids).toEqual([]);
  selection.extend('c', LIST);
  expect(selection.ids).toEqual(['c']);
});
