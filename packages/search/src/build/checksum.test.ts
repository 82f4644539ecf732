import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checksum } from './checksum.ts';

test('the checksum is the CRC-32 of zlib', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      expect(checksum(bytes)).toBe(crc32(bytes));
    }),
  );
});

test('the bytes can start anywhere in a buffer', () => {
  const bytes = Uint8Array.from({ length: 64 }, (_, i) => i * 37);
  expect(checksum(bytes.subarray(3))).toBe(checksum(bytes.slice(3)));
});
