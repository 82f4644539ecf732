/**
 * Makes all files in packages/server/models, or only those that are named. `tools/runtime.mjs` runs this program when
 * those files are missing or the program's sources have changed.
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeLanguages } from './languages/languages.ts';
import { makeLooks } from './looks/looks.ts';
import { makeRating } from './looks/rating.ts';
import { makeSentences, makeTokenizer } from './sentences/sentences.ts';

const folder = fileURLToPath(new URL('../../packages/server/models/', import.meta.url));

const MODELS: Readonly<Record<string, () => Uint8Array | Promise<Uint8Array>>> = {
  'languages.bin': makeLanguages,
  'looks.onnx': makeLooks,
  'rating.onnx': makeRating,
  'sentences.json': makeTokenizer,
  'sentences.onnx': makeSentences,
};

fs.mkdirSync(folder, { recursive: true });
const wanted = process.argv.slice(2);
for (const [name, make] of Object.entries(MODELS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const start = performance.now();
  const bytes = await make();
  const temporary = path.join(folder, `${name}.${process.pid}.tmp`);
  fs.writeFileSync(temporary, bytes);
  fs.renameSync(temporary, path.join(folder, name));
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  process.stderr.write(`Made ${name}: ${(bytes.length / 1e6).toFixed(1)} MB in ${seconds} s\n`);
}
