import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { sha256Of } from './model-folder.ts';

it('a file of a model is read again only if it changed', async () => {
  using folder = fs.mkdtempDisposableSync(path.join(os.tmpdir(), 'zoetrope-'));
  const file = `${folder.path}/model.onnx`;
  let reads = 0;
  const read = async () => `hash ${++reads}`;
  fs.writeFileSync(file, 'one');
  expect([await sha256Of(file, read), await sha256Of(file, read)]).toEqual(['hash 1', 'hash 1']);
  // The size and the modification time remain the same.
  const { atime, mtime } = fs.statSync(file);
  fs.writeFileSync(file, 'two');
  fs.utimesSync(file, atime, mtime);
  expect(await sha256Of(file, read)).toBe('hash 2');
});
