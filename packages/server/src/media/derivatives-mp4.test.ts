import { expect, test } from 'vitest';
import { mp4Allowed } from './derivatives.ts';

const ALLOWED = { width: 4095, height: 4095, frames: 1800, durationMs: 60_000 };

test('an image at the limits gets an MP4', () => {
  expect(mp4Allowed(ALLOWED)).toBe(true);
  expect(mp4Allowed({ ...ALLOWED, frames: 2 })).toBe(true);
});

test.each([
  { width: 4096 },
  { height: 4096 },
  { durationMs: 60_001 },
  { frames: 1801 },
  { frames: 1 },
  { frames: null },
  { durationMs: null },
])('an image with %o gets no MP4', (change) => {
  expect(mp4Allowed({ ...ALLOWED, ...change })).toBe(false);
});
