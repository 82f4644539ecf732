import fs from 'node:fs';
import { modelFile } from '../platform/models/index.ts';

/** Returns the dictionary of all languages, in shared memory. @throws OperatorError if the file is missing */
export function loadLanguages(): Uint8Array {
  const bytes = fs.readFileSync(modelFile('languages.bin'));
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}
