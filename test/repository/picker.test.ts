import { brotliCompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { pickerFile } from '../support/bundle.ts';

it("the picker's file has no imports and at most 20 kB", async () => {
  const code = await pickerFile();
  expect(brotliCompressSync(code).length).toBeLessThanOrEqual(20_000);
  expect(code).not.toMatch(/\bimport\s*[({"']/);
});
