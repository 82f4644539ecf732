import { expect, test } from 'vitest';
import { GifError } from './errors.ts';

test.each([
  ['internal', 500, true],
  ['upstream_unavailable', 503, true],
  ['rate_limited', 429, true],
  ['unreachable', undefined, true],
  ['validation', 400, false],
  ['not_found', 404, false],
  ['client_not_registered', 403, false],
] as const)('%s with status %s is temporary: %s', (code, status, expected) => {
  expect(new GifError(code, 'why', status === undefined ? {} : { status }).isTemporary).toBe(expected);
});

test('an error has its cause, if there is one', () => {
  const cause = new TypeError('fetch failed');
  expect(new GifError('unreachable', 'why', { cause }).cause).toBe(cause);
  expect(new GifError('unreachable', 'why')).not.toHaveProperty('cause');
});
