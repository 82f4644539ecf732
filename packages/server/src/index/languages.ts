import fs from 'node:fs';
import { isBeingMade, modelFile } from '../platform/models/index.ts';

const FILE = 'languages.bin';

/** Returns whether the dictionary of all languages is missing because `npm start` is still making it. */
export function areLanguagesBeingMade(): boolean {
  return isBeingMade(FILE);
}

/** Returns the dictionary of all languages, in shared memory. @throws OperatorError if the file is missing */
export function loadLanguages(): Uint8Array {
  const bytes = fs.readFileSync(modelFile(FILE));
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}
