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
  const topics = topicsAt(hour, [], { coffee: 'Kaffee' });
  expect(topics[0]).toEqual({ label: first, query: first });
  expect(new Set(topics.map(({ query }) => query)).size).toBe(topics.length);
  expect(topics).toHaveLength(14);
  expect(topics).toContainEqual({ label: 'Kaffee', query: 'coffee' });
});

test("the service's topics replace the common ones, those of the hour first, then the others in the order of the service", () => {
  const own = ['cat', 'coffee', 'dog', 'gm'].map((query) => ({ label: query.toUpperCase(), query, picture: '/p' }));
  const topics = topicsAt(8, own, { coffee: 'Kaffee' });
  expect(topics.map(({ label }) => label)).toEqual(['GM', 'Kaffee', 'CAT', 'DOG']);
  expect(topics[0]).toHaveProperty('picture', '/p');
});

test('there are no topics until the service has named its own', () => {
  expect(topicsAt(8, undefined, {})).toEqual([]);
});
