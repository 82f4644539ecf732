import { expect, test } from 'vitest';
import { containing } from './containing.ts';

test('a search for a text matches any single character in place of a special one, and any ASCII case', () => {
  expect(containing('50% off')).toBe('%50_ off%');
  expect(containing('C:\\GIFs')).toBe('%c:_gifs%');
  // Like `containing`, the databases change only ASCII letters to lower case.
  expect(containing('ÄRGER')).toBe('%Ärger%');
});
