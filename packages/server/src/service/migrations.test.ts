import { expect, test } from 'vitest';
import { DATA_MIGRATIONS, REGISTRY_MIGRATIONS } from './migrations.ts';

// A database accepts only migrations whose names come after its last applied migration.
test.each([
  ['the data folder', DATA_MIGRATIONS],
  ['a separate registry', REGISTRY_MIGRATIONS],
])('the migrations of %s are numbered without gaps or repetition', (_, migrations) => {
  const numbers = Object.keys(migrations).map((name) => Number(name.slice(0, 4)));
  expect(numbers).toEqual(numbers.map((_, i) => i + 1));
});
