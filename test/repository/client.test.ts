import fs from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import type * as contract from '@zoetrope/contract';
import { expect, expectTypeOf, it } from 'vitest';
import type * as client from '../../packages/client/src/index.ts';
import { clientTypes } from '../../tools/client-types.ts';
import { bundle } from '../support/bundle.ts';

it("the client's committed types match the contract", () => {
  expect(fs.readFileSync('packages/client/src/contract.ts', 'utf8')).toBe(clientTypes());
  expectTypeOf<client.Gif>().toEqualTypeOf<contract.Gif>();
  expectTypeOf<client.SearchResponse>().toEqualTypeOf<Omit<contract.SearchResponse, 'explain'>>();
  expectTypeOf<client.SuggestResponse>().toEqualTypeOf<contract.SuggestResponse>();
  expectTypeOf<client.SimilarResponse>().toEqualTypeOf<contract.SimilarResponse>();
  expectTypeOf<client.ErrorCode>().toExtend<contract.ErrorCode>();
});

it('the client has at most 4 kB and no dependencies', async () => {
  const code = await bundle('packages/client/src/index.ts');
  expect(brotliCompressSync(code).length).toBeLessThanOrEqual(4_000);
  const { dependencies } = JSON.parse(fs.readFileSync('packages/client/package.json', 'utf8'));
  expect(dependencies).toBeUndefined();
});
