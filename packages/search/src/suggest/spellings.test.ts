import { expect, test } from 'vitest';
import { Spellings } from './spellings.ts';

test('the most frequent spelling is shown, and among equally frequent spellings the one in lower case', () => {
  const spellings = new Spellings();
  expect(spellings.best('nasa')).toBe('nasa');
  spellings.add('nasa', 'NASA', 1);
  expect(spellings.best('nasa')).toBe('nasa');
  spellings.add('nasa', 'Nasa', 1);
  expect(spellings.best('nasa')).toBe('nasa');
  spellings.add('nasa', 'NASA', 1);
  expect(spellings.best('nasa')).toBe('NASA');
  spellings.add('nasa', 'nasa', 1);
  spellings.add('nasa', 'Nasa', 1);
  expect(spellings.best('nasa')).toBe('nasa');
});
