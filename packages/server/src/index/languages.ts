import { isBeingMade, readModel } from '../platform/models/index.ts';

const FILE = 'languages.bin';

/** Returns whether the dictionary of all languages is missing because `npm start` is still building it. */
export function areLanguagesBeingMade(): boolean {
  return isBeingMade(FILE);
}

/** Returns the dictionary of all languages, in shared memory. @throws OperatorError if the file is missing */
export function loadLanguages(): Uint8Array {
  return readModel(FILE);
}
