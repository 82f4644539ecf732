import { expect, test } from 'vitest';
import { termsOf } from './terms.ts';

const OPERATOR = { name: 'Example', url: 'https://operator.example' };

test('the version depends on text, operator and fee', () => {
  const shown = [
    termsOf(OPERATOR, 0),
    termsOf(OPERATOR, 1_000),
    termsOf(OPERATOR, 2_000),
    termsOf({ ...OPERATOR, name: 'Another' }, 0),
    termsOf({ ...OPERATOR, url: 'https://another.example' }, 0),
  ];
  expect(new Set(shown.map(({ version }) => version)).size).toBe(shown.length);
  expect(termsOf({ ...OPERATOR }, 1_000).version).toBe(shown[1]!.version);
});
