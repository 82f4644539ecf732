import { expect, it } from 'vitest';
import { seeded } from '../random.ts';
import { lzw } from './lzw.ts';

it('ends with one empty block, however many bytes its last block has', () => {
  const random = seeded('lengths');
  const indices = Uint8Array.from({ length: 1_200 }, () => Math.floor(random() * 256));
  const full: number[] = [];
  for (let length = 1; length <= indices.length; length++) {
    const bytes = lzw(indices.subarray(0, length), 8);
    let at = 1;
    let last = 0;
    while (at < bytes.length && bytes[at] !== 0) {
      last = bytes[at]!;
      at += last + 1;
    }
    expect(at, `${length} pixels`).toBe(bytes.length - 1);
    if (last === 255) full.push(length);
  }
  expect(full.length).toBeGreaterThan(0);
});
