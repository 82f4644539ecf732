import fs from 'node:fs';
import { expect, it } from 'vitest';
import { compileKernels } from '../../tools/wasm.ts';
import { parts } from '../support/parts.ts';

it.skipIf(!parts.wasmCompiler)('the committed kernels match their source', () => {
  expect(fs.readFileSync('packages/search/src/vectors/kernels-wasm.ts', 'utf8')).toBe(compileKernels());
});
