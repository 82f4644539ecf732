import { type Languages, MeaningTable } from '@zoetrope/search';
import { OperatorError } from '../base/errors.ts';
import { readTable, TABLES_ADVICE } from '../platform/models/index.ts';
import type { EmbedConfig } from './config.ts';

/** The tables. That of `bundled` imitates the bundled encoder, and embeds only short queries. */
const FILES: Readonly<Partial<Record<EmbedConfig['provider'], string>>> = {
  table: 'meaning.bin',
  bundled: 'queries.bin',
};

const read = new Map<string, Uint8Array>();

/**
 * Returns the bytes of the table with which serving threads embed queries, in shared memory, so that all threads use the
 * same copy. Returns undefined if this embedder has no table.
 * @throws OperatorError if the file is missing
 */
export function readMeaningTable({ provider }: Pick<EmbedConfig, 'provider'>): Uint8Array | undefined {
  const file = FILES[provider];
  if (file === undefined) return undefined;
  const bytes = read.get(file) ?? readTable(file);
  read.set(file, bytes);
  return bytes;
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
