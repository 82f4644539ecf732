import { type Languages, MeaningTable } from '@zoetrope/search';
import { OperatorError } from '../base/errors.ts';
import { readTable, TABLES_ADVICE } from '../platform/models/index.ts';

const FILE = 'meaning.bin';

let read: Uint8Array | undefined;

/**
 * Returns the bytes of the table of meanings, in shared memory, so that all threads use the same copy.
 * @throws OperatorError if the file is missing
 */
export function readMeaningTable(): Uint8Array {
  read ??= readTable(FILE);
  return read;
}

/** Opens a table. @throws OperatorError if the file is damaged */
export function openMeaningTable(bytes: Uint8Array): MeaningTable {
  try {
    return new MeaningTable(bytes);
  } catch (cause) {
    throw new OperatorError(`${FILE} is damaged: ${(cause as Error).message}. ${TABLES_ADVICE}`, { cause });
  }
}

/**
 * Returns the vector of a normalised query. The table knows only English, so queries in other languages are translated
 * first, if there is a dictionary. The result is null if no word is known.
 */
export function embedWithTable(
  table: MeaningTable,
  query: string,
  languages: Languages | undefined,
): Float32Array | null {
  return table.vectorOf(languages?.inEnglish(query) ?? [query]);
}
