import fs from 'node:fs';
import { modelFile } from '../platform/models/index.ts';

/** The file of words in all languages, in memory that threads share. @throws OperatorError when it was not made */
export function loadLanguages(): Uint8Array {
  const bytes = fs.readFileSync(modelFile('languages.bin'));
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}
