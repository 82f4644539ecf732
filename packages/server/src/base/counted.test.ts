import { expect, test } from 'vitest';
import { counted } from './counted.ts';

test('only one thing is counted in the singular', () => {
  const files = [0, 1, 2, 1_000].map((n) => counted(n, 'file'));
  expect(files).toEqual(['0 files', '1 file', '2 files', '1000 files']);
  expect([1, 2].map((n) => counted(n, 'GIF waits', 'GIFs wait'))).toEqual(['1 GIF waits', '2 GIFs wait']);
});
