import { expect, test } from 'vitest';
import { topicsAt } from './topics.ts';

test.each([
  [0, 'gn'],
  [4, 'gn'],
  [5, 'gm'],
  [10, 'gm'],
  [11, 'lol'],
  [15, 'lol'],
  [16, 'zap'],
  [19, 'zap'],
  [20, 'gn'],
  [23, 'gn'],
])('at %i h %s comes first, and each topic occurs once', (hour, first) => {
  const topics = topicsAt(hour, { coffee: 'Kaffee' });
  expect(topics[0]).toEqual({ label: first, query: first });
  expect(new Set(topics.map(({ query }) => query)).size).toBe(topics.length);
  expect(topics).toHaveLength(14);
  expect(topics).toContainEqual({ label: 'Kaffee', query: 'coffee' });
});
