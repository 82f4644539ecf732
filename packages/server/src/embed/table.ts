import { type Languages, MeaningTable } from '@zoetrope/search';
import { OperatorError } from '../base/errors.ts';
import { readTable, TABLES_ADVICE } from '../platform/models/index.ts';

/** `queries` imitates the bundled encoder, `meaning` imitates all-MiniLM-L6-v2. */
export type TableName = 'meaning' | 'queries';

export const MEANING_DIMENSIONS = 384;

/**
 * Returns the bytes of a table with which serving threads embed queries. The bytes are in shared memory, so that all
 * threads use the same copy. @throws OperatorError if the file is missing
 */
export function readMeaningTable(name: TableName): Uint8Array {
  return readTable(`${name}.bin`);
}

/** Opens a table. @throws OperatorError if the file is damaged */
export function openMeaningTable(bytes: Uint8Array): MeaningTable {
  try {
    return new MeaningTable(bytes);
  } catch (cause) {
    throw new OperatorError(`A table of meanings is damaged: ${(cause as Error).message}. ${TABLES_ADVICE}`, { cause });
  }
}

/**
 * Returns the vector of a normalised query. The table contains only English words, so queries in other languages are
 * translated first, if there is a dictionary. The result is null if the table has none of the words.
 */
export function embedWithTable(
  table: MeaningTable,
  query: string,
  languages: Languages | undefined,
): Float32Array | null {
  return table.vectorOf(languages?.inEnglish(query) ?? [query]);
}
