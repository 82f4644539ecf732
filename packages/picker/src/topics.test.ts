import { expect, test } from 'vitest';
import { topicsAt } from './topics.ts';

test.each([
  [6, 'gm'],
  [12, 'lol'],
  [18, 'zap'],
  [22, 'gn'],
  [2, 'gn'],
])('at %i h %s comes first, and each topic occurs once', (hour, first) => {
  const topics = topicsAt(hour, { coffee: 'Kaffee' });
  expect(topics[0]).toEqual({ label: first, query: first });
  expect(new Set(topics.map(({ query }) => query)).size).toBe(topics.length);
  expect(topics).toHaveLength(14);
  expect(topics).toContainEqual({ label: 'Kaffee', query: 'coffee' });
});
