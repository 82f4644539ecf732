import { brotliCompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { bundle } from '../support/bundle.ts';

it('the picker takes at most 20 kB of a page, all that it needs in it', async () => {
  const code = await bundle('packages/picker/src/index.ts');
  expect(brotliCompressSync(code).length).toBeLessThanOrEqual(20_000);
  expect(code).not.toMatch(/\bimport\s*[({"']/);
});
